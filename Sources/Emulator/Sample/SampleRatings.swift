package import Model

/// Ratings and feedback of the sample app's users.
struct SampleRatings {
  let story: SampleStory
  private(set) var random: SeededRandom

  /// One feedback per text, at most one per user; oldest first, at different seconds.
  mutating func feedback(of users: [SampleUser]) -> [Feedback] {
    var free = users
    var seconds: Set<Int64> = []
    var feedback: [Feedback] = []
    for text in FeedbackText.all {
      guard let user = take(from: &free, speaking: text.language) else { break }
      var at = moment(days: story.days).unixSeconds
      while !seconds.insert(at).inserted { at -= 1 }
      feedback.append(self.feedback(text.text, stars: text.stars, by: user, at: at))
    }
    return feedback.sorted { $0.timestamp < $1.timestamp }
  }

  /// The events of ratings without feedback: four and five stars.
  mutating func ratingEvents(of users: [SampleUser]) -> [Event] {
    guard !story.isEventful else { return storyEvents(of: users) }
    var events: [Event] = []
    for user in users where random.chance(24) {
      let stars = 4 + random.index(weights: [38, 62])
      events.append(event(by: user, at: moment(days: story.days), stars: stars))
      guard random.chance(25) else { continue }
      let tries = random.integer(0...1)
      events.append(event(by: user, at: events[events.count - 1].at, stars: stars, after: tries))
    }
    return events
  }

  func ratingEvents(of feedback: [Feedback]) -> [Event] {
    feedback.map { feedback in
      Event(
        name: "app_events", at: Instant(unixSeconds: feedback.timestamp), userId: feedback.userId,
        parameters: ["rating_\(SampleApp.name)_\(feedback.stars)": .integer(1)],
        country: feedback.country, appVersion: feedback.appVersion)
    }
  }

  private func event(
    by user: SampleUser, at: Instant, stars: Int, after tries: Int? = nil
  ) -> Event {
    let key = "rating_\(SampleApp.name)_\(stars)" + (tries.map { "_after_\($0)" } ?? "")
    return Event(
      name: "app_events", at: at, userId: user.id, parameters: [key: .integer(1)],
      country: user.country, appVersion: story.version(of: user, at: at))
  }

  private mutating func moment(days: Int) -> Instant {
    story.end - .seconds(random.integer(120...(days * 86_400 - 1)))
  }

  private func feedback(_ text: String, stars: Int, by user: SampleUser, at: Int64) -> Feedback {
    Feedback(
      userId: user.id, gender: user.isFemale ? "Female" : "Male", country: user.country,
      appVersion: story.version(of: user, at: Instant(unixSeconds: at)), text: text,
      timestamp: at, stars: stars)
  }

  /// Removes a user of that language, or any user when there is none; nil when no user is left.
  private mutating func take(
    from users: inout [SampleUser], speaking language: String
  ) -> SampleUser? {
    let speakers = users.indices.filter { users[$0].language == language }
    let candidates = speakers.isEmpty ? Array(users.indices) : speakers
    return candidates.randomElement(using: &random).map { users.remove(at: $0) }
  }

  /// What users of the release that crashes wrote of it; none in a calm story.
  mutating func crashes(of users: [SampleUser], besides others: [Feedback]) -> [Feedback] {
    guard story.isEventful else { return [] }
    let writers = Set(others.map(\.userId))
    var seconds = Set(others.map(\.timestamp))
    var free = users.filter { $0.rank < 20 && !writers.contains($0.id) }[...]
    return FeedbackText.crashes.compactMap { text in
      guard let user = free.popFirst() else { return nil }
      var at = (story.end - .seconds(random.integer(600...(2 * 86_400)))).unixSeconds
      while !seconds.insert(at).inserted { at -= 1 }
      return feedback(text.text, stars: text.stars, by: user, at: at)
    }
  }

