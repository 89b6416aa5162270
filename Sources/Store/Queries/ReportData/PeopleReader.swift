import GRDB
package import Model

/// What the ledger knows of people, of one stretch of events: docs/people.md.
package struct PeopleReading: Sendable {
  package var people: PeopleData
  package var activity: ActivityData
  package var demand: DemandData
  package var experiments: ExperimentData
}

extension Readable {
  /// Follows everybody through the period of the context, and through the days before it that
  /// retention and `changes`, the newest changes of settings, ask for.
  ///
  /// `facts` say how much of each day the ledger knows; days that are not among them are known whole.
  /// One pass over the index `events_usage`, then one look at the row of each sampled event, at most
  /// `mostSampled`: so many that reading them takes less than a tenth of a second.
  /// Of one user alone when an id is given. With `relations`, which `withRelations` has made, everybody becomes a row of them.
  package func peopleReading(
    _ context: ReportContext, changes: [SettingChange], days facts: [DayFacts] = [],
    mostSampled: Int = 24_000, of userId: String? = nil, into relations: ReportRelations? = nil
  ) throws -> PeopleReading {
    let first = try firstFeatureEventAt()
    let days = CivilDays(
      from: first ?? context.start, to: context.end, in: context.timeZone, facts: facts)
    let missing = facts.filter { [.none, .partial, .awaited].contains($0.coverage) }
    var pass = PeoplePass(
      people: PeopleCount(period: context.start.microseconds..<context.end.microseconds),
      experiments: ExperimentCount(
        changes, from: first ?? context.end, to: context.end,
        knownUntil: DayHistory(days: facts).todayBeforeExport?.start ?? context.end,
        without: missing.map { $0.start..<$0.end }),
      sample: EventSample(most: mostSampled), days: days)
    let start = min(context.start.microseconds, days.starts.first ?? context.start.microseconds)
    try pass.read(reader, from: start, to: context.end.microseconds, of: userId)
    return try pass.reading(reader, firstEventAt: first, into: relations)
  }

  /// The time of the oldest event of a limited feature; nil without one.
  private func firstFeatureEventAt() throws -> Instant? {
    try Int64.fetchOne(
      reader.database,
      sql: "SELECT at FROM events WHERE feature IS NOT NULL ORDER BY at LIMIT 1"
    ).map(Instant.init(microseconds:))
  }
}

/// The pass over the events, and the look at those that were sampled.
struct PeoplePass {
  let ids = StringInterner()
  var people: PeopleCount
  var experiments: ExperimentCount
  var sample: EventSample
  let days: CivilDays
  /// Reads names; it counts nothing here.
  var names = BucketCounter()

  mutating func read(
    _ reader: Reader, from start: Int64, to end: Int64, of userId: String?
  ) throws {
    let only = userId.map { Array($0.utf8) }
    let events = try RawStatement(
      reader.database,
      sql: """
        SELECT at, feature, kind, user_type, user_id, id FROM events
        WHERE feature IS NOT NULL AND at >= ?1 AND at < ?2 ORDER BY at
        """)
    defer { events.reset() }
    try events.bind(start, at: 1)
    try events.bind(end, at: 2)
    var day: Int?
    while try events.step() {
      let user = events.text(column: 4)
      guard !user.isEmpty, only.map(user.elementsEqual) ?? true else { continue }
      let at = events.integer(column: 0)
      while let next = days.starts.dropFirst((day ?? -1) + 1).first, next <= at {
        day = (day ?? -1) + 1
      }
      let key = try key(events)
      add(
        PeopleCount.Use(at: at, kind: key.kind, userType: key.userType),
        isFilter: key.feature == .filter,
        EventSample.Row(
          id: events.integer(column: 5),
          person: ids.number(of: String(decoding: user, as: UTF8.self))), day: day)
    }
  }

  /// What the second to fourth column say.
  private mutating func key(_ events: RawStatement) throws -> BucketCounter.EventKey {
    try names.key(events.text(column: 1), events.text(column: 2), events.text(column: 3))
  }

  private mutating func add(
    _ use: PeopleCount.Use, isFilter: Bool, _ row: EventSample.Row, day: Int?
  ) {
    let isFirst = people.add(use, of: row.person, day: day)
    experiments.add(use, of: row.person)
    guard people.isInPeriod(use) else { return }
    let isWanted =
      switch use.kind {
      case .popupShown, .subscriptionButtonTapped: use.userType == .freeUser
      case .buttonTapped, .performed: isFilter
      default: false
      }
    if isFirst || isWanted { sample.add(row, ids) }
  }

