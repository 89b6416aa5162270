/// The English names of countries by ISO 3166-1, as the Unicode CLDR and ISO write them.
///
/// Made by `scripts/make_names.py` from Debian's packages unicode-cldr-core 41-0.1 and
/// iso-codes 4.15.0-1; see `docs/decisions/014-names.md`. CLDR: Copyright © 1991-2022 Unicode,
/// Inc., license Unicode-DFS-2016.
enum CountryNames {
  /// Separated by `; `, in alphabetical order.
  static let text = """
    Afghanistan; Åland Islands; Albania; Algeria; American Samoa; Andorra; Angola; Anguilla; \
    Antarctica; Antigua & Barbuda; Antigua and Barbuda; Argentina; Armenia; Aruba; Australia; \
    Austria; Azerbaijan; Bahamas; Bahrain; Bangladesh; Barbados; Belarus; Belgium; Belize; Benin; \
    Bermuda; Bhutan; Bolivia; Bolivia, Plurinational State of; Bonaire, Sint Eustatius and Saba; \
    Bosnia; Bosnia & Herzegovina; Bosnia and Herzegovina; Botswana; Bouvet Island; Brazil; \
    British Indian Ocean Territory; British Virgin Islands; Brunei; Brunei Darussalam; Bulgaria; \
    Burkina Faso; Burundi; Cabo Verde; Cambodia; Cameroon; Canada; Cape Verde; \
    Caribbean Netherlands; Cayman Islands; Central African Republic; Chad; Chile; China; \
    Christmas Island; Cocos (Keeling) Islands; Colombia; Comoros; Congo; Congo (DRC); \
    Congo (Republic); Congo - Brazzaville; Congo - Kinshasa; \
    Congo, The Democratic Republic of the; Cook Islands; Costa Rica; Côte d'Ivoire; Côte d’Ivoire; \
    Croatia; Cuba; Curaçao; Cyprus; Czech Republic; Czechia; Denmark; Djibouti; Dominica; \
    Dominican Republic; East Timor; Ecuador; Egypt; El Salvador; Equatorial Guinea; Eritrea; \
    Estonia; Eswatini; Ethiopia; Falkland Islands; Falkland Islands (Islas Malvinas); \
    Falkland Islands (Malvinas); Faroe Islands; Fiji; Finland; France; French Guiana; \
    French Polynesia; French Southern Territories; Gabon; Gambia; Georgia; Germany; Ghana; \
    Gibraltar; Greece; Greenland; Grenada; Guadeloupe; Guam; Guatemala; Guernsey; Guinea; \
    Guinea-Bissau; Guyana; Haiti; Heard & McDonald Islands; Heard Island and McDonald Islands; \
    Holy See (Vatican City State); Honduras; Hong Kong; Hong Kong SAR China; Hungary; Iceland; \
    India; Indonesia; Iran; Iran, Islamic Republic of; Iraq; Ireland; Isle of Man; Israel; Italy; \
    Ivory Coast; Jamaica; Japan; Jersey; Jordan; Kazakhstan; Kenya; Kiribati; \
    Korea, Democratic People's Republic of; Korea, Republic of; Kuwait; Kyrgyzstan; \
    Lao People's Democratic Republic; Laos; Latvia; Lebanon; Lesotho; Liberia; Libya; \
    Liechtenstein; Lithuania; Luxembourg; Macao; Macao SAR China; Madagascar; Malawi; Malaysia; \
    Maldives; Mali; Malta; Marshall Islands; Martinique; Mauritania; Mauritius; Mayotte; Mexico; \
    Micronesia; Micronesia, Federated States of; Moldova; Moldova, Republic of; Monaco; Mongolia; \
    Montenegro; Montserrat; Morocco; Mozambique; Myanmar; Myanmar (Burma); Namibia; Nauru; Nepal; \
    Netherlands; New Caledonia; New Zealand; Nicaragua; Niger; Nigeria; Niue; Norfolk Island; \
    North Korea; North Macedonia; Northern Mariana Islands; Norway; Oman; Pakistan; Palau; \
    Palestine; Palestine, State of; Palestinian Territories; Panama; Papua New Guinea; Paraguay; \
    Peru; Philippines; Pitcairn; Pitcairn Islands; Poland; Portugal; Puerto Rico; Qatar; Réunion; \
    Romania; Russia; Russian Federation; Rwanda; Saint Barthélemy; \
    Saint Helena, Ascension and Tristan da Cunha; Saint Kitts and Nevis; Saint Lucia; \
    Saint Martin (French part); Saint Pierre and Miquelon; Saint Vincent and the Grenadines; \
    Samoa; San Marino; São Tomé & Príncipe; Sao Tome and Principe; Saudi Arabia; Senegal; Serbia; \
    Seychelles; Sierra Leone; Singapore; Sint Maarten; Sint Maarten (Dutch part); Slovakia; \
    Slovenia; Solomon Islands; Somalia; South Africa; South Georgia & South Sandwich Islands; \
    South Georgia and the South Sandwich Islands; South Korea; South Sudan; Spain; Sri Lanka; \
    St. Barthélemy; St. Helena; St. Kitts & Nevis; St. Lucia; St. Martin; St. Pierre & Miquelon; \
    St. Vincent & Grenadines; Sudan; Suriname; Svalbard & Jan Mayen; Svalbard and Jan Mayen; \
    Swaziland; Sweden; Switzerland; Syria; Syrian Arab Republic; Taiwan; \
    Taiwan, Province of China; Tajikistan; Tanzania; Tanzania, United Republic of; Thailand; \
    Timor-Leste; Togo; Tokelau; Tonga; Trinidad & Tobago; Trinidad and Tobago; Tunisia; Turkey; \
    Türkiye; Turkmenistan; Turks & Caicos Islands; Turks and Caicos Islands; Tuvalu; \
    U.S. Outlying Islands; U.S. Virgin Islands; Uganda; Ukraine; United Arab Emirates; \
    United Kingdom; United States; United States Minor Outlying Islands; Uruguay; Uzbekistan; \
    Vanuatu; Vatican City; Venezuela; Venezuela, Bolivarian Republic of; Viet Nam; Vietnam; \
    Virgin Islands, British; Virgin Islands, U.S.; Wallis & Futuna; Wallis and Futuna; \
    Western Sahara; Yemen; Zambia; Zimbabwe
    """
}
