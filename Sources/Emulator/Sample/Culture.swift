/// A country of sample users with its places and names.
struct Culture: Sendable {
  struct Town: Sendable {
    let city: String
    let state: String
    let areas: [String]
  }

  /// English ISO 3166 name.
  let country: String
  /// English ISO 639 name.
  let language: String
  /// The relative number of users who live there; about 100 over all cultures.
  let weight: Int
  let utcOffsetHours: Int
  let places: [Town]
  let women: [String]
  let men: [String]
  let families: [String]

  /// Separators: blanks between names, `;` between places, `,` between city, state and areas.
  init(
    _ country: String, _ language: String, weight: Int, utc: Int, places: String, women: String,
    men: String, families: String
  ) {
    self.country = country
    self.language = language
    self.weight = weight
    utcOffsetHours = utc
    self.places = places.split(separator: ";").map { Town(parsing: $0) }
    self.women = women.split(separator: " ").map(String.init)
    self.men = men.split(separator: " ").map(String.init)
    self.families = families.split(separator: " ").map(String.init)
  }
}

extension Culture.Town {
  fileprivate init(parsing text: Substring) {
    let parts = text.split(separator: ",").map { part in
      String(part.drop { $0 == " " })
    }
    self.init(
      city: parts.first ?? "", state: parts.dropFirst().first ?? "",
      areas: Array(parts.dropFirst(2)))
  }
}

extension Culture {
  static let all = americas + asia + europe

  static let americas = [
    Culture(
      "United States", "English", weight: 14, utc: -6,
      places: """
        New York, New York, Brooklyn, Queens, Harlem; Austin, Texas, Zilker, Mueller; \
        Chicago, Illinois, Logan Square, Hyde Park; Portland, Oregon, Alberta, Sellwood; \
        Miami, Florida, Wynwood, Little Havana
        """,
      women: "Emily Ashley Madison Olivia Grace Jasmine Brianna Chloe Destiny Hannah",
      men: "Jacob Tyler Ethan Marcus Logan Andre Dylan Caleb Jordan Isaiah",
      families: "Johnson Miller O'Brien Washington Nguyen Martinez Cooper Reed Brooks Kim"),
    Culture(
      "Brazil", "Portuguese", weight: 11, utc: -3,
      places: """
        São Paulo, São Paulo, Pinheiros, Mooca; Rio de Janeiro, Rio de Janeiro, Tijuca, Lapa; \
        Salvador, Bahia, Barra, Pelourinho; Recife, Pernambuco, Boa Viagem
        """,
      women: "Beatriz Larissa Letícia Camila Thaís Fernanda Júlia Raíssa Luana",
      men: "João Gabriel Matheus Thiago Caio Vinícius André Luã Rafael",
      families: "Silva Souza Conceição Araújo Lima Magalhães Pereira Gonçalves"),
    Culture(
      "Mexico", "Spanish", weight: 7, utc: -6,
      places: """
        Ciudad de México, CDMX, Coyoacán, Roma Norte; Guadalajara, Jalisco, Tlaquepaque; \
        Monterrey, Nuevo León, San Pedro; Puebla, Puebla, Cholula
        """,
      women: "Ximena Guadalupe Itzel Sofía Valeria Fernanda Renata Citlali",
      men: "José Ángel Emiliano Iván Héctor Raúl Diego Jesús",
      families: "Hernández Núñez García Ramírez Peña López Ávila"),
    Culture(
      "Colombia", "Spanish", weight: 4, utc: -5,
      places: "Bogotá, Cundinamarca, Chapinero, Usaquén; Medellín, Antioquia, El Poblado; "
        + "Cali, Valle del Cauca, San Antonio",
      women: "Daniela Laura Mariana Paola Yuliana Catalina",
      men: "Andrés Santiago Camilo Julián Sebastián Óscar",
      families: "Rodríguez Gómez Muñoz Cárdenas Restrepo Zapata"),
    Culture(
      "Argentina", "Spanish", weight: 3, utc: -3,
      places: "Buenos Aires, Buenos Aires, Palermo, San Telmo; Córdoba, Córdoba, Güemes; "
        + "Rosario, Santa Fe, Pichincha",
      women: "Agustina Martina Lucía Rocío Julieta Sol",
      men: "Nicolás Facundo Tomás Lautaro Joaquín Bruno",
      families: "Fernández Acuña Bianchi Domínguez Quiroga Sosa"),
  ]