  mutating func reading(
    _ reader: Reader, firstEventAt: Instant?, into relations: ReportRelations?
  ) throws -> PeopleReading {
    let sampled = try sampledPeople(reader, isRelated: relations != nil)
    if let relations { try fill(relations, countries: sampled.countries, reader) }
    var data = people.data()
    data.sampledOneIn = sample.oneIn
    let activity = ActivityCount(
      people: people.people, days: days, accountDays: try accountDays(reader))
    data.attempts = sampled.attempts
    data.countries = sampled.countries(of: people)
    data.criteria = sampled.criteria(of: people)
    var demand = sampled.demand
    demand.sampledOneIn = sample.oneIn
    return PeopleReading(
      people: data,
      activity: activity.data(firstEventAt: firstEventAt),
      demand: demand,
      experiments: ExperimentData(
        experiments: experiments.found, splits: sampled.splits, sampledOneIn: sample.oneIn))
  }

  /// The days on which the accounts of the people that were met were made.
  func accountDays(_ reader: Reader) throws -> [Int: Int] {
    let accounts = try RawStatement(
      reader.database,
      sql: "SELECT uid, created_at FROM auth_users WHERE created_at IS NOT NULL")
    defer { accounts.reset() }
    var found: [Int: Int] = [:]
    while try accounts.step() {
      guard let person = ids.known(String(decoding: accounts.text(column: 0), as: UTF8.self)) else {
        continue
      }
      found[person] = days.place(of: accounts.integer(column: 1))
    }
    return found
  }

  /// Reads the rows of the sample; with `isRelated` into the relations, too.
  private mutating func sampledPeople(
    _ reader: Reader, isRelated: Bool
  ) throws -> SampledPeople {
    guard isRelated else { return try sampledPeople(reader, into: nil) }
    var sampled = SampledPeople()
    try reader.writingTemporaryTables {
      sampled = try sampledPeople(reader, into: DetailRelations(reader))
    }
    return sampled
  }

  private mutating func sampledPeople(
    _ reader: Reader, into relations: DetailRelations?
  ) throws -> SampledPeople {
    let events = try RawStatement(
      reader.database,
      sql: """
        SELECT at, feature, kind, user_type, country, platform, parameters FROM events
        WHERE id = ?1
        """)
    defer { events.reset() }
    var sampled = SampledPeople()
    // In the order of the table, whose neighbouring rows share a page.
    for row in sample.rows.sorted(by: { $0.id < $1.id }) {
      events.rewind()
      try events.bind(row.id, at: 1)
      guard try events.step() else { continue }
      let detail = SampledPeople.Detail(
        at: events.integer(column: 0), person: row.person, event: try key(events),
        country: String(decoding: events.text(column: 4), as: UTF8.self),
        parameters: try SampledPeople.Parameters(
          events.text(column: 6),
          platform: String(decoding: events.text(column: 5), as: UTF8.self)))
      sampled.add(detail)
      try relations?.add(detail)
    }
    return sampled
  }
}

/// Events whose parameters are read: of everybody, or of one person in so many.
///
/// People are chosen by the hash of their ids: of a chosen one all events are read, so that shares
/// of people stay unbiased. docs/people.md#samples.
struct EventSample {
  struct Row {
    let id: Int64
    let person: Int
  }

  /// Rows that are read at most.
  let most: Int
  private(set) var rows: [Row] = []
  /// People whose hash has any of these bits are left out.
  private var mask: UInt32 = 0

  init(most: Int) {
    self.most = most
  }

  var oneIn: Int { Int(mask) + 1 }

  mutating func add(_ row: Row, _ ids: StringInterner) {
    guard holds(row.person, ids) else { return }
    rows.append(row)
    // The last person that is left may have more rows than that.
    while rows.count > most, mask < 1 << 20 {
      mask = mask << 1 | 1
      rows = rows.filter { holds($0.person, ids) }
    }
  }

  func holds(_ person: Int, _ ids: StringInterner) -> Bool {
    mask == 0 || Self.hash(ids[person]) >> 11 & mask == 0
  }

  /// 64-bit FNV-1a, folded so that the low bits depend on every byte: the same in every run.
  private static func hash(_ id: String) -> UInt32 {
    let hash = id.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
