package import Model

/// Follows each person through the events of a stretch of time, in time's order.
struct PeopleCount {
  struct Flags: OptionSet {
    let rawValue: UInt8
    /// Was seen as subscriber for the first time in the period.
    static let newSubscriber = Flags(rawValue: 1)
    /// At any time of the stretch.
    static let seenFree = Flags(rawValue: 2)
    static let seenSubscriber = Flags(rawValue: 4)
    /// Seen before the first day that `days` has a bit for.
    static let seenEarlier = Flags(rawValue: 8)
    /// Of the period, as anybody.
    static let inPeriod = Flags(rawValue: 16)
    /// At any time of the stretch, as a free user: was blocked, and tapped the subscription button
    /// at or after it; and was seen as subscriber for the first time after that.
    static let blockedAtAll = Flags(rawValue: 32)
    static let tappedAfterBlock = Flags(rawValue: 64)
    static let cameThroughLimit = Flags(rawValue: 128)
  }

  struct Person {
    var flags: Flags = []
    var ways = FunnelWays()
    /// A bit for each civil day with an event, the lowest for the first day.
    var days: UInt128 = 0
    /// The same for the days with an event as a free user.
    var freeDays: UInt128 = 0
    /// In microseconds, within the period and as a free user; `.max` for none.
    var firstTap = Int64.max
    var secondTap = Int64.max
    var firstBlock = Int64.max
    /// The first event as a subscriber of who was seen free or new before; `.max` for none.
    var subscribedAt = Int64.max
    /// The first event; the last one as a new user and the first one as a free user, `.max` for
    /// none.
    var firstAt = Int64.max
    var newUntil = Int64.max
    var freeFrom = Int64.max
    /// The newest attempt; `.min` for none.
    var attemptedAt = Int64.min
    /// The newest event whose next return is still to be counted; `.max` when it was counted.
    var awaitedSince = Int64.max
    /// The index of the newest day with a counted success; nil before the first.
    var usedOn: Int?
    /// The user type in the newest event that has one.
    var newestType: UserType?
    /// Of the period, as anybody; those of people whom a limit can block apart.
    var taps: UInt32 = 0
    var freeTaps: UInt32 = 0
    var performed: UInt32 = 0
    var freeBlocked: UInt32 = 0

    /// Whether any event of theirs was followed.
    var wasMet: Bool { days != 0 || flags.contains(.seenEarlier) }
  }

  /// What an event means for its person.
  struct Use {
    let at: Int64
    let kind: EventKind
    /// Nil when the event does not say.
    let userType: UserType?

    /// Whether the person tried to use a feature, unlike what a cooldown's end leaves.
    var isAttempt: Bool { kind == .buttonTapped || kind == .performed || kind.isBlocked }
  }

  /// Whether an attempt comes so long after the one before that it is a return.
  static func isPause(from before: Int64, to at: Int64) -> Bool {
    at - before >= AppSessionRule.timeout.microseconds
  }

  let period: Range<Int64>
  /// Both sides of the period's comparison; empty without one.
  let whole: Range<Int64>
  let before: Range<Int64>
  var people: [Person] = []
  /// Whether any event of the period says who is free.
  var knowsUserTypes = false

  init(_ context: ReportContext) {
    func span(_ range: Range<Instant>?) -> Range<Int64> {
      let range = range ?? context.start..<context.start
      return range.lowerBound.microseconds..<range.upperBound.microseconds
    }
    period = span(context.start..<context.end)
    whole = span(context.comparison.main?.current)
    before = span(context.comparison.main?.previous)
  }

  /// Counts an event; returns whether it made the person an active one of the period.
  ///
  /// `day` is the place of the event's civil day; nil for an earlier one.
  mutating func add(_ use: Use, of person: Int, day: Int?) -> Bool {
    // People whose events all lie outside the followed days have numbers, too.
    while people.count <= person { people.append(Person()) }
    let sides = sides(at: use.at)
    if sides.inPeriod, use.userType != nil { knowsUserTypes = true }
    return people[person].add(use, day: day, on: sides)
  }