  static let asia = [
    Culture(
      "India", "Hindi", weight: 15, utc: 5,
      places: """
        Mumbai, Maharashtra, Bandra, Andheri, Dadar; Delhi, Delhi, Karol Bagh, Saket; \
        Jaipur, Rajasthan, C-Scheme; Lucknow, Uttar Pradesh, Gomti Nagar; Pune, Maharashtra, Kothrud
        """,
      women: "Priya Ananya Neha Pooja प्रिया अनन्या काव्या Shreya Kavya नेहा",
      men: "Rahul Arjun Vikram राहुल अर्जुन Rohan विक्रम Aditya Sanjay Imran",
      families: "Sharma Verma शर्मा Patel Singh Gupta वर्मा Khan Reddy"),
    Culture(
      "Indonesia", "Indonesian", weight: 7, utc: 7,
      places: "Jakarta, Jakarta, Kemang, Menteng; Surabaya, Jawa Timur, Gubeng; "
        + "Bandung, Jawa Barat, Dago; Denpasar, Bali, Sanur",
      women: "Siti Dewi Putri Ayu Rina Intan Wulan",
      men: "Budi Agus Rizky Dimas Bayu Fajar Eko",
      families: "Santoso Wijaya Pratama Nugroho Saputra Lestari"),
    Culture(
      "Japan", "Japanese", weight: 4, utc: 9,
      places: "Tokyo, Tokyo, Shibuya, Nakano; Osaka, Osaka, Namba, Umeda; "
        + "Fukuoka, Fukuoka, Tenjin; Sapporo, Hokkaido, Susukino",
      women: "さくら 美咲 陽菜 結衣 あおい 七海",
      men: "翔太 大輝 蓮 健太 悠斗 拓海",
      families: "佐藤 鈴木 高橋 田中 渡辺 伊藤"),
    Culture(
      "South Korea", "Korean", weight: 3, utc: 9,
      places: "Seoul, Seoul, Mapo, Gangnam; Busan, Busan, Haeundae; Daegu, Daegu, Suseong",
      women: "지민 서연 하은 수빈 유나", men: "민준 도윤 지훈 현우 준서",
      families: "김 이 박 최 정"),
    Culture(
      "Philippines", "Filipino", weight: 6, utc: 8,
      places: "Quezon City, Metro Manila, Cubao, Diliman; Cebu City, Cebu, Lahug; "
        + "Davao City, Davao del Sur, Matina",
      women: "Angelica Maricel Jasmine Kristine Rhea Bea",
      men: "Jomar Christian Rodel Mark Paolo Jericho",
      families: "Santos Reyes Dela-Cruz Bautista Villanueva Peña"),
    Culture(
      "Pakistan", "Urdu", weight: 4, utc: 5,
      places: "Karachi, Sindh, Clifton, Saddar; Lahore, Punjab, Gulberg; Islamabad, Islamabad, F-7",
      women: "عائشہ فاطمہ Ayesha زینب Hira Sana", men: "علی احمد Bilal حمزہ Usman Hassan",
      families: "خان Malik شیخ Qureshi Butt"),
    Culture(
      "Egypt", "Arabic", weight: 5, utc: 2,
      places: "Cairo, Cairo, Zamalek, Maadi, Shubra; Alexandria, Alexandria, Sidi Gaber; "
        + "Giza, Giza, Dokki",
      women: "مريم نور سلمى ياسمين هبة دينا", men: "محمد أحمد عمر كريم يوسف مصطفى",
      families: "حسن إبراهيم السيد منصور عبدالله"),
    Culture(
      "Saudi Arabia", "Arabic", weight: 3, utc: 3,
      places: "Riyadh, Riyadh, Olaya; Jeddah, Makkah, Al Balad; Dammam, Eastern Province, Corniche",
      women: "نورة سارة ريم لمى", men: "عبدالعزيز فهد سلطان ناصر",
      families: "العتيبي القحطاني الغامدي الحربي"),
    Culture(
      "Israel", "Hebrew", weight: 2, utc: 2,
      places: "Tel Aviv, Tel Aviv, Florentin; Haifa, Haifa, Hadar; Jerusalem, Jerusalem, Nachlaot",
      women: "נועה תמר מאיה יעל", men: "איתי דניאל אורי יונתן", families: "כהן לוי מזרחי פרץ"),
    Culture(
      "Thailand", "Thai", weight: 3, utc: 7,
      places: "Bangkok, Bangkok, Ari, Thonglor; Chiang Mai, Chiang Mai, Nimman; "
        + "Phuket, Phuket, Patong",
      women: "สุดา มาลี พิมพ์ ณัฐชา", men: "สมชาย ธนา ก้อง ณัฐ",
      families: "ใจดี ศรีสุข แสงทอง วงศ์ไทย"),
  ]

