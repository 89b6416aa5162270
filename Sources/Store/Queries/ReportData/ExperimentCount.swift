import GRDB
import Model

/// Counts what people did before and after each change of the limits, as the events come.
struct ExperimentCount {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let active = Flags(rawValue: 1)
    static let blocked = Flags(rawValue: 2)
    static let tapped = Flags(rawValue: 4)
  }

  private struct Window {
    /// Days of 24 hours; those that are left out are not among them.
    let days: [Range<Int64>]
    /// By person.
    var flags: [Flags] = []
  }

  private static let day: Int64 = 86_400_000_000

  private let experiments: [ExperimentData.Experiment]
  /// Before and after each experiment, in its order.
  private var windows: [Window]
  /// Windows that hold the present event, until the time `changesAt`.
  private var open: [Int] = []
  private var changesAt = Int64.min

  /// Of changes, newest first, that were made until `end` to a ledger that begins at `first`.
  ///
  /// Hours after `known` count on no side: no export has brought their events yet.
  /// Days that touch a time of `missing` are left out, and with each the one of the other side that
  /// has its place: both sides stay equally long, and keep their weekdays.
  init(
    _ changes: [SettingChange], from first: Instant, to end: Instant, knownUntil known: Instant,
    without missing: [Range<Instant>] = []
  ) {
    let changes = changes.filter { change in
      SettingKey(wireName: change.wireName)?.descriptor.role != nil && change.oldValue != nil
        && change.newValue != nil && change.changedAt < end
    }
    let times = Set(changes.map(\.changedAt)).sorted(by: >)
    let newest = times.prefix(ExperimentData.mostExperiments).filter {
      end - $0 <= ExperimentData.oldest
    }
    experiments = newest.map { at in
      let longest = max(0, min(Self.days(first, at), ExperimentData.longestDays))
      let days = max(0, min(longest, Self.days(at, min(known, end))))
      let others = times.filter { other in
        other != at && abs(other.microseconds - at.microseconds) < Int64(days) * Self.day
      }
      let span = at - Self.seconds(days)..<at + Self.seconds(days)
      return ExperimentData.Experiment(
        at: at, changes: changes.filter { $0.changedAt == at }, days: days,
        leftOut: days - Self.pairs(at, days, without: missing).count,
        missing: missing.filter { $0.overlaps(span) }.map(\.lowerBound), longest: longest,
        overlapping: others.reversed())
    }
    windows = experiments.flatMap { experiment in
      let pairs = Self.pairs(experiment.at, experiment.days, without: missing)
      return [pairs.map(\.before), pairs.map(\.after)].map { days in
        Window(days: days.map { $0.lowerBound.microseconds..<$0.upperBound.microseconds })
      }
    }
  }

  private static func seconds(_ days: Int) -> Duration { .seconds(86_400 * days) }

  /// The days before a change with those after it that have the same place, both known.
  private static func pairs(
    _ at: Instant, _ days: Int, without missing: [Range<Instant>]
  ) -> [(before: Range<Instant>, after: Range<Instant>)] {
    (0..<days).map { place in
      let (before, after) = (at - seconds(days - place), at + seconds(place))
      return (before..<before + seconds(1), after..<after + seconds(1))
    }.filter { pair in
      !missing.contains { $0.overlaps(pair.before) || $0.overlaps(pair.after) }
    }
  }

  private static func days(_ start: Instant, _ end: Instant) -> Int {
    Int((end.microseconds - start.microseconds) / day)
  }

  mutating func add(_ use: PeopleCount.Use, of person: Int) {
    if use.at >= changesAt { moveOn(to: use.at) }
    guard !open.isEmpty, use.userType == .freeUser else { return }
    var found: Flags = .active
    switch use.kind {
    case .blockedLimitReached, .blockedCooldown: found.insert(.blocked)
    case .subscriptionButtonTapped: found.insert(.tapped)
    default: break
    }
    for index in open {
      if person >= windows[index].flags.count {
        let missing = person + 1 - windows[index].flags.count
        windows[index].flags.append(contentsOf: repeatElement([], count: missing))
      }
      windows[index].flags[person].formUnion(found)
    }
  }

  private mutating func moveOn(to at: Int64) {
    open = windows.indices.filter { index in windows[index].days.contains { $0.contains(at) } }
    let bounds = windows.flatMap { $0.days.flatMap { [$0.lowerBound, $0.upperBound] } }
    changesAt = bounds.filter { $0 > at }.min() ?? .max
  }

  var found: [ExperimentData.Experiment] {
    experiments.indices.map { index in
      var experiment = experiments[index]
      experiment.before = Self.side(windows[2 * index])
      experiment.after = Self.side(windows[2 * index + 1])
      return experiment
    }
  }

  private static func side(_ window: Window) -> ExperimentData.Side {
    ExperimentData.Side(
      people: window.flags.count { $0.contains(.active) },
      blocked: window.flags.count { $0.contains(.blocked) },
      tapped: window.flags.count { $0.contains(.tapped) })
  }
}

