import Model

/// The runs of one period added up.
struct RunsTally {
  /// Of some runs: a day's, a job's or all.
  struct Totals {
    var runs = 0
    var successes = 0
    var fetched = 0
    var billedReads = 0
    var bytes = 0
    /// In the currency of the report.
    var cost = 0.0
    /// Seconds of each run that ended.
    var durations: [Double] = []

    mutating func add(_ run: Run, cost amount: Double) {
      runs += 1
      if run.outcome.isSuccess { successes += 1 }
      fetched += run.counts.fetched
      billedReads += run.counts.billedReads
      bytes += run.counts.bytes
      cost += amount
      if let endedAt = run.endedAt { durations.append((endedAt - run.startedAt).fractionalSeconds) }
    }

    /// The middle duration; of an even number the longer of the two in the middle.
    var medianSeconds: Double? {
      durations.isEmpty ? nil : durations.sorted()[durations.count / 2]
    }

    var successRatio: Ratio { Ratio(successes, of: runs) }
  }

  struct Skip: Hashable {
    var job: String
    var reason: String
  }

  /// Newest first.
  private(set) var runs: [Run] = []
  private(set) var current = Totals()
  private(set) var previous = Totals()
  private(set) var byDay: [CivilDay: Totals] = [:]
  private(set) var byJob: [String: Totals] = [:]
  private(set) var skips: [Skip: Int] = [:]
  let days: [CivilDay]
  let cost: RunCost

  init(_ facts: RunsFacts, frame: ReportFrame, calendar: ReportCalendar) {
    cost = RunCost(facts)
    days = calendar.days(from: frame.start, to: frame.end)
    for run in facts.runs where run.startedAt >= frame.previousStart && run.startedAt < frame.end {
      let amount = cost.amount(of: run)
      guard run.startedAt >= frame.start else {
        previous.add(run, cost: amount)
        continue
      }
      runs.append(run)
      current.add(run, cost: amount)
      byDay[calendar.day(of: run.startedAt), default: Totals()].add(run, cost: amount)
      byJob[run.job, default: Totals()].add(run, cost: amount)
      for (reason, count) in run.counts.skipped {
        skips[Skip(job: run.job, reason: reason), default: 0] += count
      }
    }
  }

  /// One of the numbers for each day of the period.
  func byDay(_ number: KeyPath<Totals, Int>) -> [Int] {
    days.map { byDay[$0]?[keyPath: number] ?? 0 }
  }
}
