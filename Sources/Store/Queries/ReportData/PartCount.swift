import Model

/// Counts the events and the people of each part of the app on the last days of a history:
/// docs/findings.md#stopped.
struct PartCount {
  /// What one person did on a day, and the places of the parts that they belong to then; nil for
  /// one without a name.
  struct Seen {
    let person: Int
    let country: Int?
    var language: Int?
    let version: Int?
    let platform: Int?
    let type: UserType?
    let flags: PersonDay.Flags
    let events: Int
    let taps: Int
    let freeTaps: Int
    let performed: Int
    let featureTaps: SIMD8<UInt32>
    let featurePerformed: SIMD8<UInt32>
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

  private let users: RawStatement
  /// The first day that is counted.
  private let firstDay: Int
  private let dayCount: Int
  /// Kind by kind, the names that were met, and the places of their parts.
  private let names = AppDimension.Kind.allCases.map { _ in StringInterner() }
  private var places: [[Int]] = AppDimension.Kind.allCases.map { _ in [] }
  private var parts: [AppDimension] = []
  /// Part by part, column by column, day by day.
  private var counts: [Int] = []
  /// The place of each person's language, by their number; nil until it was read.
  private var languages: [Int??] = []
  private var shareCount: ShareCount
  private var periodUse: PeriodUse
  /// The day at hand, while events are counted, and its people.
  private var day = 0
  private var people: PersonDays

  /// `dayCount` is the number of days of the history, `period` those that the period touches.
  init(_ reader: Reader, dayCount: Int, period: Range<Int>) throws {
    periodUse = PeriodUse(days: period)
    firstDay = max(0, dayCount - UsageData.partDays)
    self.dayCount = min(dayCount, UsageData.partDays)
    shareCount = ShareCount(dayCount: self.dayCount)
    people = try PersonDays(reader)
    users = try RawStatement(
      reader.database, sql: "SELECT user_language FROM OnlineUsers WHERE user_id = ?1")
  }

  /// Counts an event of a person; the first of their day determines the parts that they belong to.
  mutating func add(
    event id: Int64, _ key: BucketCounter.EventKey, of person: Int, at: Int64,
    on day: DayCount.Place, _ ids: StringInterner
  ) throws {
    if day.day != self.day {
      try finish(ids)
      self.day = day.day
    }
    let place = try people.place(of: person, event: id, key, at: at)
    let use = PeopleCount.Use(at: at, kind: key.kind, userType: key.userType)
    _ = people[place].add(use, key.feature)
  }

  /// Counts what a person did on a day, as all of their events would.
  mutating func add(_ row: PersonDayRow, on day: Int, _ ids: StringInterner) throws {
    try add(
      Seen(
        person: row.person, country: place(.country, row.country),
        version: place(.version, row.version), platform: place(.platform, row.platform),
        type: row.readNewestType(), flags: row.flags, events: row.events, taps: row.taps,
        freeTaps: row.freeTaps, performed: row.performed,
        featureTaps: row.featureTaps, featurePerformed: row.featurePerformed),
      on: day, ids)
  }

  /// Ends the day at hand, also after all events.
  mutating func finish(_ ids: StringInterner) throws {
    for person in people.people {
      try add(
        Seen(
          person: person.person, country: place(.country, person.country),
          version: place(.version, person.version), platform: place(.platform, person.platform),
          type: person.newestType, flags: person.flags, events: person.events, taps: person.taps,
          freeTaps: person.freeTaps, performed: person.performed,
          featureTaps: person.featureTaps, featurePerformed: person.featurePerformed),
        on: day, ids)
    }
    people.removeAll()
  }

  private mutating func add(_ seen: Seen, on day: Int, _ ids: StringInterner) throws {
    while languages.count <= seen.person { languages.append(nil) }
    if day >= firstDay, languages[seen.person] == nil {
      languages[seen.person] = .some(try language(of: ids[seen.person]))
    }
    var seen = seen
    seen.language = languages[seen.person] ?? nil
    shareCount.add(seen, on: day - firstDay)
    periodUse.add(seen, on: day)
    guard day >= firstDay else { return }
    for case let part? in [seen.country, seen.version, seen.platform, seen.language] {
      func add(_ count: Int, to column: Column) {
        counts[index(of: column, of: part) + day - firstDay] += count
      }
      add(seen.events, to: .events)
      add(1, to: .people)
      for feature in Feature.allCases {
        add(Int(seen.featureTaps[feature.position]), to: .taps(feature))
        add(Int(seen.featurePerformed[feature.position]), to: .performed(feature))
      }
    }
  }

  /// By part, what is known of each day that is counted, oldest first; the only platform is no
  /// part.
  var days: [AppDimension: AppDimension.Days] {
    let hasPlatforms = hasPlatforms
    let numbered = parts.enumerated().filter { hasPlatforms || $1.kind != .platform }.map {
      place, part in
      func column(_ column: Column) -> [Int] {
        let first = index(of: column, of: place)
        return Array(counts[first..<first + dayCount])
      }
      var days = AppDimension.Days(days: dayCount)
      days.events = column(.events)
      days.people = column(.people)
      days.taps = Feature.allCases.map { column(.taps($0)) }
      days.performed = Feature.allCases.map { column(.performed($0)) }
      return (part, days)
    }
    return Dictionary(uniqueKeysWithValues: numbered)
  }

  /// What is known of people on the same days.
  var shares: ShareCounts { shareCount.counts(of: parts.map(\.name)) }

  /// The versions with which people began the period, by their numbers.
  var versions: [Int: String] { periodUse.versions.mapValues { parts[$0].name } }
  /// How often people used a feature on a day of the period, and on how many days of people.
  var uses: [PeriodUse.Key: Int] { periodUse.counts }

  private var hasPlatforms: Bool { parts.count { $0.kind == .platform } > 1 }

  private func index(of column: Column, of place: Int) -> Int {
    (place * Column.count + column.position) * dayCount
  }

  private mutating func language(of id: String) throws -> Int? {
    defer { users.reset() }
    try users.bind(copyOf: id, at: 1)
    return try users.step() ? place(.language, users.text(column: 0)) : nil
  }

  private mutating func place(_ kind: AppDimension.Kind, _ name: String) -> Int? {
    var name = name
    return name.withUTF8 { place(kind, UnsafeRawBufferPointer($0)) }
  }

  /// Nil for a part without a name.
  private mutating func place(_ kind: AppDimension.Kind, _ name: UnsafeRawBufferPointer) -> Int? {
    guard !name.isEmpty else { return nil }
    let number = names[kind.position].number(of: name)
    guard number == places[kind.position].count else { return places[kind.position][number] }
    places[kind.position].append(parts.count)
    parts.append(AppDimension(kind, String(decoding: name, as: UTF8.self)))
    counts += repeatElement(0, count: Column.count * dayCount)
    return parts.count - 1
  }
}
