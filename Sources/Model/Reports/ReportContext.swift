import FoundationEssentials

/// What every report states about itself: the app, the period, the time zone and the scope.
package struct ReportContext: Hashable, Sendable {
  package var appName: String
  /// When the report was made.
  package var now: Instant { didSet { compare() } }
  /// The IANA name of the zone that decides days, hours and weekdays.
  package var timeZone: String { didSet { compare() } }
  /// The period: from `start` (inclusive) to `end` (exclusive).
  package var start: Instant { didSet { compare() } }
  package var end: Instant { didSet { compare() } }
  /// The newest line that came, where the export brings the running day and is behind; nil where
  /// all of the day so far is known.
  package var newestLine: Instant? { didSet { compare() } }
  /// Counts only the events, ratings and feedback of this profile; nil counts everybody's.
  package var scope: String?
  /// Counts only the events of this platform, such as `ios`, and those that name none; nil counts
  /// all together.
  package var platform: String?
  /// How many events of the period are of other platforms, and so in no count, by platform.
  package var otherPlatforms: [String: Int] = [:]
  /// Whether pseudonyms replace people: `docs/reports.md#anonymous`.
  package var isAnonymous: Bool
  package private(set) var comparison: PeriodComparison
  /// The first instants of the days without a known event, oldest first.
  package var unknownDays: [Instant] = []
  /// The first instant of the running day while its export has not come; nil otherwise.
  ///
  /// Only the program's own events of it are known.
  package var awaitedToday: Instant?
  /// Why not all events of the period are known; nil when they are, up to now.
  package var periodFault: ComparisonFault?
  /// Why events cannot be compared so; nil when they can.
  package var comparisonFault: ComparisonFault?
  /// Why the events of the running day cannot be compared; nil when they can.
  package var todayFault: ComparisonFault?
  package var findingSettings = FindingSettings()
  /// The acknowledgements in force, in no order.
  package var acknowledged: [Acknowledgement] = []

  package init(
    appName: String, now: Instant, timeZone: String, start: Instant, end: Instant,
    scope: String? = nil, isAnonymous: Bool = false
  ) {
    self.appName = appName
    self.now = now
    self.timeZone = timeZone
    self.start = start
    self.end = end
    self.scope = scope
    self.isAnonymous = isAnonymous
    comparison = PeriodComparison(start: start, end: end, now: now, timeZone: timeZone)
  }

  /// From where on data is needed: the start of the month before, or of the period some weeks
  /// earlier, at least one.
  package var previousStart: Instant { comparison.previousStart }

  private mutating func compare() {
    comparison = PeriodComparison(
      start: start, end: end, now: now, newestLine: newestLine, timeZone: timeZone)
  }
}

/// What happened on each civil day of the report's zone, oldest first, up to and with today.
///
/// At most `mostDays`; empty when nobody asked for it.
package struct DayHistory: Hashable, Sendable {
  package var days: [DayFacts]

  package static let mostDays = 74 + 28

  package init(days: [DayFacts] = []) {
    self.days = days
  }

  /// The days that are over, oldest first, without those whose export is still to come.
  package var complete: ArraySlice<DayFacts> {
    days.prefix { $0.coverage != .running && $0.coverage != .awaited }
  }

  /// The newest known day and those before it, oldest first: those of the index's tiles.
  package var newest: ArraySlice<DayFacts> {
    let known = searched.lastIndex { $0.coverage != .none }
    return known.map { searched[...$0].suffix(Self.newestDays) } ?? []
  }

  /// The days among which the newest known one is looked for.
  package var searched: ArraySlice<DayFacts> { complete.suffix(Self.newestDays + 7) }

  package static let newestDays = 28

  /// Days that are over and whose export is still to come, oldest first.
  package var awaited: [DayFacts] { days.filter { $0.coverage == .awaited } }

  /// The running day when exports bring the events and none of it has come; nil otherwise.
  package var todayBeforeExport: DayFacts? {
    guard let today, today.exportLines == 0, today.activeUsers + today.taps == 0,
      days.contains(where: { $0.exportLines > 0 })
    else { return nil }
    return today
  }

  /// Unknown days, oldest first: neither a count nor a true 0.
  package var unknown: [DayFacts] {
    let today = todayBeforeExport
    return days.filter { day in
      switch day.coverage {
      case .none: true
      case .awaited: day.exportLines + day.activeUsers + day.taps == 0
      case .running: day == today
      case .partial, .whole: false
      }
    }
  }

  /// The running day; nil when the history is empty.
  package var today: DayFacts? {
    days.last.flatMap { $0.coverage == .running ? $0 : nil }
  }
}

