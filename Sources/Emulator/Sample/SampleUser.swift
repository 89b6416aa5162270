import Firestore
import Model

/// A user of the sample app, without flaws.
struct SampleUser: Sendable {
  var id: String
  var name: String
  var isFemale: Bool
  var age: Int
  var country: String
  var language: String
  var place: SampleLocale.Town
  var area: String
  var utcOffsetHours: Int
  var lastSeenAt: Instant
  var appVersion: String
  var deviceId: String
  var deviceToken: String

  init(now: Instant, random: inout SeededRandom) {
    let cultures = SampleLocale.all
    let culture = cultures[random.index(weights: cultures.map(\.weight))]
    id = random.token(28)
    isFemale = random.chance(42)
    name = SampleUser.name(in: culture, isFemale: isFemale, random: &random)
    age = SampleUser.age(random: &random)
    country = culture.country
    language = random.chance(88) ? culture.language : "English"
    let nowhere = SampleLocale.Town(city: "", state: "", areas: [])
    place = random.pick(culture.places, or: nowhere)
    area = random.chance(70) ? random.pick(place.areas, or: "") : ""
    utcOffsetHours = culture.utcOffsetHours
    lastSeenAt = SampleUser.lastSeen(
      before: now, utcOffsetHours: culture.utcOffsetHours, random: &random)
    appVersion = random.pick(["3.2.1", "3.2.1", "3.2.0", "3.1.4", "3.0.9"], or: "3.2.1")
    deviceId = random.token(16)
    deviceToken = random.token(40)
  }

  /// The document's fields as the app writes them.
  func fields(random: inout SeededRandom) -> [String: Value] {
    let seconds = lastSeenAt.unixSeconds
    var fields: [String: Value] = [
      "User_id": .string(id),
      "User_name": .string(name),
      "User_image": .string("https://example.com/avatars/\(id).jpg"),
      "User_gender": .string(isFemale ? "Female" : "Male"),
      "User_country": .string(country),
      "user_language": .string(language),
      "User_age": random.chance(4) ? .integer(Int64(age)) : .string("\(age)"),
      "User_device_id": .string(deviceId),
      "User_device_token": .string(deviceToken),
      "User_state": .string(place.state),
      "IamDecentTime": .integer(Int64(random.integer(0...40)) * 3600),
      "last_time_seen": random.chance(1)
        ? .integer(seconds) : .timestamp(Timestamp(microseconds: lastSeenAt.microseconds)),
    ]
    fields[random.chance(85) ? "user_city" : "User_city"] = .string(place.city)
    if !area.isEmpty { fields["User_area"] = .string(area) }
    for column in UserColumn.ofUsers.map(\.descriptor) {
      if let name = column.wireNames.first, let value = column.sampleValue { fields[name] = value }
    }
    return fields
  }

  private static func name(
    in culture: SampleLocale, isFemale: Bool, random: inout SeededRandom
  ) -> String {
    let given = random.pick(isFemale ? culture.women : culture.men, or: "Sam")
    let family = random.pick(culture.families, or: "Doe")
    switch random.integer(0...99) {
    case 0..<48: return given
    case 48..<78: return "\(given) \(family)"
    case 78..<88: return "\(given) \(family.prefix(1))."
    case 88..<93: return "\(given)\(random.integer(1...99))"
    case 93..<98: return given + random.pick([" 🌸", " 🔥", " ✨", " 😎", " 🦋"], or: " 🌸")
    default: return random.pick(["\(given) <3", "\(given) & co", "\"\(given)\""], or: given)
    }
  }

  /// An age from 18 to 70, mostly in the twenties.
  private static func age(random: inout SeededRandom) -> Int {
    let bands = [18...21, 22...25, 26...30, 31...35, 36...40, 41...50, 51...60, 61...70]
    let band = random.index(weights: [180, 240, 220, 140, 90, 80, 35, 15])
    return random.integer(bands[band])
  }

  /// A time within the last hour for a quarter, the last day for half, and up to four months ago.
  private static func lastSeen(
    before now: Instant, utcOffsetHours: Int, random: inout SeededRandom
  ) -> Instant {
    let spans = [(1, 600), (600, 3600), (3600, 86_400), (86_400, 604_800), (604_800, 2_592_000)]
    let span = random.index(weights: [13, 14, 27, 24, 16, 6])
    let (from, to) = span < spans.count ? spans[span] : (2_592_000, 10_368_000)
    var seen = now
    for _ in 0..<8 {
      let microseconds =
        Int64(random.integer(from...to)) * 1_000_000
        - Int64(random.integer(0...999_999))
      seen = now - .microseconds(microseconds)
      let hour = seen.localHour(utcOffsetHours: utcOffsetHours)
      if random.integer(1...12) <= DailyActivity.hours[hour] { break }
    }
    return seen
  }
}

extension UserColumnDescriptor {
  /// What the app writes into the column's field for every user of the sample; nil for none.
  fileprivate var sampleValue: Value? {
    switch sample {
    case .text(let text): .string(text)
    case .integer(let flag) where form == .flag: .boolean(flag != 0)
    case .integer(let number): .integer(number)
    case nil: nil
    }
  }
}

/// The flaws of a few documents in every real collection.
enum SampleFlaws {
  typealias UserFields = (id: String, fields: [String: Value])

  /// The minimum number of users for flaws.
  private static let smallest = 25

  /// Gives recently seen users, spread over the collection, one flaw each.
  static func apply(to users: inout [UserFields], now: Instant) {
    guard users.count >= smallest else { return }
    let flaws: [(inout UserFields) -> Void] = [
      { $0.fields["User_name"] = .string("") },
      { rename(&$0, to: "promo_ad_0017", isAd: true) },
      { rename(&$0, to: "x7", isAd: false) },
      { _ in },
      { $0.fields["User_age"] = .array([.string("27")]) },
      { $0.fields["last_time_seen"] = .string("yesterday") },
    ]
    for (position, flaw) in flaws.enumerated() {
      let index = position * users.count / flaws.count + 3
      let minutes = Int64(7 * position + 5)
      users[index].fields["last_time_seen"] = time(now - .seconds(minutes * 60))
      flaw(&users[index])
    }
    let future = 3 * users.count / flaws.count + 3
    users[future].fields["last_time_seen"] = time(now + .seconds(2 * 86_400))
  }

  private static func rename(_ user: inout UserFields, to id: String, isAd: Bool) {
    user.id = id
    user.fields["User_id"] = .string(id)
    user.fields["isAd"] = .boolean(isAd)
  }

  private static func time(_ instant: Instant) -> Value {
    .timestamp(Timestamp(microseconds: instant.microseconds))
  }
}