  /// Whether an event that comes next is an attempt that succeeds, or one after a pause:
  /// docs/relations.md#attempt.
  func isReturn(_ use: Use, of person: Int) -> Bool {
    guard use.isAttempt else { return false }
    guard use.kind != .performed, people.indices.contains(person) else { return true }
    let before = people[person].attemptedAt
    return before == .min || Self.isPause(from: before, to: use.at)
  }

  /// Whether a return counts, as the first success of its day or the first return after such a
  /// success or a block: docs/relations.md#attempt.
  mutating func recordUse(_ use: Use, isSuccess: Bool, of person: Int, day: Int?) -> Bool {
    let isFirst = isSuccess && people[person].usedOn != day
    let isAwaited = people[person].awaitedSince != .max
    // One of the same instant is not after it.
    if use.at > people[person].awaitedSince { people[person].awaitedSince = .max }
    if isFirst {
      people[person].usedOn = day
      awaitReturn(of: person, after: use.at)
    }
    return isFirst || isAwaited
  }

  mutating func awaitReturn(of person: Int, after at: Int64) { people[person].awaitedSince = at }

  func isInPeriod(_ use: Use) -> Bool { isInPeriod(at: use.at) }

  func isInPeriod(at: Int64) -> Bool { period.contains(at) }

  func sides(at: Int64) -> ReportRelations.Sides {
    ReportRelations.Sides(
      inPeriod: period.contains(at), inWhole: whole.contains(at), inBefore: before.contains(at))
  }

  /// Whether a day lies within one of the spans and outside it.
  func cuts(_ day: Range<Int64>) -> Bool { [period, whole, before].contains { $0.cuts(day) } }
}

extension PeopleCount.Person {
  /// Counts an event; returns whether it made the person an active one of the period.
  fileprivate mutating func add(
    _ use: PeopleCount.Use, day: Int?, on sides: ReportRelations.Sides
  ) -> Bool {
    let wasActive = ways.inPeriod.contains(.active)
    if let day {
      let bit: UInt128 = 1 &<< UInt128(day)
      days |= bit
      if use.userType == .freeUser { freeDays |= bit }
    } else {
      flags.insert(.seenEarlier)
    }
    if sides.inPeriod {
      flags.insert(.inPeriod)
      count(use)
    }
    note(use)
    switch use.userType {
    case .liteSubscriber: subscribe(at: use.at, on: sides)
    case .freeUser, .newUser: flags.insert(.seenFree)
    case nil: break
    }
    if use.userType == .freeUser {
      ways.update(on: sides) { $0.add(use.kind) }
      if sides.inPeriod { noteFirsts(use) }
    }
    return !wasActive && ways.inPeriod.contains(.active)
  }

  /// What the person was called, and when.
  private mutating func note(_ use: PeopleCount.Use) {
    firstAt = min(firstAt, use.at)
    if use.isAttempt { attemptedAt = use.at }
    if let type = use.userType { newestType = type }
    if use.userType == .newUser { newUntil = use.at }
    guard use.userType == .freeUser else { return }
    freeFrom = min(freeFrom, use.at)
    if use.kind.isBlocked { flags.insert(.blockedAtAll) }
    if use.kind == .subscriptionButtonTapped, flags.contains(.blockedAtAll) {
      flags.insert(.tappedAfterBlock)
    }
  }

  private mutating func count(_ use: PeopleCount.Use) {
    let canBeBlocked = UserType.canBeBlocked(use.userType)
    switch use.kind {
    case .buttonTapped:
      taps += 1
      if canBeBlocked { freeTaps += 1 }
    case .performed: performed += 1
    case .blockedLimitReached, .blockedCooldown: if canBeBlocked { freeBlocked += 1 }
    default: break
    }
  }