/// What happened on one civil day of the report's zone: `docs/reports/days.md#day-history`.
@dynamicMemberLookup
package struct DayFacts: Hashable, Sendable {
  /// How much of a day the ledger knows.
  package enum Coverage: String, Hashable, Codable, Sendable {
    /// Before the ledger begins, or without a line of the export where lines were expected.
    case none
    /// The ledger begins within the day, or lines of some of its hours are missing.
    case partial
    /// All lines came that there were, also when the app stood still for some hours.
    case whole
    /// The day is over, and its export usually comes later than now.
    case awaited
    /// Today: the day is not over.
    case running
  }

  package var start: Instant
  /// The first instant of the next day, 23 to 25 hours later.
  package var end: Instant
  package var coverage: Coverage
  /// Hours in which the app stood still on a whole day: `docs/reports/days.md#silent-hours`.
  package var silentHours = 0
  /// Whether other days may be judged by this one: it is whole, and the app stood still in no hour.
  package var isUndisturbed: Bool { coverage == .whole && silentHours == 0 }

  /// Distinct users with an event of a limited feature.
  package var activeUsers = 0
  /// What became of its attempts; the day has each number as its own, too, such as `taps`.
  package var totals = UsageTotals()
  /// Distinct users with a blocked attempt.
  package var blockedUsers = 0
  /// People who were seen as free or new users earlier in the history, and on this day for the
  /// first time as subscribers; each counts once in all.
  package var newSubscribers = 0
  /// Ratings in the app by stars: index 0 is one star.
  package var stars = [0, 0, 0, 0, 0]
  /// Events of any kind that came by import.
  package var exportLines = 0
  /// Document reads that were billed to runs that began on this day.
  package var reads = 0
  /// Users online at the last load of the day; nil without one.
  package var onlineNow: Int?
  /// Users online at the last load of the day before the report's time of the clock; nil without
  /// one.
  ///
  /// On the running day the same as `onlineNow`.
  package var onlineByNow: Int?
  /// People of `activeUsers` without an earlier event in the history.
  package var newcomers = 0
  /// The concentration of the events of `activeUsers` on few of them.
  package var concentration = EventConcentration()

  package init(start: Instant, end: Instant, coverage: Coverage = .whole) {
    self.start = start
    self.end = end
    self.coverage = coverage
  }

  package subscript(dynamicMember number: WritableKeyPath<UsageTotals, Int>) -> Int {
    get { totals[keyPath: number] }
    set { totals[keyPath: number] = newValue }
  }
}

/// What became of attempts: the sums of the usage report, docs/reports.md#usage.
package struct UsageTotals: Hashable, Sendable {
  package var taps = 0
  /// Taps of people whom a limit can block, and how many of them it blocked.
  package var freeTaps = 0
  package var freeBlocked = 0
  /// Of `freeBlocked`, those during the wait that the first one started.
  package var freeBlockedInWait = 0
  package var popups = 0
  package var dismissed = 0
  package var performed = 0
  package var blocked = 0
  package var bypassed = 0
  package var subscriptionTaps = 0

  package init() {}

  /// Ignores kinds of event that the report does not show.
  package mutating func add(_ kind: EventKind, _ count: Int = 1, by userType: UserType? = nil) {
    let canBeBlocked = UserType.canBeBlocked(userType)
    switch kind {
    case .buttonTapped:
      taps += count
      if canBeBlocked { freeTaps += count }
    case .popupShown: popups += count
    case .popupDismissed: dismissed += count
    case .performed: performed += count
    case .blockedLimitReached, .blockedCooldown:
      blocked += count
      if canBeBlocked { freeBlocked += count }
      if canBeBlocked, kind == .blockedCooldown { freeBlockedInWait += count }
    case .newUserBypass, .liteSubscriberBypass: bypassed += count
    case .subscriptionButtonTapped: subscriptionTaps += count
    case .pricingDisplayed, .limitReset, .cooldownCompleted, .clockSkew: break
    }
  }

  package var isEmpty: Bool { self == UsageTotals() }
}

/// How far the events of limited features of one day are concentrated on few of its people.
package struct EventConcentration: Hashable, Sendable {
  /// Events of people with an id.
  package var events = 0
  /// Those of the person, and of the five people, with the most.
  package var busiest = 0
  package var busiestFive = 0
  /// Events a person, without the busiest twentieth of the people, at least one; 0 of nobody.
  package var typical = 0.0

  package init() {}

  /// Of each person the number of events, in any order.
  package init(of people: [Int]) {
    let ordered = people.sorted(by: >)
    events = ordered.reduce(0, +)
    busiest = ordered.first ?? 0
    busiestFive = ordered.prefix(5).reduce(0, +)
    let others = ordered.dropFirst(max(1, ordered.count / 20))
    if !others.isEmpty { typical = Double(others.reduce(0, +)) / Double(others.count) }
  }
}

/// A part of the people of an app: those of a country or a language, with a version or on a
/// platform.
package struct AppDimension: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case country, language, version, platform

    /// The place in `allCases`, for arrays by kind.
    package var position: Int {
      switch self {
      case .country: 0
      case .language: 1
      case .version: 2
      case .platform: 3
      }
    }

    /// Without this, its name would be hashed.
    package func hash(into hasher: inout Hasher) { hasher.combine(position) }
  }

  /// What is known of a part, day by day.
  package struct Days: Hashable, Sendable {
    package var events: [Int]
    package var people: [Int]
    /// Taps and actions of each feature, by its `position`.
    package var taps: [[Int]]
    package var performed: [[Int]]

    /// So many days without an event.
    package init(days: Int) {
      events = [Int](repeating: 0, count: days)
      people = events
      taps = [[Int]](repeating: events, count: Feature.allCases.count)
      performed = taps
    }
  }

  package var kind: Kind
  /// As the events, or the user's document, say.
  package var name: String

  package init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }

  /// By bytes, as the parts are counted: two spellings of an accent are two parts.
  package static func == (left: AppDimension, right: AppDimension) -> Bool {
    left.kind == right.kind && left.name.hasSameBytes(as: right.name)
  }
}
