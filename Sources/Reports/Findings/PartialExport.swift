import Model

/// Finds days that lack a part of their lines, though the app was used as always:
/// docs/findings.md#missing-lines.
struct PartialExport {
  /// Hours at an end of the day without lines.
  static let fewestHours = 3.0
  /// The events of the typical person on a thinned day, at most, as a part of the least and of the
  /// median of the days before: people who do less do a part of their things whole, and each person
  /// as many.
  static let mostOfLowest = 0.75
  static let mostOfUsual = 0.7
  /// Days that it is compared with, at least.
  static let fewestDays = 14
  /// What is left of a thinned day's lines, at most.
  static let mostLines = 0.8
  /// Hours that have a fiftieth of the day's lines must have some.
  static let leastHourShare = 0.02
  /// How far a feature, and actions and popups, may differ from the part of the taps, when they
  /// have at least `leastUsual` usually.
  static let alike = 0.65...1.55
  static let leastUsual = 30.0
  /// What is left at most of the people when the loads saw the usual number online, and of those
  /// online at least.
  static let mostPeople = 0.6
  static let leastOnline = 0.8

  let days: JudgedDays
  let anomalies: DayAnomalies
  let incidents: Incidents
  let counts: HourCounts

  /// Why lines must be missing.
  enum Sign: Hashable {
    /// None came from then on, or up to then, and all before or after.
    case cut(ExportGap)
    /// Each person has fewer, and so have all features and hours.
    case thinned(part: Double)
    /// As many people were online as always.
    case othersOnline(part: Double, online: Int)
  }

  /// Nil for a day without such a sign.
  func sign(on day: Int) -> Sign? {
    guard day >= days.firstWhole, days.days[day].coverage != .none,
      days.days[day].exportLines > 0
    else { return nil }
    if let sign = cut(on: day) ?? othersOnline(on: day) { return sign }
    // Lines that are missing day after day are no accident of one export: people do less.
    return day > 0 && thinned(on: day - 1) != nil ? nil : thinned(on: day)
  }

  private func cut(on day: Int) -> Sign? {
    guard let gap = incidents.gap(on: day), incidents.hours(of: gap) >= Self.fewestHours,
      !incidents.isOpen(day), !hasFewOnline(day)
    else { return nil }
    let facts = days.days[day]
    return gap.end == facts.end || gap.start == facts.start ? .cut(gap) : nil
  }

  private func othersOnline(on day: Int) -> Sign? {
    guard let online = days.days[day].onlineNow, let usualOnline = usualOnline(day),
      usualOnline >= 5, Double(online) >= Self.leastOnline * usualOnline,
      let part = part(of: day, { Double($0.activeUsers) }), part <= Self.mostPeople,
      !incidents.fallen(on: day).isEmpty
    else { return nil }
    return .othersOnline(part: part, online: online)
  }

  private func hasFewOnline(_ day: Int) -> Bool {
    guard let online = days.days[day].onlineNow, let usual = usualOnline(day) else {
      return false
    }
    return Double(online) < Self.leastOnline * usual
  }

  private func thinned(on day: Int) -> Sign? {
    let typical = days.days[day].concentration.typical
    let before = days.usual(before: day).map { days.days[$0].concentration.typical }.filter {
      $0 > 0
    }
    guard typical > 0, before.count >= Self.fewestDays, let lowest = before.min(),
      typical <= Self.mostOfLowest * lowest, typical <= Self.mostOfUsual * before.median,
      let lines = part(of: day, { Double($0.exportLines) }), lines <= Self.mostLines,
      let taps = part(of: day, { Double($0.taps) }), !hasFewOnline(day)
    else { return nil }
    return hasAllHours(day) && areAlike(day, taps)
      ? .thinned(part: typical / before.median) : nil
  }

  /// Whether every hour that usually has lines has some.
  private func hasAllHours(_ day: Int) -> Bool {
    let references = references(day)
    let sums = (0..<24).map { hour in references.reduce(0) { $0 + counts.hours[$1][hour] } }
    let total = Double(sums.reduce(0, +))
    let expected = Double(counts.hours[day].reduce(0, +))
    return (0..<24).allSatisfy { hour in
      let share = Double(sums[hour]) / max(total, 1)
      return share < Self.leastHourShare || share * expected < 5 || counts.hours[day][hour] > 0
    }
  }

  /// Whether the taps of features, the actions and the popups fell as the taps of all did.
  private func areAlike(_ day: Int, _ taps: Double) -> Bool {
    let features = Array(counts.uses.filter { $0.key.kind == .buttonTapped }.values)
    return (features + [days.days.map(\.performed), days.days.map(\.popups)])
      .allSatisfy { counts in
        let usual = references(day).map { Double(counts[$0]) }.median
        return usual < Self.leastUsual
          || Self.alike.contains(Double(counts[day]) / usual / taps)
      }
  }

  private func usualOnline(_ day: Int) -> Double? {
    usual(day) { $0.onlineNow.map(Double.init) }
  }

  /// A figure as a part of the usual one.
  private func part(of day: Int, _ figure: (DayFacts) -> Double?) -> Double? {
    guard let usual = usual(day, figure), usual > 0 else { return nil }
    return figure(days.days[day]).map { $0 / usual }
  }

  /// Nil when too few of the days that are compared with have it.
  private func usual(_ day: Int, _ figure: (DayFacts) -> Double?) -> Double? {
    let known = references(day).compactMap { figure(days.days[$0]) }
    return known.count >= AnomalyRule.fewestDays ? known.median : nil
  }

  private func references(_ day: Int) -> [Int] {
    anomalies.sameWeekdays(before: day).filter { days.isUsual[$0] }
  }
}