  private mutating func subscribe(at: Int64, on sides: ReportRelations.Sides) {
    let isFirst = !flags.contains(.seenSubscriber)
    flags.insert(.seenSubscriber)
    guard isFirst, flags.contains(.seenFree) else { return }
    subscribedAt = at
    let isThroughLimit = flags.contains(.tappedAfterBlock)
    if sides.inPeriod { flags.insert(.newSubscriber) }
    guard isThroughLimit else { return }
    flags.insert(.cameThroughLimit)
    ways.update(on: sides) { $0.formUnion(.whole) }
  }

  /// Notes the first taps and the first block of the period.
  private mutating func noteFirsts(_ use: PeopleCount.Use) {
    switch use.kind {
    case .buttonTapped:
      if firstTap == .max {
        firstTap = use.at
      } else if secondTap == .max {
        secondTap = use.at
      }
    case .blockedLimitReached, .blockedCooldown: firstBlock = min(firstBlock, use.at)
    default: break
    }
  }
}

/// The figures, after all events.
extension PeopleCount {
  /// People with an event in the period.
  var countInPeriod: Int { people.count { $0.flags.contains(.inPeriod) } }

  /// How far the people went.
  private var stages: PeopleData.Stages {
    let reached = people.map(\.ways.inPeriod.stage)
    func count(_ stage: Int) -> Int { reached.count { $0 >= stage } }
    return PeopleData.Stages(
      active: count(1), popup: count(2), blocked: count(3), tapped: count(4),
      subscribed: count(5))
  }

  /// What needs no parameters of events.
  func data(sampledOneIn: Int) -> PeopleData {
    var data = PeopleData(
      stages: stages, tappedAtAll: people.count { $0.ways.inPeriod.contains(.tappedAtAll) },
      newSubscribers: people.count { $0.flags.contains(.newSubscriber) })
    data.knowsUserTypes = knowsUserTypes
    data.untyped = people.count { $0.flags.contains(.inPeriod) && $0.newestType == nil }
    data.sampledOneIn = sampledOneIn
    return data
  }
}

/// The civil days of a time zone that end with a certain one.
struct CivilDays {
  /// Oldest first, without gaps.
  let starts: [Int64]
  /// Days that are over and whose export has come, whole or not.
  let completeCount: Int
  /// How much the ledger knows of each day.
  let coverage: [DayFacts.Coverage]

  /// Up to `end` (exclusive), from the day of `first` on, at most `DayHistory.mostDays`.
  ///
  /// Days that are not among `facts` are known whole.
  init(from first: Instant, to end: Instant, in timeZone: String, facts: [DayFacts] = []) {
    let longest = Duration.seconds(86_400 * (DayHistory.mostDays + 1))
    let start = max(min(first, end - .microseconds(1)), end - longest)
    let days = LocalDay.days(touching: start..<end, in: timeZone).suffix(DayHistory.mostDays)
    let known = Dictionary(facts.map { ($0.start, $0.coverage) }, uniquingKeysWith: { $1 })
    starts = days.map(\.start.microseconds)
    coverage = days.map { known[$0.start] ?? .whole }
    completeCount =
      zip(days, coverage).prefix { day, coverage in
        day.end <= end && coverage != .running && coverage != .awaited
      }.count
  }

  /// The first day that is known completely.
  var firstWhole: Int { coverage.firstIndex(of: .whole) ?? coverage.count }

  /// Whether people are followed from an instant on: through all events, or since a day before it.
  func followAll(since instant: Int64) -> Bool {
    starts.count < DayHistory.mostDays || starts.first.map { $0 <= instant } ?? false
  }

  /// The place of the day of an instant; -1 for an earlier one.
  func place(of microseconds: Int64) -> Int {
    (starts.firstIndex { $0 > microseconds } ?? starts.count) - 1
  }
}

