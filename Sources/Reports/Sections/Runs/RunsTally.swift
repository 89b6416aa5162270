import Model
import Store

/// The runs of one period added up.
struct RunsTally {
  private(set) var current = RunTotals()
  /// The two sides of the comparison.
  private(set) var compared = RunTotals()
  private(set) var previous = RunTotals()
  private var byDay: [CivilDay: RunTotals] = [:]
  private let days: [CivilDay]

  init(_ data: RunsData, context: ReportContext, calendar: ReportCalendar) {
    days = calendar.days(from: context.start, to: context.end)
    for run in data.runs where run.startedAt >= context.previousStart && run.startedAt < context.end
    {
      let amount = data.cost(of: run)
      if let main = context.comparison.main {
        if main.previous.contains(run.startedAt) { previous.add(run, cost: amount) }
        if main.current.contains(run.startedAt) { compared.add(run, cost: amount) }
      }
      guard run.startedAt >= context.start else { continue }
      current.add(run, cost: amount)
      byDay[calendar.day(of: run.startedAt), default: RunTotals()].add(run, cost: amount)
    }
  }

  /// One of the totals for each day of the period.
  func byDay(_ total: KeyPath<RunTotals, Int>) -> [Int] {
    days.map { byDay[$0]?[keyPath: total] ?? 0 }
  }
}

/// Some runs added up: those of a day or of a period.
struct RunTotals {
  var runs = 0
  var successes = 0
  var billedReads = 0
  /// In the currency of the report.
  var cost = 0.0

  /// Ignores a run that the lock refused, because it never began.
  mutating func add(_ run: Run, cost amount: Double) {
    guard run.outcome != .locked else { return }
    runs += 1
    if run.outcome.isSuccess { successes += 1 }
    billedReads += run.counts.billedReads
    cost += amount
  }
}
