extension Culture {
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
