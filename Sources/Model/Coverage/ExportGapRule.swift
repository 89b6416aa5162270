/// Finds hours whose lines of the export were lost or are late: `docs/reports/days.md#export-gaps`.
///
/// An hour is silent when it has no line, or at most a tenth of what the same hour of earlier weeks
/// has. Silent hours in a row are a gap when the same hours of earlier weeks had enough lines.
package struct ExportGapRule {
  /// Fewer lines than this may be missing by chance in a whole day, or a day's length.
  package static let leastExpected = 30
  /// The same of fewer hours: a person's sitting has many lines, and quiet hours are many.
  static let leastOfHours = 100
  /// From so many hours on a run has a day's length.
  static let dayHours = 20
  /// A gap holds at most one line of so many that were expected.
  static let tolerance = 10
  /// Earlier weeks that are compared with, and how far back they may lie; without two of them,
  /// later ones count as well.
  static let weeks = 4
  static let fewestWeeks = 2
  static let farthestWeek = 8
  private static let hoursOfWeek = 168

  private let counts: [Int]
  private let start: Instant
  /// The first hour with a line; the ledger tells nothing of those before.
  private let first: Int
  private var gaps: [Range<Int>] = []
  private var found: [ExportGap] = []

  /// The gaps of the hours, oldest first; none while fewer than two weeks can be compared with.
  ///
  /// Hand in whole hours alone: the one at hand is silent before it is over.
  package static func gaps(in hours: ImportHours) -> [ExportGap] {
    guard let first = hours.counts.firstIndex(where: { $0 > 0 }) else { return [] }
    var rule = ExportGapRule(counts: hours.counts, start: hours.start, first: first)
    rule.findAll()
    return rule.found
  }

  private init(counts: [Int], start: Instant, first: Int) {
    self.counts = counts
    self.start = start
    self.first = first
  }

  private mutating func findAll() {
    var hour = first
    while hour < counts.count {
      var end = hour
      while end < counts.count, isSilent(end) { end += 1 }
      if end > hour { judge(hour..<end) }
      hour = end + 1
    }
  }

  private func isSilent(_ hour: Int) -> Bool {
    guard counts[hour] > 0 else { return true }
    guard let usual = usual(hour..<hour + 1, apartFrom: hour..<hour + 1) else { return false }
    return counts[hour] * Self.tolerance <= usual
  }

  private mutating func judge(_ run: Range<Int>) {
    // Day by day, so that the weeks before a long run are there to compare with.
    let expected = stride(from: run.lowerBound, to: run.upperBound, by: 24).reduce(0) { sum, hour in
      sum + (usual(hour..<min(hour + 24, run.upperBound), apartFrom: run) ?? 0)
    }
    let least = run.count >= Self.dayHours ? Self.leastExpected : Self.leastOfHours
    guard expected >= least, total(run) * Self.tolerance <= expected else { return }
    gaps.append(run)
    found.append(
      ExportGap(
        start: start + .seconds(3_600 * run.lowerBound),
        end: start + .seconds(3_600 * run.upperBound), expected: expected,
        isOpen: run.upperBound == counts.count))
  }

  /// The median of the same hours of the nearest weeks, the lower of two in the middle; nil without
  /// enough weeks.
  private func usual(_ hours: Range<Int>, apartFrom run: Range<Int>) -> Int? {
    var sums = (1...Self.farthestWeek).lazy
      .compactMap { total(hours, weeksLater: -$0, apartFrom: run) }.prefix(Self.weeks).sorted()
    if sums.count < Self.fewestWeeks {
      let later = (1...Self.weeks).compactMap { total(hours, weeksLater: $0, apartFrom: run) }
      sums = (sums + later).sorted()
    }
    return sums.count < Self.fewestWeeks ? nil : sums[(sums.count - 1) / 2]
  }

  /// Nil for a week that the ledger does not know, or in which lines are missing.
  private func total(
    _ hours: Range<Int>, weeksLater weeks: Int, apartFrom run: Range<Int>
  ) -> Int? {
    let by = weeks * Self.hoursOfWeek
    let other = hours.lowerBound + by..<hours.upperBound + by
    guard other.lowerBound >= first, other.upperBound <= counts.count, !other.overlaps(run),
      !gaps.contains(where: other.overlaps)
    else { return nil }
    return total(other)
  }

  private func total(_ hours: Range<Int>) -> Int { counts[hours].reduce(0, +) }
}
