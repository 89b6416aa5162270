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
      var experiment = ExperimentData.Experiment(
        at: at, changes: changes.filter { $0.changedAt == at }, days: days, longest: longest,
        overlapping: others.reversed())
      experiment.leftOut = days - Self.pairs(at, days, without: missing).count
      experiment.missing = missing.filter { $0.overlaps(span) }.map(\.lowerBound)
      return experiment
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
    for index in open { add(found, of: person, in: index) }
  }

  /// What becomes of a day in the windows.
  enum DayPlace {
    /// Whole in these.
    case whole(in: [Int])
    /// A window holds a part of it, so that its events have to be counted.
    case cut
  }

  func place(of day: Range<Int64>) -> DayPlace {
    let length = day.upperBound - day.lowerBound
    var whole: [Int] = []
    for (index, window) in windows.enumerated() {
      let held = window.days.reduce(0) { $0 + max(0, $1.clamped(to: day).count64) }
      if held == length { whole.append(index) } else if held > 0 { return .cut }
    }
    return .whole(in: whole)
  }

  /// Counts what a person did on a day that is whole in these windows.
  mutating func add(_ row: PersonDayRow, in windows: [Int]) {
    guard !windows.isEmpty, row.flags.contains(.free) else { return }
    var found: Flags = .active
    if row.flags.contains(.freeBlocked) { found.insert(.blocked) }
    if row.flags.contains(.subscriptionTap) { found.insert(.tapped) }
    for index in windows { add(found, of: row.person, in: index) }
  }

  private mutating func add(_ found: Flags, of person: Int, in window: Int) {
    if person >= windows[window].flags.count {
      let missing = person + 1 - windows[window].flags.count
      windows[window].flags.append(contentsOf: repeatElement([], count: missing))
    }
    windows[window].flags[person].formUnion(found)
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

extension Range<Int64> {
  fileprivate var count64: Int64 { upperBound - lowerBound }
}
