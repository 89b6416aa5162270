import Model

/// Counts the events and the people of each part of the app on the last days of a history: docs/findings.md#stopped.
struct PartCount {
  private let details: RawStatement
  private let users: RawStatement
  /// The first day that is counted.
  private let firstDay: Int
  private let dayCount: Int
  /// Parts by the bytes of their names, kind by kind, so that a name is read once.
  private var places: [AppPart.Kind: [[UInt8]: Int]] = [:]
  private var parts: [AppPart] = []
  private var events: [[Int]] = []
  private var people: [[Int]] = []
  /// The places of the parts that each person belongs to on the day at hand.
  private var told: [[Int]] = []
  /// The place of a person's language, by person; nil for who names none.
  private var languages: [Int: Int?] = [:]

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
    event id: Int64, of person: Int, on day: DayCount.Place, _ ids: StringInterner
  ) throws {
    guard day.day >= firstDay else { return }
    while told.count <= person { told.append([]) }
    if day.isFirst {
      try details.bind(id, at: 1)
      _ = try details.step()
      let places = [
        place(.country, details.text(column: 0)), place(.version, details.text(column: 1)),
      ]
      details.reset()
      told[person] = (places + [try language(of: person, ids)]).compactMap(\.self)
      for place in told[person] { people[place][day.day - firstDay] += 1 }
    }
    for place in told[person] { events[place][day.day - firstDay] += 1 }
  }

  /// By part, what is known of each day that is counted, oldest first.
  var days: [AppPart: AppPart.Days] {
    Dictionary(
      uniqueKeysWithValues: zip(
        parts, zip(events, people).map { AppPart.Days(events: $0, people: $1) }))
  }

  private mutating func language(of person: Int, _ ids: StringInterner) throws -> Int? {
    if let known = languages[person] { return known }
    var id = ids[person]
    let found: Int? = try id.withUTF8 { bytes in
      defer { users.reset() }
      try users.bind(text: UnsafeRawBufferPointer(bytes), at: 1)
      return try users.step() ? place(.language, users.text(column: 0)) : nil
    }
    languages[person] = .some(found)
    return found
  }

  /// Nil for a part without a name.
  private mutating func place(_ kind: AppPart.Kind, _ name: UnsafeRawBufferPointer) -> Int? {
    guard !name.isEmpty else { return nil }
    let bytes = [UInt8](name)
    if let known = places[kind]?[bytes] { return known }
    places[kind, default: [:]][bytes] = parts.count
    parts.append(AppPart(kind, String(decoding: bytes, as: UTF8.self)))
    events.append([Int](repeating: 0, count: dayCount))
    people.append([Int](repeating: 0, count: dayCount))
    return parts.count - 1
  }
}
