import Model

/// Counts feature events by quarter of an hour, feature, kind and segment, as they come in time.
struct BucketCounter {
  typealias Text = UnsafeRawBufferPointer

  /// What the names of an event say.
  struct EventKey {
    let feature: Feature
    let kind: EventKind
    let userType: UserType?
    /// Its place among those that were met.
    fileprivate let number: Int

    fileprivate var order: (String, String, String) {
      (feature.rawValue, kind.rawValue, userType?.rawValue ?? "")
    }
  }

  private static let spans: [UsageData.Span] = [.period, .before, .other]

  /// The names of the few keys that were met, one after the other, and the keys by their numbers.
  private let names = StringInterner()
  private var met: [EventKey] = []
  /// Those that were met, by their names.
  private var sorted: [EventKey] = []
  /// The names of the event at hand, one after the other.
  private var joined: [UInt8] = []
  /// How often each came in the present quarter, span by span.
  private var counts: [Int] = []
  private var quarter: Int64?
  /// By time and then by the names.
  private(set) var buckets: [UsageData.Bucket] = []

  static let quarterMicroseconds: Int64 = 900_000_000

  /// Counts an event in its quarter.
  ///
  /// - Precondition: no event before came later.
  mutating func add(at microseconds: Int64, _ key: EventKey, in span: UsageData.Span) {
    let quarter = Self.quarter(of: microseconds)
    if quarter != self.quarter {
      finish()
      self.quarter = quarter
    }
    counts[key.number * Self.spans.count + span.rawValue] += 1
  }

  /// What these names say; the user type has no bytes for NULL.
  mutating func key(_ feature: Text, _ kind: Text, _ userType: Text) throws -> EventKey {
    joined.removeAll(keepingCapacity: true)
    joined += feature
    joined.append(0)
    joined += kind
    joined.append(0)
    joined += userType
    let number = joined.withUnsafeBytes { names.number(of: $0) }
    guard number == met.count else { return met[number] }
    let key = EventKey(
      feature: try Self.choice(feature, "feature"), kind: try Self.choice(kind, "kind"),
      userType: userType.isEmpty ? nil : try Self.choice(userType, "user_type"),
      number: number)
    met.append(key)
    sorted = met.sorted { $0.order < $1.order }
    counts += Self.spans.map { _ in 0 }
    return key
  }

  /// The quarter that the instant lies in, counted from 1970; negative before it.
  static func quarter(of microseconds: Int64) -> Int64 {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: quarterMicroseconds)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Ends the last quarter, also after all events.
  mutating func finish() {
    guard let quarter else { return }
    for span in Self.spans {
      for key in sorted {
        let place = key.number * Self.spans.count + span.rawValue
        guard counts[place] > 0 else { continue }
        buckets.append(
          UsageData.Bucket(
            startsAtSeconds: quarter * 900, feature: key.feature, kind: key.kind,
            userType: key.userType, count: counts[place], span: span))
        counts[place] = 0
      }
    }
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ text: Text, _ column: String
  ) throws -> Choice {
    let text = String(decoding: text, as: UTF8.self)
    guard let choice = Choice(rawValue: text) else {
      throw UnreadableCell(table: "events", column: column, value: text)
    }
    return choice
  }
}

/// Counts distinct users in spans that may overlap.
struct SpanCount {
  private let spans: [Range<Int64>]
  /// By the number of the user: a bit for each span in which the user was met.
  private var met: [UInt8] = []
  private(set) var counts: [Int]

  /// - Precondition: there are at most 8 spans.
  init(_ spans: [Range<Int64>]) {
    precondition(spans.count <= UInt8.bitWidth, "a user has a bit for each span")
    self.spans = spans
    counts = [Int](repeating: 0, count: spans.count)
  }

  mutating func add(_ user: Int, at microseconds: Int64) {
    while met.count <= user { met.append(0) }
    for (index, span) in spans.enumerated() where span.contains(microseconds) {
      let bit: UInt8 = 1 << index
      guard met[user] & bit == 0 else { continue }
      met[user] |= bit
      counts[index] += 1
    }
  }
}

/// Counts feature events by civil day, and people once a day, as the events come in time.
struct DayCount {
  private struct User {
    /// Indices of the last days on which the user was active, and was blocked; -1 for none.
    var activeDay: Int32 = -1
    var blockedDay: Int32 = -1
    /// Events of the active day.
    var events = 0
    var wasFree = false
    var hasSubscribed = false
  }

  struct Place {
    let day: Int
    /// Whether the user has no earlier event on that day.
    let isFirst: Bool
  }

  private(set) var days: [DayFacts]
  /// Index of the day at hand.
  private var day = 0
  /// By the number of the user.
  private var users: [User] = []
  /// The users of the day at hand.
  private var active: [Int] = []

  /// Days that follow each other, oldest first.
  init(_ days: [DayFacts]) {
    self.days = days
  }

  /// From the first instant to the one after the last; nil without days.
  var span: Range<Instant>? {
    guard let first = days.first, let last = days.last else { return nil }
    return first.start..<last.end
  }

