import GRDB
import Model

/// What the ledger knows of people, of one stretch of events: docs/people.md.
package struct PeopleReading: Sendable {
  package var people: PeopleData
  package var activity: ActivityData
  package var demand: DemandData
  package var experiments: ExperimentData
}

extension Readable {
  /// What a pass tells of people.
  package func peopleReading(_ pass: LedgerPass) throws -> PeopleReading {
    try pass.people.reading(reader, pass.ids, firstEventAt: pass.firstEventAt)
  }
}

extension Reader {
  /// What the relation `filter_use` tells in all.
  fileprivate func demandData() throws -> DemandData {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(DISTINCT CASE WHEN is_tap THEN person END), ifnull(sum(is_tap), 0),
          count(results), ifnull(sum(results = 0), 0) FROM temp.filter_use
        """)
    guard let row else { return DemandData() }
    return DemandData(people: row[0], taps: row[1], answered: row[2], empty: row[3])
  }
}

/// Everybody who is followed, and what the parameters of their events say.
struct PeoplePass {
  private(set) var people: PeopleCount
  private var experiments: ExperimentCount
  let sample: EventSample
  let days: CivilDays
  private let relations: DetailRelations
  /// The first country that a person's details name.
  private(set) var countries: [Int: String] = [:]
  /// The place of the day at hand; nil before the first one.
  private var day: Int?

  init(
    people: PeopleCount, experiments: ExperimentCount, sample: EventSample, days: CivilDays,
    relations: DetailRelations
  ) {
    self.people = people
    self.experiments = experiments
    self.sample = sample
    self.days = days
    self.relations = relations
  }

  /// Counts an event; returns whether its parameters are told of.
  ///
  /// - Precondition: no event before came later.
  mutating func add(
    _ key: BucketCounter.EventKey, of person: Int, at: Int64, _ ids: StringInterner
  ) throws -> Bool {
    while let next = days.starts.dropFirst((day ?? -1) + 1).first, next <= at {
      day = (day ?? -1) + 1
    }
    let use = PeopleCount.Use(at: at, kind: key.kind, userType: key.userType)
    let isReturn = people.isReturn(use, of: person)
    let isFirst = people.add(use, of: person, day: day)
    experiments.add(use, of: person)
    let canBeBlocked = UserType.canBeBlocked(key.userType)
    if isReturn, sample.holds(ids[person]) {
      try relations.addAttempt(
        of: person, at: at, isUse: key.kind == .performed && canBeBlocked)
    }
    if key.kind.isBlocked, canBeBlocked, sample.holds(ids[person]) {
      try relations.addBlock(key.feature, of: person, at: at)
    }
    let tellsPrice =
      [.pricingDisplayed, .subscriptionButtonTapped].contains(key.kind)
      && key.userType != .liteSubscriber
    guard people.isInPeriod(use) else { return tellsPrice && sample.holds(ids[person]) }
    let isWanted =
      switch key.kind {
      case .popupShown: key.userType == .freeUser
      case .pricingDisplayed, .subscriptionButtonTapped: tellsPrice
      case .buttonTapped, .performed: key.feature == .filter
      default: false
      }
    return (isFirst || isWanted) && sample.holds(ids[person])
  }

  mutating func add(_ detail: EventDetail) throws {
    var detail = detail
    detail.isInPeriod = people.isInPeriod(at: detail.at)
    if detail.isInPeriod, countries[detail.person, default: ""].isEmpty {
      countries[detail.person] = detail.country
    }
    try relations.add(detail)
  }

  func reading(
    _ reader: Reader, _ ids: StringInterner, firstEventAt: Instant?
  ) throws -> PeopleReading {
    var data = people.data()
    data.sampledOneIn = sample.oneIn
    let activity = ActivityCount(
      people: people.people, days: days, accountDays: try accountDays(reader, ids))
    var demand = try reader.demandData()
    demand.sampledOneIn = sample.oneIn
    return PeopleReading(
      people: data,
      activity: activity.data(firstEventAt: firstEventAt),
      demand: demand,
      experiments: ExperimentData(
        experiments: experiments.found, splits: try reader.limitSplits(), sampledOneIn: sample.oneIn
      ))
  }

  /// The days on which the accounts of the people that were met were made.
  func accountDays(_ reader: Reader, _ ids: StringInterner) throws -> [Int: Int] {
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
}

/// People whose events' parameters are read: everybody, or one in so many.
///
/// People are chosen by the hash of their ids: of a chosen one all events are read, so that shares
/// of people stay unbiased. docs/people.md#samples.
struct EventSample {
  /// A ledger of so many events is read in a sample.
  static let manyEvents = 10_000_000
  /// How many are then left out for one that is read.
  static let oneInOfMany = 16

  /// A power of 2.
  let oneIn: Int

  /// 1 for a ledger of few events, by its highest row number.
  static func oneIn(_ reader: Reader) throws -> Int {
    try reader.count("SELECT max(id) FROM events") < manyEvents ? 1 : oneInOfMany
  }

  func holds(_ id: String) -> Bool {
    oneIn == 1 || Self.hash(id) >> 11 & UInt32(oneIn - 1) == 0
  }

  /// 64-bit FNV-1a, folded so that the low bits depend on every byte: the same in every run.
  private static func hash(_ id: String) -> UInt32 {
    let hash = id.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
