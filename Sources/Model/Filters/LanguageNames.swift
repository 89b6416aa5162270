/// The English names of languages by ISO 639, as the Unicode CLDR and ISO write them.
///
/// Made by `scripts/make_names.py` from Debian's packages unicode-cldr-core 41-0.1 and
/// iso-codes 4.15.0-1; see `docs/decisions/014-names.md`. CLDR: Copyright © 1991-2022 Unicode,
/// Inc., license Unicode-DFS-2016.
enum LanguageNames {
  /// Separated by `; `, in alphabetical order.
  static let text = """
    Abkhazian; Achinese; Acoli; Adangme; Adygei; Adyghe; Afar; Afrihili; Afrikaans; Aghem; Ainu; \
    Akan; Akkadian; Akoose; Alabama; Albanian; Alemannic; Aleut; Algerian Arabic; Alsatian; \
    American Sign Language; Amharic; Ancient Egyptian; Ancient Greek; Angika; Ao Naga; Arabic; \
    Aragonese; Aramaic; Araona; Arapaho; Arawak; Armenian; Aromanian; Arpitan; Arumanian; \
    Assamese; Asturian; Asturleonese; Asu; Atikamekw; Atsam; Avaric; Avestan; Awadhi; Aymara; \
    Azerbaijani; Azeri; Bable; Badaga; Bafia; Bafut; Bakhtiari; Balinese; Baluchi; Bambara; Bamun; \
    Bangla; Banjar; Basa; Basaa; Bashkir; Basque; Batak Toba; Bavarian; Bedawiyet; Beja; \
    Belarusian; Bemba; Bena; Bengali; Betawi; Bhojpuri; Bikol; Bilin; Bini; Bishnupriya; Bislama; \
    Blin; Bliss; Blissymbolics; Blissymbols; Bodo; Bokmål, Norwegian; Bosnian; Brahui; Braj; \
    Breton; Buginese; Bulgarian; Bulu; Buriat; Burmese; Caddo; Cajun French; Cantonese; Capiznon; \
    Carib; Carolina Algonquian; Castilian; Catalan; Cayuga; Cebuano; Central Atlas Tamazight; \
    Central Dusun; Central Khmer; Central Kurdish; Central Ojibwa; Central Yupik; Chadian Arabic; \
    Chagatai; Chakma; Chamorro; Chechen; Cherokee; Chewa; Cheyenne; Chibcha; Chichewa; Chickasaw; \
    Chiga; Chilcotin; Chimborazo Highland Quichua; Chinese; Chinook Jargon; Chipewyan; Choctaw; \
    Chuang; Church Slavic; Church Slavonic; Chuukese; Chuvash; Classical Nepal Bhasa; \
    Classical Newari; Classical Syriac; Colognian; Comorian; Cook Islands Maori; Coptic; Cornish; \
    Corsican; Cree; Creek; Crimean Tatar; Crimean Turkish; Croatian; Czech; Dakota; Danish; \
    Dargwa; Dazaga; Delaware; Dene Suline; Dhivehi; Dimili; Dimli; Dinka; Divehi; Dogri; Dogrib; \
    Duala; Dutch; Dutch, Middle (ca. 1050-1350); Dyula; Dzongkha; Eastern Canadian Inuktitut; \
    Eastern Frisian; Eastern Ojibwa; Edo; Efik; Egyptian (Ancient); Egyptian Arabic; Ekajuk; \
    Elamite; Embu; Emilian; English; English, Middle (1100-1500); English, Old (ca. 450-1100); \
    Erzya; Esperanto; Estonian; Ewe; Ewondo; Extremaduran; Fang; Fanti; Faroese; Fiji Hindi; \
    Fijian; Filipino; Finnish; Flemish; Fon; Frafra; French; French, Middle (ca. 1400-1600); \
    French, Old (842-ca. 1400); Friulian; Fulah; Gaelic; Gagauz; Galibi Carib; Galician; \
    Gan Chinese; Ganda; Gayo; Gbaya; Geez; Georgian; German; German, Low; \
    German, Middle High (ca. 1050-1500); German, Old High (ca. 750-1050); Gheg Albanian; Ghomala; \
    Gikuyu; Gilaki; Gilbertese; Goan Konkani; Gondi; Gorontalo; Gothic; Grebo; Greek; \
    Greek, Ancient (to 1453); Greek, Modern (1453-); Greenlandic; Guarani; Gujarati; Gusii; \
    Gwich'in; Gwichʼin; Haida; Haitian; Haitian Creole; Hakka Chinese; Halkomelem; Hausa; \
    Hawaiian; Hebrew; Herero; Hiligaynon; Hindi; Hiri Motu; Hittite; Hmong; Hmong Njua; Hungarian; \
    Hupa; Iban; Ibibio; Icelandic; Ido; Igbo; Iloko; Imperial Aramaic (700-300 BCE); Inari Sami; \
    Indonesian; Ingrian; Ingush; Innu-aimun; Interlingua; \
    Interlingua (International Auxiliary Language Association); Interlingue; Inuktitut; Inupiaq; \
    Irish; Irish, Middle (900-1200); Irish, Old (to 900); Italian; Jamaican Creole English; \
    Japanese; Javanese; Jingpho; Jju; Jola-Fonyi; Judeo-Arabic; Judeo-Persian; Jutish; Kabardian; \
    Kabuverdianu; Kabyle; Kachin; Kaingang; Kako; Kalaallisut; Kalenjin; Kalmyk; Kamba; Kanembu; \
    Kannada; Kanuri; Kapampangan; Kara-Kalpak; Karachay-Balkar; Karelian; Kashmiri; Kashubian; \
    Kawi; Kazakh; Kenyang; Khasi; Khmer; Khotanese; Khowar; Kikuyu; Kimbundu; Kinaray-a; \
    Kinyarwanda; Kirdki; Kirghiz; Kirmanjki; Klingon; Kom; Komi; Komi-Permyak; Kongo; Konkani; \
    Korean; Koro; Kosraean; Kotava; Koyra Chiini; Koyraboro Senni; Kpelle; Krio; Kuanyama; Kumyk; \
    Kurdish; Kurdish, Sorani; Kurukh; Kutenai; Kwakʼwala; Kwanyama; Kwasio; Kyrgyz; Kʼicheʼ; \
    Ladino; Lahnda; Lakota; Lamba; Langi; Lao; Latgalian; Latin; Latvian; Laz; Leonese; \
    Letzeburgesch; Lezghian; Ligurian; Lillooet; Limburgan; Limburger; Limburgish; Lingala; \
    Lingua Franca Nova; Literary Chinese; Lithuanian; Livonian; Lojban; Lombard; Louisiana Creole; \
    Low German; Low Saxon; Lower Silesian; Lower Sorbian; Lozi; Luba-Katanga; Luba-Lulua; Luiseno; \
    Lule Sami; Lunda; Luo; Luo (Kenya and Tanzania); Lushai; Luxembourgish; Luyia; Maba; \
    Macedo-Romanian; Macedonian; Machame; Madurese; Mafa; Magahi; Main-Franconian; Maithili; \
    Makasar; Makhuwa-Meetto; Makonde; Malagasy; Malay; Malayalam; Maldivian; Malecite; Maltese; \
    Manchu; Mandar; Mandarin Chinese; Mandingo; Manipuri; Manx; Maori; Māori; Mapuche; Mapudungun; \
    Marathi; Mari; Marshallese; Marwari; Masai; Mazanderani; Medumba; Mende; Mentawai; Meru; \
    Metaʼ; Mi'kmaq; Michif; Micmac; Middle Dutch; Middle English; Middle French; \
    Middle High German; Middle Irish; Min Nan Chinese; Minangkabau; Mingrelian; Mirandese; Mizo; \
    Mohawk; Moksha; Moldavian; Moldovan; Mong; Mongo; Mongolian; Montenegrin; Moose Cree; \
    Morisyen; Moroccan Arabic; Mossi; Mundang; Muscogee; Muslim Tat; Myanmar Language; Myene; \
    N'Ko; Najdi Arabic; Nama; Nauru; Navaho; Navajo; Ndebele, North; Ndebele, South; Ndonga; \
    Neapolitan; Nepal Bhasa; Nepali; Newari; Ngambay; Ngiemboon; Ngomba; Nheengatu; Nias; \
    Nigerian Pidgin; Niuean; Nogai; Norse, Old; North Ndebele; Northern East Cree; \
    Northern Frisian; Northern Haida; Northern Luri; Northern Sami; Northern Sotho; \
    Northern Tutchone; Northwestern Ojibwa; Norwegian; Norwegian Bokmål; Norwegian Nynorsk; \
    Novial; Nuer; Nuosu; Nyamwezi; Nyanja; Nyankole; Nyasa Tonga; Nynorsk, Norwegian; Nyoro; \
    Nzima; N’Ko; Occidental; Occitan; Occitan (post 1500); Odia; Official Aramaic (700-300 BCE); \
    Oirat; Oji-Cree; Ojibwa; Okanagan; Old Bulgarian; Old Church Slavonic; Old English; \
    Old French; Old High German; Old Irish; Old Newari; Old Norse; Old Persian; Old Provençal; \
    Old Slavonic; Oriya; Oromo; Osage; Ossetian; Ossetic; Ottoman Turkish; Pahlavi; \
    Palatine German; Palauan; Pali; Pampanga; Pangasinan; Panjabi; Papiamento; Pashto; Pedi; \
    Pennsylvania German; Persian; Persian, Old (ca. 600-400 B.C.); Phoenician; Picard; \
    Piedmontese; Pilipino; Plains Cree; Plautdietsch; Pohnpeian; Polish; Pontic; Portuguese; \
    Provençal; Provençal, Old (to 1500); Prussian; Punjabi; Pushto; Quechua; Rajasthani; Rapanui; \
    Rarotongan; Riffian; Rohingya; Romagnol; Romanian; Romansh; Romany; Rombo; Rotuman; Roviana; \
    Rundi; Russian; Rusyn; Rwa; Saho; Sakan; Sakha; Samaritan Aramaic; Samburu; Samoan; \
    Samogitian; Sandawe; Sango; Sangu; Sanskrit; Santali; Sardinian; Sasak; Sassarese Sardinian; \
    Saterland Frisian; Saurashtra; Saxon, Low; Scots; Scottish Gaelic; Selayar; Selkup; Sena; \
    Seneca; Sepedi; Serbian; Serbo-Croatian; Serer; Seri; Seselwa Creole French; Shambala; Shan; \
    Shona; Sichuan Yi; Sicilian; Sidamo; Siksika; Silesian; Sindhi; Sinhala; Sinhalese; \
    Skolt Sami; Slave; Slave (Athapascan); Slovak; Slovenian; Soga; Sogdian; Sogdien; Somali; \
    Soninke; Sotho, Southern; South Ndebele; Southern Altai; Southern East Cree; Southern Haida; \
    Southern Kurdish; Southern Lushootseed; Southern Sami; Southern Sotho; Southern Tutchone; \
    Spanish; Sranan Tongo; Standard Moroccan Tamazight; Straits Salish; Sukuma; Sumerian; \
    Sundanese; Susu; Swahili; Swampy Cree; Swati; Swedish; Swiss German; Syriac; Tachelhit; \
    Tagalog; Tagish; Tahitian; Tahltan; Tai Dam; Taita; Tajik; Talysh; Tamashek; Tamil; Taroko; \
    Tasawaq; Tatar; Telugu; Tereno; Teso; Tetum; Thai; Tibetan; Tigre; Tigrinya; Timne; Tiv; \
    tlhIngan-Hol; Tlingit; Tok Pisin; Tokelau; Tonga (Nyasa); Tonga (Tonga Islands); Tongan; \
    Tornedalen Finnish; Torwali; Tsakhur; Tsakonian; Tsimshian; Tsonga; Tswana; Tulu; Tumbuka; \
    Tunisian Arabic; Turkish; Turkish, Ottoman (1500-1928); Turkmen; Turoyo; Tuvalu; Tuvinian; \
    Twi; Tyap; Udmurt; Ugaritic; Uighur; Ukrainian; Umbundu; Upper Sorbian; Urdu; Uyghur; Uzbek; \
    Vai; Valencian; Venda; Venetian; Veps; Vietnamese; Volapük; Võro; Votic; Vunjo; Walamo; \
    Walloon; Walser; Waray; Warlpiri; Washo; Wayuu; Welsh; West Flemish; Western Balochi; \
    Western Canadian Inuktitut; Western Frisian; Western Mari; Western Ojibwa; Wolaytta; Wolof; \
    Woods Cree; Wu Chinese; Xhosa; Xiang Chinese; Yakut; Yangben; Yao; Yapese; Yemba; Yiddish; \
    Yoruba; Zapotec; Zarma; Zaza; Zazaki; Zeelandic; Zenaga; Zhuang; Zoroastrian Dari; Zulu; Zuni
    """