  /// Ratings over all days, and some more once the release is out.
  private mutating func storyEvents(of users: [SampleUser]) -> [Event] {
    var events: [Event] = []
    for user in users {
      let isAsked = random.chance(75)
      let at = moment(days: story.days)
      let late = story.end - .seconds(random.integer(120...story.releaseSeconds))
      for at in (isAsked ? [at] : []) + (random.chance(5) ? [late] : []) {
        let weights = story.starWeights(of: story.version(of: user, at: at))
        let stars = 1 + random.index(weights: weights)
        events.append(event(by: user, at: at, stars: stars))
        guard stars > 3, random.chance(25) else { continue }
        events.append(event(by: user, at: at, stars: stars, after: random.integer(0...1)))
      }
    }
    return events
  }
}

/// The feedback texts of the sample app; 10 to 500 characters.
enum FeedbackText {
  /// The language is an English ISO 639 name.
  typealias Entry = (stars: Int, language: String, text: String)

  static let all: [Entry] = english + european + asian

  /// What the release that crashes is told.
  static let crashes: [Entry] = [
    (1, "English", "3.3.0 crashes as soon as I open a chat. Every single time."),
    (1, "English", "It crashes on start since the update. Please roll it back!"),
    (2, "English", "Crashes whenever I send a photo, was fine last week."),
    (1, "English", "Crash, restart, crash. I cannot read my messages any more."),
    (2, "English", "The new version keeps crashing on my iPhone 13."),
    (1, "English", "Crashed four times today. What did you change?"),
    (2, "English", "Looks nicer, but it crashes when I tap search."),
    (1, "German", "Seit 3.3.0 nur noch Abstürze beim Öffnen eines Chats."),
    (1, "Spanish", "La app se cierra sola desde la última actualización."),
    (2, "French", "L'appli plante à chaque photo depuis la mise à jour."),
    (1, "English", "Crashes in the background, so no notifications arrive."),
    (1, "English", "I paid for Lite and now it crashes all day."),
    (2, "English", "Please fix the crashes, I love this app otherwise."),
    (1, "English", "Update made it unusable: crashes after ten seconds."),
  ]

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

/// App Store reviews of the sample app in three countries.
package enum SampleReviews {
  /// The App Store id of the sample app; smaller than Apple's ids.
  package static let appId = 1_000_042
  package static let countries = ["us", "gb", "de"]

  private static let days = 90
  private static let texts: [(stars: Int, title: String, text: String)] = [
    (5, "Met my best friend here", "Three years later we still write every day."),
    (5, "Simple and friendly", "No clutter, nice people, and it just works."),
    (5, "Lite is worth it", "Paid once & never looked at the timer again."),
    (4, "Almost perfect", "Great app. Voice messages would make it five stars."),
    (4, "Good", "Filters by language are <really> useful."),
    (3, "Okay", "Nice people, but the list needs a refresh too often."),
    (2, "Used to be better", "Since the last update messages come late."),
    (1, "That timer!", "Two minutes of waiting for one refresh. Uninstalled."),
    (1, "Crashes", "Closes by itself as soon as I open a photo."),
    (5, "Sehr schön", "Nette Leute, und endlich eine App ohne Werbung im Chat."),
  ]

  /// The reviews of the last ninety days, in no particular order; deterministic for a seed.
  package static func all(seed: UInt64, now: Instant) -> [AppReview] {
    var random = SeededRandom(seed: seed, stream: 3)
    let counts = [("us", 84), ("gb", 23), ("de", 31)]
    return counts.flatMap { country, count in
      (0..<count).map { number in review(number, in: country, now: now, &random) }
    }
  }

  private static func review(
    _ number: Int, in country: String, now: Instant, _ random: inout SeededRandom
  ) -> AppReview {
    let words = texts[
      random.index(weights: [14, 12, 9, 11, 9, 8, 7, 8, 5, country == "de" ? 9 : 0])]
    let age = Duration.seconds(random.integer(600...(days * 86_400)))
    return AppReview(
      id: "\(1_200_000_000 + random.integer(0...8_999_999) * 100 + number)", appId: appId,
      country: country, stars: words.stars,
      version: random.pick(["3.2.1", "3.2.1", "3.2.0", "3.1.4"], or: "3.2.1"),
      author: "\(random.pick(["night", "tea", "blue", "jo", "mika", "sol"], or: "jo"))\(number)",
      title: words.title, text: words.text,
      updatedAt: Instant(unixSeconds: (now - age).unixSeconds))
  }
}
