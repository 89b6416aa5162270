import Model

/// Counts the events and the people of each part of the app on the last days of a history:
/// docs/findings.md#stopped.
struct PartCount {
  /// The places of the parts that a person belongs to; nil for one without a name.
  private struct Person {
    /// On the day at hand.
    var country: Int?
    var version: Int?
    var platform: Int?
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
      people[person].platform = place(.platform, key.platform)
      if people[person].language == nil {
        people[person].language = .some(try language(of: ids[person]))
      }
    }
    let parts = people[person]
    count(key, on: day, of: parts.country)
    count(key, on: day, of: parts.version)
    count(key, on: day, of: parts.platform)
    count(key, on: day, of: parts.language ?? nil)
  }

  /// Counts what a person did on a day, as all of their events would.
  mutating func add(_ row: PersonDayRow, on day: Int, _ ids: StringInterner) throws {
    guard day >= firstDay else { return }
    while people.count <= row.person { people.append(Person()) }
    if people[row.person].language == nil {
      people[row.person].language = .some(try language(of: ids[row.person]))
    }
    let parts = [
      place(.country, row.country), place(.version, row.version), place(.platform, row.platform),
      people[row.person].language ?? nil,
    ]
    for case let part? in parts {
      func add(_ count: Int, to column: Column) {
        counts[index(of: column, of: part) + day - firstDay] += count
      }
      add(row.events, to: .events)
      add(1, to: .people)
      for feature in Feature.allCases {
        add(row.taps(feature), to: .taps(feature))
        add(row.performed(feature), to: .performed(feature))
      }
    }
  }

  /// By part, what is known of each day that is counted, oldest first; the only platform is no part.
  var days: [AppPart: AppPart.Days] {
    let hasPlatforms = parts.count { $0.kind == .platform } > 1
    let numbered = parts.enumerated().filter { hasPlatforms || $1.kind != .platform }.map {
      place, part in
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

  private mutating func place(_ kind: AppPart.Kind, _ name: String) -> Int? {
    var name = name
    return name.withUTF8 { place(kind, UnsafeRawBufferPointer($0)) }
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