  static let europe = [
    Culture(
      "Germany", "German", weight: 5, utc: 1,
      places: "Berlin, Berlin, Neukölln, Wedding; Köln, Nordrhein-Westfalen, Ehrenfeld; "
        + "München, Bayern, Schwabing; Leipzig, Sachsen, Connewitz",
      women: "Lea Jördis Annika Svenja Käthe Mia", men: "Jürgen Lukas Björn Felix Emre Jonas",
      families: "Müller Schröder Weiß Yılmaz Krämer Hoffmann"),
    Culture(
      "France", "French", weight: 4, utc: 1,
      places: "Paris, Île-de-France, Belleville, Montmartre; Lyon, Rhône, Croix-Rousse; "
        + "Marseille, Bouches-du-Rhône, Le Panier",
      women: "Chloé Zoé Anaïs Inès Maëlys Aïcha", men: "Théo Loïc François Mehdi Rémi Noé",
      families: "Lefèvre Dupont Bénard L'Hostis Traoré Garçon"),
    Culture(
      "United Kingdom", "English", weight: 5, utc: 0,
      places: "London, England, Peckham, Hackney, Camden; Glasgow, Scotland, Partick; "
        + "Manchester, England, Chorlton; Cardiff, Wales, Canton",
      women: "Isla Poppy Niamh Freya Zara Imogen", men: "Oliver Alfie Callum Rhys Mohammed Harry",
      families: "Smith MacDonald Patel Jones-Evans O'Neill Begum"),
    Culture(
      "Spain", "Spanish", weight: 4, utc: 1,
      places: "Madrid, Madrid, Lavapiés, Chamberí; Barcelona, Cataluña, Gràcia; "
        + "Sevilla, Andalucía, Triana",
      women: "Lucía Nerea Ainhoa Marta Inés", men: "Álvaro Íñigo Pablo Raúl Jordi",
      families: "García Ibáñez Martínez Núñez Puig"),
    Culture(
      "Italy", "Italian", weight: 3, utc: 1,
      places: "Roma, Lazio, Trastevere, Pigneto; Milano, Lombardia, Navigli; "
        + "Napoli, Campania, Vomero",
      women: "Giulia Chiara Noemi Ilaria", men: "Niccolò Luca Matteo Davide",
      families: "Rossi D'Angelo Esposito Ferrari"),
    Culture(
      "Turkey", "Turkish", weight: 6, utc: 3,
      places: "İstanbul, İstanbul, Kadıköy, Beşiktaş; Ankara, Ankara, Çankaya; "
        + "İzmir, İzmir, Alsancak",
      women: "Ayşe Zeynep Elif Gülşen Işıl", men: "Mehmet Oğuz Çağrı Emre İlker",
      families: "Yıldız Demir Öztürk Şahin Kılıç"),
    Culture(
      "Ukraine", "Ukrainian", weight: 4, utc: 2,
      places: "Київ, Kyiv, Поділ, Оболонь; Львів, Lviv, Сихів; Одеса, Odesa, Аркадія",
      women: "Оксана Софія Юлія Дарина Ганна", men: "Тарас Богдан Олексій Іван Андрій",
      families: "Шевченко Коваль Бондаренко Мельник"),
    Culture(
      "Greece", "Greek", weight: 2, utc: 2,
      places: "Αθήνα, Attica, Εξάρχεια, Κουκάκι; Θεσσαλονίκη, Central Macedonia, Λαδάδικα",
      women: "Ελένη Μαρία Κατερίνα Δέσποινα", men: "Γιώργος Νίκος Δημήτρης Κώστας",
      families: "Παπαδόπουλος Νικολάου Γεωργίου"),
    Culture(
      "Poland", "Polish", weight: 3, utc: 1,
      places: "Warszawa, Mazowieckie, Praga, Wola; Kraków, Małopolskie, Kazimierz; "
        + "Łódź, Łódzkie, Widzew",
      women: "Zofia Małgorzata Agnieszka Łucja", men: "Paweł Michał Łukasz Jan",
      families: "Wójcik Kowalski Dąbrowska Zieliński"),
    Culture(
      "Nigeria", "English", weight: 5, utc: 1,
      places: "Lagos, Lagos, Yaba, Surulere; Abuja, FCT, Wuse; Ibadan, Oyo, Bodija",
      women: "Chiamaka Adaeze Folake Ngozi Zainab", men: "Chinedu Tunde Emeka Ibrahim Olumide",
      families: "Okafor Adéyemí Balogun Nwosu Bello"),
  ]
}
