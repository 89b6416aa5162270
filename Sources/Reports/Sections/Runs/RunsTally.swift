import Model
import Store

/// The runs of one period added up.
struct RunsTally {
  /// Newest first.
  private(set) var runs: [Run] = []
  private(set) var current = RunTotals()
  /// The two sides of the comparison.
  private(set) var compared = RunTotals()
  private(set) var previous = RunTotals()
  private(set) var byDay: [CivilDay: RunTotals] = [:]
  private(set) var byJob: [String: RunTotals] = [:]
  let days: [CivilDay]
  let cost: RunCost

  init(_ data: RunsData, context: ReportContext, calendar: ReportCalendar) {
    cost = RunCost(data)
    days = calendar.days(from: context.start, to: context.end)
    for run in data.runs where run.startedAt >= context.previousStart && run.startedAt < context.end
    {
      let amount = cost.amount(of: run)
      if let main = context.comparison.main {
        if main.previous.contains(run.startedAt) { previous.add(run, cost: amount) }
        if main.current.contains(run.startedAt) { compared.add(run, cost: amount) }
      }
      guard run.startedAt >= context.start else { continue }
      runs.append(run)
      current.add(run, cost: amount)
      byDay[calendar.day(of: run.startedAt), default: RunTotals()].add(run, cost: amount)
      byJob[run.job, default: RunTotals()].add(run, cost: amount)
    }
  }

  /// One of the totals for each day of the period.
  func byDay(_ total: KeyPath<RunTotals, Int>) -> [Int] {
    days.map { byDay[$0]?[keyPath: total] ?? 0 }
  }
}

/// Some runs added up: those of a day, of a job or of a period.
struct RunTotals {
  var runs = 0
  var successes = 0
  var fetched = 0
  var billedReads = 0
  var bytes = 0
  /// In the currency of the report.
  var cost = 0.0
  /// The seconds of each ended run.
  var durations: [Double] = []

  /// Ignores a run that the lock refused, because it never began.
  mutating func add(_ run: Run, cost amount: Double) {
    guard run.outcome != .locked else { return }
    runs += 1
    if run.outcome.isSuccess { successes += 1 }
    fetched += run.counts.fetched
    billedReads += run.counts.billedReads
    bytes += run.counts.bytes
    cost += amount
    if let endedAt = run.endedAt { durations.append((endedAt - run.startedAt).fractionalSeconds) }
  }

  /// The median duration; of an even number of runs, the longer of the two in the middle.
  var medianSeconds: Double? {
    durations.isEmpty ? nil : durations.sorted()[durations.count / 2]
  }

  var successRatio: Ratio { Ratio(successes, of: runs) }
}

/// The cost of billed reads in the currency of the report.
struct RunCost {
  /// The present price.
  let price: ReadPrice

  init(_ data: RunsData) {
    price = data.price
  }

  /// The recorded cost, or the cost by the present price when none is recorded in its currency.
  func amount(of run: Run) -> Double {
    guard let cost = run.estimatedCost, cost.currency == price.currency else {
      return price.cost(of: run.counts.billedReads).amount
    }
    return cost.amount
  }

  /// What a run or a job read, and what that cost.
  var columns: [Column<(reads: Int, bytes: Int, amount: Double)>] {
    [
      Column("reads", "Billed reads") { .count($0.reads) },
      Column("bytes", "Bytes") { .count($0.bytes) },
      Column("cost", "Estimated cost") { cell($0.amount) },
    ]
  }

  /// Rounded to the millionth of a unit, as in every format.
  func cell(_ amount: Double) -> Cell {
    .money((amount * 1_000_000).rounded() / 1_000_000, currency: price.currency)
  }
}