  /// Counts an event; `user` is nil for an event that names none.
  ///
  /// - Precondition: no event before came later.
  /// - Returns: nil for an event outside the days, or without a user.
  mutating func add(
    _ user: Int?, _ key: BucketCounter.EventKey, at microseconds: Int64
  ) -> Place? {
    guard let day = index(of: microseconds) else { return nil }
    days[day].totals.add(key.kind, by: key.userType)
    guard let user else { return nil }
    while users.count <= user { users.append(User()) }
    var seen = users[user]
    let isFirst = seen.activeDay != day
    if isFirst {
      if seen.activeDay < 0 { days[day].newcomers += 1 }
      seen.activeDay = Int32(day)
      seen.events = 0
      active.append(user)
      days[day].activeUsers += 1
    }
    seen.events += 1
    if key.kind.isBlocked, seen.blockedDay != day {
      seen.blockedDay = Int32(day)
      days[day].blockedUsers += 1
    }
    if key.userType == .liteSubscriber {
      if seen.wasFree, !seen.hasSubscribed { days[day].newSubscribers += 1 }
      seen.hasSubscribed = true
    } else if key.userType != nil {
      seen.wasFree = true
    }
    users[user] = seen
    return Place(day: day, isFirst: isFirst)
  }

  /// Ends the last day, also after all events.
  mutating func finish() {
    guard !active.isEmpty else { return }
    days[day].spread = EventSpread(of: active.map { users[$0].events })
    active = []
  }

  /// Nil for an instant outside the days.
  private mutating func index(of microseconds: Int64) -> Int? {
    while day < days.count, days[day].end.microseconds <= microseconds {
      finish()
      day += 1
    }
    guard day < days.count, days[day].start.microseconds <= microseconds else { return nil }
    return day
  }
}

/// Counts the events and the people of each part of the app on the last days of a history:
/// docs/findings.md#stopped.
struct PartCount {
  /// The places of the parts that a person belongs to; nil for one without a name.
  private struct Person {
    /// On the day at hand.
    var country: Int?
    var version: Int?
    /// Nil until it was read.
    var language: Int??
  }

  private enum Column {
    static let count = 2 + 2 * Feature.allCases.count

    case events, people
    case taps(Feature)
    case performed(Feature)

    var position: Int {
      switch self {
      case .events: 0
      case .people: 1
      case .taps(let feature): 2 + 2 * feature.position
      case .performed(let feature): 3 + 2 * feature.position
      }
    }
  }

  private let details: RawStatement
  private let users: RawStatement
  /// The first day that is counted.
  private let firstDay: Int
  private let dayCount: Int
  /// Parts by the bytes of their names, kind by kind, so that a name is read once.
  private var places: [AppPart.Kind: [[UInt8]: Int]] = [:]
  private var parts: [AppPart] = []
  /// Part by part, column by column, day by day.
  private var counts: [Int] = []
  /// By their numbers.
  private var people: [Person] = []

  /// `dayCount` is the number of days of the history.
  init(_ reader: Reader, dayCount: Int) throws {
    firstDay = max(0, dayCount - UsageData.partDays)
    self.dayCount = min(dayCount, UsageData.partDays)
    details = try RawStatement(
      reader.database, sql: "SELECT country, app_version FROM events WHERE id = ?1")
    users = try RawStatement(
      reader.database, sql: "SELECT user_language FROM OnlineUsers WHERE user_id = ?1")
  }

  /// Counts an event of a person; the first of their day tells the parts that they belong to.
  mutating func add(
    event id: Int64, _ key: BucketCounter.EventKey, of person: Int, on day: DayCount.Place,
    _ ids: StringInterner
  ) throws {
    guard day.day >= firstDay else { return }
    while people.count <= person { people.append(Person()) }
    if day.isFirst {
      defer { details.reset() }
      try details.bind(id, at: 1)
      _ = try details.step()
      people[person].country = place(.country, details.text(column: 0))
      people[person].version = place(.version, details.text(column: 1))
      if people[person].language == nil {
        people[person].language = .some(try language(of: ids[person]))
      }
    }
    let parts = people[person]
    count(key, on: day, of: parts.country)
    count(key, on: day, of: parts.version)
    count(key, on: day, of: parts.language ?? nil)
  }

  /// By part, what is known of each day that is counted, oldest first.
  var days: [AppPart: AppPart.Days] {
    let numbered = parts.enumerated().map { place, part in
      func column(_ column: Column) -> [Int] {
        let first = index(of: column, of: place)
        return Array(counts[first..<first + dayCount])
      }
      var days = AppPart.Days(days: dayCount)
      days.events = column(.events)
      days.people = column(.people)
      days.taps = Feature.allCases.map { column(.taps($0)) }
      days.performed = Feature.allCases.map { column(.performed($0)) }
      return (part, days)
    }
    return Dictionary(uniqueKeysWithValues: numbered)
  }

  private func index(of column: Column, of place: Int) -> Int {
    (place * Column.count + column.position) * dayCount
  }

  private mutating func count(
    _ key: BucketCounter.EventKey, on day: DayCount.Place, of place: Int?
  ) {
    guard let place else { return }
    let offset = day.day - firstDay
    counts[index(of: .events, of: place) + offset] += 1
    if day.isFirst { counts[index(of: .people, of: place) + offset] += 1 }
    switch key.kind {
    case .buttonTapped: counts[index(of: .taps(key.feature), of: place) + offset] += 1
    case .performed: counts[index(of: .performed(key.feature), of: place) + offset] += 1
    default: break
    }
  }

  private mutating func language(of id: String) throws -> Int? {
    defer { users.reset() }
    try users.bind(copyOf: id, at: 1)
    return try users.step() ? place(.language, users.text(column: 0)) : nil
  }

  /// Nil for a part without a name.
  private mutating func place(_ kind: AppPart.Kind, _ name: UnsafeRawBufferPointer) -> Int? {
    guard !name.isEmpty else { return nil }
    let bytes = [UInt8](name)
    if let known = places[kind]?[bytes] { return known }
    places[kind, default: [:]][bytes] = parts.count
    parts.append(AppPart(kind, String(decoding: bytes, as: UTF8.self)))
    counts += repeatElement(0, count: Column.count * dayCount)
    return parts.count - 1
  }
}