/// Everybody who is followed, and what the parameters of their events say.
struct PeoplePass {
  var people: PeopleCount
  var experiments: ExperimentCount
  let sample: EventSample
  let days: CivilDays
  let relations: DetailRelations
  /// The first country that a person's details name.
  var countries: [Int: String] = [:]
  /// The platform of each person's first event, by their number; empty before it.
  var platforms: [String] = []
  /// How many of the days have begun.
  private(set) var begunDays = 0

  /// Counts an event; returns whether its parameters are read.
  ///
  /// - Precondition: no event before came later.
  mutating func add(
    _ key: BucketCounter.EventKey, of person: Int, at: Int64, _ ids: StringInterner
  ) throws -> Bool {
    while begunDays < days.starts.count, days.starts[begunDays] <= at { begunDays += 1 }
    let day = begunDays == 0 ? nil : begunDays - 1
    let use = PeopleCount.Use(at: at, kind: key.kind, userType: key.userType)
    let isReturn = people.isReturn(use, of: person)
    let isFirst = people.add(use, of: person, day: day)
    name(key.platform, of: person)
    experiments.add(use, of: person)
    let canBeBlocked = UserType.canBeBlocked(key.userType)
    let isSuccess = key.kind == .performed && canBeBlocked
    if isReturn, people.recordUse(use, isSuccess: isSuccess, of: person, day: day),
      sample.holds(ids[person])
    {
      try relations.addAttempt(of: person, at: at, isUse: isSuccess)
    }
    if key.kind.isBlocked, canBeBlocked, sample.holds(ids[person]) {
      people.awaitReturn(of: person, after: at)
      try relations.addBlock(key.feature, of: person, at: at)
    }
    let isWanted =
      people.isInPeriod(use)
      ? isFirst || Self.tellsDetails(key) : Self.tellsDetails(key) && key.kind.tellsPrice
    return isWanted && sample.holds(ids[person])
  }

  /// Notes the platform of a person's event, which stays if it is the first.
  mutating func name(_ platform: @autoclosure () -> String, of person: Int) {
    while platforms.count <= person { platforms.append("") }
    if platforms[person].isEmpty { platforms[person] = platform() }
  }

  /// Whether relations have columns for the parameters of such an event.
  static func tellsDetails(_ key: BucketCounter.EventKey) -> Bool {
    switch key.kind {
    case .popupShown: key.userType == .freeUser
    case .pricingDisplayed, .subscriptionButtonTapped: key.userType != .liteSubscriber
    case .buttonTapped, .performed: key.feature == .filter
    default: false
    }
  }

  /// Adds an event of anybody to those that queries read for themselves.
  func add(event id: Int64, _ key: BucketCounter.EventKey, at: Int64) throws {
    if key.kind.isSingle, people.isInPeriod(at: at) { try relations.addSingle(id, key) }
  }

  mutating func add(_ detail: EventDetail) throws {
    var detail = detail
    detail.isInPeriod = people.isInPeriod(at: detail.at)
    if detail.isInPeriod, countries[detail.person, default: ""].isEmpty {
      countries[detail.person] = detail.country
    }
    try relations.add(detail)
  }

  func reading(_ reader: Reader, _ ids: StringInterner) throws -> PeopleReading {
    let activity = ActivityCount(
      people: people.people, days: days, accountDays: try accountDays(reader, ids))
    var demand = try reader.demandData()
    demand.sampledOneIn = sample.oneIn
    return PeopleReading(
      people: people.data(sampledOneIn: sample.oneIn),
      activity: activity.data,
      demand: demand,
      experiments: ExperimentData(experiments: experiments.found))
  }
}

/// What the ledger knows of people, of one stretch of events: docs/people.md.
package struct PeopleReading: Sendable {
  package var people: PeopleData
  package var activity: ActivityData
  package var demand: DemandData
  package var experiments: ExperimentData
}

extension EventKind {
  /// Whether prices are read also before the period.
  fileprivate var tellsPrice: Bool {
    self == .pricingDisplayed || self == .subscriptionButtonTapped
  }
}
