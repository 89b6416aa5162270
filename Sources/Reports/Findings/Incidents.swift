import Model

/// Days on which the app or its export stood still: docs/findings.md#outages.
///
/// An incident explains every figure of its days, however many days it lasts.
struct Incident: Hashable {
  enum Kind: Hashable {
    /// People could not use the app, or its analytics did not work.
    case outage
    /// The app was used, or may have been; the lines of whole days did not arrive.
    case lostExport

    var rule: FindingRule { self == .outage ? .outage : .lostExport }
  }

  var kind: Kind
  /// Indices of complete days.
  var days: ClosedRange<Int>
}

/// Finds incidents in the complete days of a history.
struct Incidents {
  /// Days after which a gap that nobody closed is no news.
  static let newsDays = 7
  /// A gap of this number of hours is a lost export, which has the lines of a whole day.
  static let exportHours = 20.0
  /// What of the usual is left, at most, when an app stands still for some hours.
  static let severePart = 0.5
  /// Deviations that two series need together, and those that they need when neither has fallen to
  /// a third.
  static let deviations = 2.0
  static let deviationsOfHalf = 3.0
  static let collapsedPart = 1.0 / 3
  /// Less than one in this number of the usual lines is next to none for a day.
  ///
  /// A silent hour needs at least one in this number of a day's lines usually, to be an outage.
  static let fewLines = 10

  let anomalies: DayAnomalies
  let gaps: [ExportGap]
  /// Lines of the day that is running.
  var linesToday = 0

  private enum DayState {
    case fine, silent, fallen
  }

  /// The news, newest first, without an outage that is over.
  func found() -> [Incident] {
    // An outage that is over needs nobody; lines that are missing still can be had.
    all(in: max(0, days.count - Self.newsDays)..<days.count).filter {
      $0.kind == .lostExport || $0.days.upperBound == days.count - 1
    }
  }

  /// Those that end on one of the days, newest first.
  func all(in range: Range<Int>) -> [Incident] {
    var found: [Incident] = []
    var day = range.upperBound - 1
    while day >= range.lowerBound {
      let last = day
      guard state(of: last) != .fine else {
        day -= 1
        continue
      }
      while day > 0, state(of: day - 1) != .fine { day -= 1 }
      let span = day...last
      found.append(Incident(kind: kind(of: span), days: span))
      day -= 1
    }
    return found
  }

  /// Whether the usual lines of its last day reach the floor of its rule, if the owner set one.
  func reachesFloor(_ incident: Incident) -> Bool {
    guard let floor = anomalies.settings.floors[incident.kind.rule] else { return true }
    return usualLines(before: incident.days.upperBound).median >= floor
  }

  /// Whether an incident touches the day, however long ago.
  func isUnusual(_ day: Int) -> Bool { state(of: day) != .fine }

  private var days: [DayFacts] { anomalies.days }

  private func state(of day: Int) -> DayState {
    guard day >= firstKnownDay, !anomalies.isQuiet(day) else { return .fine }
    if days[day].coverage == .none || lacksLines(day) { return .silent }
    if let gap = gap(on: day), hours(of: gap) >= Self.exportHours { return .silent }
    return !fallen(on: day).isEmpty || isLargeGap(on: day) ? .fallen : .fine
  }

  /// Whether the export brought next to nothing of a day that others have much of.
  private func lacksLines(_ day: Int) -> Bool {
    let usual = usualLines(before: day)
    guard usual.count >= AnomalyRule.fewestDays,
      usual.median >= Double(ExportGapRule.leastExpected)
    else { return false }
    return Double(days[day].exportLines * Self.fewLines) <= usual.median
  }

  /// The lines of the same weekdays that can be compared with.
  func usualLines(before day: Int) -> [Double] {
    anomalies.sameWeekdays(before: day)
      .filter { days[$0].isUndisturbed && !anomalies.isQuiet($0) }
      .map { Double(days[$0].exportLines) }
  }

  /// Whether the lines that are missing would have been a good part of the day's.
  private func isLargeGap(on day: Int) -> Bool {
    guard let gap = gap(on: day) else { return false }
    return gap.expected * Self.fewLines >= gap.expected + days[day].exportLines
  }

  /// The series at half of the usual or less on a day, if there are at least two.
  ///
  /// Two together need fewer deviations than one alone.
  func fallen(on day: Int) -> [DayAnomaly] {
    let fallen = [DaySeries.people, .taps, .exportLines].compactMap { series in
      anomalies.anomaly(of: series, on: day, beyond: Self.deviations)
    }.filter { $0.direction == .fell && $0.part <= Self.severePart }
    let isSure =
      fallen.contains { $0.part <= Self.collapsedPart }
      || fallen.filter { fallen in
        anomalies.anomaly(of: fallen.series, on: day, beyond: Self.deviationsOfHalf) != nil
      }.count >= 2
    return fallen.count >= 2 && isSure ? fallen : []
  }

  /// Whether the gap of the last complete day reaches its end, and no line came since.
  func isOpen(_ day: Int) -> Bool {
    guard day == days.count - 1, let gap = gap(on: day) else { return false }
    return gap.end >= days[day].end && linesToday == 0
  }

  /// The days before the first whole one are those before the ledger begins.
  private var firstKnownDay: Int {
    days.firstIndex { $0.coverage == .whole } ?? days.count
  }

  /// The longest gap in the lines of a day.
  func gap(on day: Int) -> ExportGap? {
    gaps.filter { $0.overlaps(days[day]) }
      .max { hours(of: $0) < hours(of: $1) }
  }

  func hours(of gap: ExportGap) -> Double { (gap.end - gap.start).fractionalSeconds / 3_600 }

  private func kind(of span: ClosedRange<Int>) -> Incident.Kind {
    let isFallen = span.contains { state(of: $0) == .fallen }
    return isFallen || span.contains(where: nobodyWasOnline) ? .outage : .lostExport
  }

  /// Whether the loads of users saw far fewer people online than on the same weekdays.
  ///
  /// The export does not contain this number, so it distinguishes an outage from lost lines.
  private func nobodyWasOnline(on day: Int) -> Bool {
    guard let online = days[day].onlineNow else { return false }
    let usual = anomalies.sameWeekdays(before: day).filter { !anomalies.isQuiet($0) }
      .compactMap { days[$0].onlineNow.map(Double.init) }
    guard usual.count >= AnomalyRule.fewestDays, usual.median >= 5 else { return false }
    return Double(online) * 3 < usual.median
  }
}