  /// Those of them that ISO 639-3 calls ancient, extinct or historical.
  static let historical = """
    Akkadian; Ancient Egyptian; Ancient Greek; Aramaic; Avestan; Carolina Algonquian; Chagatai; \
    Chibcha; Church Slavic; Church Slavonic; Classical Nepal Bhasa; Classical Newari; \
    Classical Syriac; Coptic; Dutch, Middle (ca. 1050-1350); Egyptian (Ancient); Elamite; \
    English, Middle (1100-1500); English, Old (ca. 450-1100); French, Middle (ca. 1400-1600); \
    French, Old (842-ca. 1400); Geez; German, Middle High (ca. 1050-1500); \
    German, Old High (ca. 750-1050); Gothic; Greek, Ancient (to 1453); Hittite; \
    Imperial Aramaic (700-300 BCE); Irish, Middle (900-1200); Irish, Old (to 900); Jutish; Kawi; \
    Khotanese; Latin; Literary Chinese; Luiseno; Middle Dutch; Middle English; Middle French; \
    Middle High German; Middle Irish; Norse, Old; Official Aramaic (700-300 BCE); Old Bulgarian; \
    Old Church Slavonic; Old English; Old French; Old High German; Old Irish; Old Newari; \
    Old Norse; Old Persian; Old Provençal; Old Slavonic; Ottoman Turkish; Pahlavi; Pali; \
    Persian, Old (ca. 600-400 B.C.); Phoenician; Provençal, Old (to 1500); Sakan; \
    Samaritan Aramaic; Sanskrit; Sogdian; Sogdien; Sumerian; Turkish, Ottoman (1500-1928); \
    Ugaritic
    """
}
