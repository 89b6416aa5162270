import ArgumentParser
import Reports

/// The options of the period that is counted.
struct PeriodOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "Number of days that are counted, 1 to 366.")
  var days: Int?

  @Option(
    help: ArgumentHelp(
      "yesterday, last-week, last-month or two days: 2026-11-01..2026-11-14.",
      valueName: "period"), completion: NameCompletion.periods)
  var period: ReportPeriod?

  /// The period that one of them names; nil without them.
  var named: ReportPeriod? { period ?? days.map(ReportPeriod.days) }

  func validate() throws {
    try ReportPeriod.dayCounts.check(days, "--days")
    guard days == nil || period == nil else {
      throw ValidationError("Give either --days or --period, not both.")
    }
  }
}