extension Reader {
  /// Pairs of limits that were live together, by feature, from the relation `offer`.
  func limitSplits() throws -> [ExperimentData.LimitSplit] {
    try Feature.allCases.compactMap { feature in
      let limits = try Int.fetchAll(
        database,
        sql: """
          SELECT usage_limit FROM temp.offer WHERE feature = ?
          GROUP BY usage_limit ORDER BY count(*) DESC, usage_limit LIMIT 2
          """, arguments: [feature.rawValue]
      ).sorted()
      guard limits.count == 2 else { return nil }
      return try LimitOffers(limits.map { try offers(feature, $0) }).split(feature, limits)
    }
  }

  /// In no order.
  private func offers(_ feature: Feature, _ limit: Int) throws -> [LimitOffers.Offer] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT at, person, uses_left = 0, is_tap FROM temp.offer
        WHERE feature = ? AND usage_limit = ?
        """, arguments: [feature.rawValue, limit])
    return try Array(
      rows.map {
        LimitOffers.Offer(at: $0[0], person: $0[1], isAtLimit: $0[2], isTap: $0[3])
      })
  }
}

/// Popups, and taps on the subscription button, with two limits of a feature.
private struct LimitOffers {
  struct Offer {
    let at: Int64
    let person: Int
    let isAtLimit: Bool
    let isTap: Bool
  }

  /// The lower limit first.
  private let byLimit: [[Offer]]

  init(_ byLimit: [[Offer]]) {
    self.byLimit = byLimit
  }

  /// How long two limits must have been live together to be compared.
  static let shortestOverlap = Duration.seconds(86_400)

  /// Whether both limits were met in most of the days of 24 hours: one that was changed and changed
  /// back was never live beside the other.
  private func areTogether(_ times: [[Int64]], from start: Int64, to end: Int64) -> Bool {
    let day: Int64 = 86_400_000_000
    // The rest of less than a day belongs to the last one.
    let last = max(0, (end - start) / day - 1)
    let days = times.map { times in
      Set(times.filter { (start...end).contains($0) }.map { min(last, ($0 - start) / day) })
    }
    let both = days.dropFirst().reduce(days[0]) { $0.intersection($1) }
    return 2 * both.count > Int(last) + 1
  }

  /// Nil when the two were not live together.
  func split(_ feature: Feature, _ limits: [Int]) -> ExperimentData.LimitSplit? {
    let times = byLimit.map { $0.map(\.at) }
    guard let start = times.compactMap({ $0.min() }).max(),
      let end = times.compactMap({ $0.max() }).min(),
      Instant(microseconds: end) - Instant(microseconds: start) >= Self.shortestOverlap,
      areTogether(times, from: start, to: end)
    else { return nil }
    let sides = byLimit.map { offers in
      offers.filter { (start...end).contains($0.at) }
    }
    let people = sides.map { Set($0.filter { !$0.isTap }.map(\.person)) }
    let both = people[0].intersection(people[1])
    func side(_ index: Int) -> ExperimentData.Side {
      let alone = people[index].subtracting(both)
      return ExperimentData.Side(
        people: alone.count,
        blocked: alone.intersection(sides[index].filter(\.isAtLimit).map(\.person)).count,
        tapped: alone.intersection(sides[index].filter(\.isTap).map(\.person)).count)
    }
    return ExperimentData.LimitSplit(
      feature: feature, start: Instant(microseconds: start), end: Instant(microseconds: end),
      lowerLimit: limits[0], higherLimit: limits[1], lower: side(0), higher: side(1),
      seenWithBoth: both.count)
  }
}
