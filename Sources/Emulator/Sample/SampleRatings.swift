import Model

/// Ratings and feedback of the sample app's users.
struct SampleRatings {
  private let appName: String
  private let now: Instant
  private var random: SeededRandom

  init(appName: String, now: Instant, random: SeededRandom) {
    self.appName = appName
    self.now = now
    self.random = random
  }

  /// One feedback per text, at most one per user; oldest first, at different seconds.
  mutating func feedback(of users: [SampleUser]) -> [Feedback] {
    var free = users
    var seconds: Set<Int64> = []
    var feedback: [Feedback] = []
    for text in FeedbackText.all {
      guard let user = take(from: &free, speaking: text.language) else { break }
      var at = moment().unixSeconds
      while !seconds.insert(at).inserted { at -= 1 }
      feedback.append(
        Feedback(
          userId: user.id, gender: user.isFemale ? "Female" : "Male", country: user.country,
          appVersion: user.appVersion, text: text.text, timestamp: at, stars: text.stars))
    }
    return feedback.sorted { $0.timestamp < $1.timestamp }
  }

  /// The events of ratings without feedback: four and five stars.
  mutating func ratingEvents(of users: [SampleUser]) -> [Event] {
    var events: [Event] = []
    for user in users where random.chance(24) {
      let stars = 4 + random.index(weights: [38, 62])
      events.append(event(by: user, at: moment(), stars: stars))
      guard random.chance(25) else { continue }
      let tries = random.integer(0...1)
      events.append(event(by: user, at: events[events.count - 1].at, stars: stars, after: tries))
    }
    return events
  }

  /// The rating events of the feedback.
  func ratingEvents(of feedback: [Feedback]) -> [Event] {
    feedback.map { feedback in
      Event(
        name: "app_events", at: Instant(unixSeconds: feedback.timestamp), userId: feedback.userId,
        parameters: ["rating_\(appName)_\(feedback.stars)": .integer(1)],
        country: feedback.country, appVersion: feedback.appVersion)
    }
  }

  private func event(
    by user: SampleUser, at: Instant, stars: Int, after tries: Int? = nil
  ) -> Event {
    let key = "rating_\(appName)_\(stars)" + (tries.map { "_after_\($0)" } ?? "")
    return Event(
      name: "app_events", at: at, userId: user.id, parameters: [key: .integer(1)],
      country: user.country, appVersion: user.appVersion)
  }

  private mutating func moment() -> Instant {
    now - .seconds(random.integer(120...(SampleApp.days * 86_400 - 1)))
  }

  /// Removes a user of that language, or any user when there is none; nil when no user is left.
  private mutating func take(
    from users: inout [SampleUser], speaking language: String
  ) -> SampleUser? {
    let speakers = users.indices.filter { users[$0].language == language }
    let candidates = speakers.isEmpty ? Array(users.indices) : speakers
    return candidates.randomElement(using: &random).map { users.remove(at: $0) }
  }
}

/// The feedback texts of the sample app; 10 to 500 characters.
enum FeedbackText {
  /// The language is an English ISO 639 name.
  typealias Entry = (stars: Int, language: String, text: String)

  static let all: [Entry] = english + european + asian

  private static let english: [Entry] = [
    (1, "English", "Only 3 refreshes and then I have to stare at a timer. Deleting it."),
    (1, "English", "Crashes every time I open a chat with more than a few photos."),
    (1, "English", "Half of the profiles are ads. I came here to talk to people."),
    (1, "English", "Charged twice for Lite and nobody answers support mails!!"),
    (1, "English", "I set the filter to Women 25-30 <b>and</b> still see everyone."),
    (2, "English", "Nice idea, but messages arrive ten minutes late on mobile data."),
    (2, "English", "\"Online now\" means last week, apparently. Please fix the list."),
    (2, "English", "The countdown restarts when I switch apps & I lose my free search."),
    (2, "English", "Dark mode is unreadable: grey text on a slightly darker grey."),
    (2, "English", "Too expensive for what it does. $2.99 a WEEK?"),
    (3, "English", "Good people here, but the nearby filter never finds my city."),
    (3, "English", "Works fine on my iPad, keeps freezing on my iPhone 11 😕"),
    (3, "English", "Would be five stars with voice messages."),
    (3, "English", "It's okay. Let me hide my age please, and sort the list by distance."),
    (3, "English", "Love the new design, hate that search is limited to two names."),
  ]

  private static let european: [Entry] = [
    (1, "German", "Ständig Abstürze seit dem letzten Update. Bitte dringend beheben!"),
    (3, "German", "Eigentlich ganz nett, aber die Wartezeit beim Aktualisieren nervt."),
    (2, "French", "L'appli se ferme toute seule dès que je reçois un message…"),
    (3, "French", "Pas mal, mais il manque un vrai filtre par ville."),
    (1, "Spanish", "No puedo iniciar sesión desde ayer, ¿qué pasa?"),
    (2, "Spanish", "Demasiados perfiles falsos. Deberían verificar las fotos."),
    (3, "Spanish", "Está bien, pero la versión gratis es muy limitada."),
    (2, "Spanish", "Las notificaciones llegan tarde o no llegan nunca."),
    (1, "Portuguese", "Paguei o Lite e continuo vendo o contador. Quero meu dinheiro!"),
    (3, "Portuguese", "Gosto do app, só falta poder bloquear gente chata 🙏"),
    (2, "Portuguese", "Trava muito no meu celular, principalmente à noite."),
    (2, "Italian", "Bella idea però consuma troppa batteria."),
    (3, "Turkish", "Güzel uygulama ama arama hakkı çok az, lütfen artırın."),
    (1, "Turkish", "Sürekli donuyor, mesajlarım kayboldu!"),
    (2, "Ukrainian", "Фільтр за містом не працює, показує людей з іншої країни."),
    (3, "Polish", "Całkiem dobra, ale brakuje polskich powiadomień."),
    (2, "Greek", "Αργεί πολύ να φορτώσει η λίστα των χρηστών."),
  ]

  private static let asian: [Entry] = [
    (1, "Hindi", "ऐप बार-बार बंद हो जाता है, कृपया ठीक करें।"),
    (3, "Hindi", "अच्छा है लेकिन मुफ़्त में बहुत कम रिफ्रेश मिलते हैं।"),
    (2, "Indonesian", "Kenapa harus nunggu 2 menit cuma buat refresh? Ribet."),
    (3, "Japanese", "使いやすいですが、検索の回数制限がきついです。改善をお願いします。"),
    (2, "Korean", "알림이 너무 늦게 와요. 빨리 고쳐 주세요."),
    (1, "Arabic", "التطبيق يتوقف فجأة كلما فتحت المحادثات."),
    (3, "Arabic", "جيد لكن أتمنى إضافة إخفاء العمر والمدينة."),
    (2, "Urdu", "فلٹر لگانے کے بعد بھی غلط لوگ نظر آتے ہیں۔"),
    (3, "Thai", "แอปดีนะ แต่ต้องรอนานเกินไปกว่าจะรีเฟรชได้อีก"),
    (2, "Hebrew", "האפליקציה איטית מאוד מאז העדכון האחרון."),
    (3, "Filipino", "Okay naman, pero sana libre ang paghahanap ng pangalan."),
  ]
}
