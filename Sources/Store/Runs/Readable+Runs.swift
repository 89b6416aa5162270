import GRDB
package import Model

extension Readable {
  /// The runs that started from `start` (inclusive) to `end` (exclusive), newest first; a nil end
  /// is open.
  package func runs(from start: Instant, to end: Instant? = nil) throws -> [Run] {
    try runs(
      "WHERE started_at >= ? AND started_at < ? ORDER BY started_at DESC, id DESC",
      [start.microseconds, end?.microseconds ?? .max])
  }

  /// The newest runs that a selection asks for, newest first.
  package func runs(_ selection: RunSelection, limit: Int) throws -> [Run] {
    let (condition, arguments) = selection.condition
    return try runs(
      "WHERE \(condition) ORDER BY started_at DESC, id DESC LIMIT ?",
      arguments + StatementArguments([limit]))
  }

  package func run(id: Int64) throws -> Run? {
    try runs("WHERE id = ?", [id]).first
  }

  package func hasRuns(ofJob name: String) throws -> Bool {
    try reader.hasRow(in: "sync_runs", where: "job = ?", [name])
  }

  /// The newest snapshot that any run of a job has read; nil for none.
  package func newestReadTime(ofJob name: String) throws -> Instant? {
    try reader.instant("SELECT max(read_time) FROM sync_runs WHERE job = ?", [name])
  }

  /// Whether a run of a job has stored this very snapshot, wholly or in part.
  package func hasLoaded(job name: String, at readTime: Instant) throws -> Bool {
    try reader.hasRow(
      in: "sync_runs", where: "job = ? AND read_time = ? AND outcome IN ('ok', 'partial')",
      [name, readTime.microseconds])
  }

  /// The last run of each job, by job name.
  ///
  /// Here and below a run dated too far after `now` counts as missing:
  /// docs/running.md#times-in-the-future.
  package func lastRuns(at now: Instant) throws -> [String: Run] {
    try lastRuns(at: now, where: "true")
  }

  /// The last run of each job that neither a limit nor the lock prevented, by job name.
  package func lastJudgedRuns(at now: Instant) throws -> [String: Run] {
    try lastRuns(at: now, where: "refused_by IS NULL OR refused_by = 'need'")
  }

  /// The last run of each job that nothing prevented from beginning, by job name.
  package func lastBegunRuns(at now: Instant) throws -> [String: Run] {
    try lastRuns(at: now, where: "refused_by IS NULL")
  }

  /// The last run of each job that succeeded, by job name.
  package func lastSuccesses(at now: Instant) throws -> [String: Run] {
    try lastRuns(at: now, where: Self.succeeded)
  }

  /// The failures of each job since it last succeeded, by job name; none for one that last did.
  package func failureStreaks(at now: Instant) throws -> [String: FailureStreak] {
    let streaks = try reader.rows(
      """
      SELECT job, min(started_at) AS since, count(*) AS runs FROM sync_runs
      LEFT JOIN (
        SELECT job AS good, max(id) AS last FROM sync_runs
        WHERE \(Self.succeeded) AND started_at <= ?1 GROUP BY job
      ) ON good = job
      WHERE outcome = 'failed' AND started_at <= ?1 AND id > coalesce(last, 0) GROUP BY job
      """, [now.latestCounted.microseconds]
    ) { row -> (job: String, streak: FailureStreak) in
      (row["job"], FailureStreak(since: row.requiredInstant("since"), runs: row["runs"]))
    }
    return Dictionary(streaks.map { ($0.job, $0.streak) }) { _, last in last }
  }

  /// The runs, or those of one job, that are dated too far after `now` to count; nil without any.
  package func futureRuns(at now: Instant, job: String? = nil) throws -> FutureRuns? {
    let condition = "started_at > ?1 AND job = coalesce(?2, job)"
    let arguments: StatementArguments = [now.latestCounted.microseconds, job]
    let latest = try runs("WHERE \(condition) ORDER BY started_at DESC, id DESC LIMIT 1", arguments)
    return try latest.first.map { latest in
      FutureRuns(
        count: try reader.count("SELECT count(*) FROM sync_runs WHERE \(condition)", arguments),
        latest: latest)
    }
  }

  /// The billed reads of the runs that started from `start` (inclusive) to `end` (exclusive).
  ///
  /// A running run counts with its reads at its last commit.
  package func billedReads(from start: Instant, to end: Instant) throws -> Int {
    try reader.count(
      "SELECT sum(billed_reads) FROM sync_runs WHERE started_at >= ? AND started_at < ?",
      [start.microseconds, end.microseconds])
  }

  /// Whether a run succeeded, in SQL.
  static var succeeded: String {
    let successes = Run.Outcome.allCases.filter(\.isSuccess).map { "'\($0.rawValue)'" }
    return "outcome IN (\(successes.joined(separator: ", ")))"
  }

  private func lastRuns(at now: Instant, where condition: String) throws -> [String: Run] {
    let last = try runs(
      """
      WHERE id IN (SELECT max(id) FROM sync_runs WHERE (\(condition)) AND started_at <= ?
        GROUP BY job)
      """, [now.latestCounted.microseconds])
    return Dictionary(last.map { ($0.job, $0) }) { _, later in later }
  }

  private func runs(_ clause: String, _ arguments: StatementArguments) throws -> [Run] {
    try reader.rows("SELECT * FROM sync_runs \(clause)", arguments) { try Run($0) }
  }
}

extension Run {
  fileprivate init(_ row: Row) throws {
    self.init(
      id: row["id"], job: row["job"], kind: row["kind"],
      trigger: try row.choice("trigger", of: "sync_runs"),
      startedAt: row.requiredInstant("started_at"), endedAt: row.instant("ended_at"),
      outcome: try row.choice("outcome", of: "sync_runs"))
    (counts, estimatedCost) = (try RunCounts(row), Money(row))
    refusedBy = try row.choiceIfAny("refused_by", of: "sync_runs")
    readTime = row.instant("read_time")
    warnings = try row.json("warnings", of: "sync_runs")
    (error, exitStatus) = (row["error"], row["exit_status"])
    edition = try row.choiceIfAny("edition", of: "sync_runs")
  }
}

extension Money {
  fileprivate init?(_ row: Row) {
    guard let amount: Double = row["estimated_cost"], let currency: String = row["currency"] else {
      return nil
    }
    self.init(amount: amount, currency: currency)
  }
}

extension RunCounts {
  fileprivate init(_ row: Row) throws {
    self.init(
      fetched: row["fetched"], inserted: row["inserted"], updated: row["updated"],
      unchanged: row["unchanged"], deleted: row["deleted"],
      skipped: try row.json("skipped", of: "sync_runs"), billedReads: row["billed_reads"],
      bytes: row["bytes"], requests: row["requests"], retries: row["retries"])
  }
}

extension Writer {
  /// Stores a run that begins and returns its id.
  ///
  /// Until `finish` the row reads as if the process was killed.
  package func begin(_ run: Run) throws -> Int64 {
    try insert(into: "sync_runs", try Self.values(of: run))
  }

  /// Overwrites the run's row when it has ended, and stores what was logged about it.
  ///
  /// - Precondition: `run.id` is the result of `begin`.
  package func finish(_ run: Run, log: RunLog = RunLog()) throws {
    guard let id = run.id else { preconditionFailure("a run is begun before it is finished") }
    let values = try Self.values(of: run)
    let assignments = values.map { "\($0.column) = ?" }.joined(separator: ", ")
    try self.run(
      "UPDATE sync_runs SET \(assignments) WHERE id = ?",
      StatementArguments(values.map(\.value) + [id]))
    try append(log, toRun: id)
  }

  /// Removes the runs that are dated too far after `now` to count, with their logs, and returns
  /// their number.
  ///
  /// Incidents go with them.
  package func removeFutureRuns(at now: Instant) throws -> Int {
    try removeFutureIncidents(at: now)
    return try run(
      "DELETE FROM sync_runs WHERE started_at > ?",
      [now.latestCounted.microseconds])
  }

  package func addWarning(_ warning: String, toRun id: Int64) throws {
    try run(
      "UPDATE sync_runs SET warnings = json_insert(warnings, '$[#]', ?) WHERE id = ?",
      [warning, id])
  }

  /// Stores the reads so far, so that the day's count is right even if the run is killed.
  ///
  /// - Precondition: the run has begun and not ended.
  package func setBilledReads(_ count: Int, ofRun id: Int64) throws {
    try run("UPDATE sync_runs SET billed_reads = ? WHERE id = ?", [count, id])
  }

  private static func values(of run: Run) throws -> [ColumnValue] {
    let counts = run.counts
    return [
      ("job", run.job),
      ("kind", run.kind),
      ("trigger", run.trigger.rawValue),
      ("started_at", run.startedAt.microseconds),
      ("ended_at", run.endedAt?.microseconds),
      ("outcome", run.outcome.rawValue),
      ("refused_by", run.refusedBy?.rawValue),
      ("fetched", counts.fetched),
      ("inserted", counts.inserted),
      ("updated", counts.updated),
      ("unchanged", counts.unchanged),
      ("deleted", counts.deleted),
      ("skipped", counts.skipped.isEmpty ? "{}" : try StoredJSON.text(of: counts.skipped)),
      ("billed_reads", counts.billedReads),
      ("bytes", counts.bytes),
      ("requests", counts.requests),
      ("retries", counts.retries),
      ("estimated_cost", run.estimatedCost?.amount),
      ("currency", run.estimatedCost?.currency),
      ("read_time", run.readTime?.microseconds),
      ("warnings", run.warnings.isEmpty ? "[]" : try StoredJSON.text(of: run.warnings)),
      ("error", run.error),
      ("exit_status", run.exitStatus),
      ("edition", run.edition?.rawValue),
    ]
  }
}

extension Readable {
  /// What the runs report needs: the store's part, and what the job files and the workspace say.
  package func runsData(
    _ context: ReportContext, jobs: [RunsData.JobSummary], price: ReadPrice = .example
  ) throws -> RunsData {
    var data = try runsData(jobs: jobs, price: price, now: context.now)
    data.runs = try runs(from: context.previousStart, to: context.end)
      .filter { $0.startedAt.counts(at: context.now) }
    data.incidents = try incidents(from: context.start, to: context.end)
    data.beginsAt = try reader.instant(
      "SELECT min(started_at) FROM sync_runs WHERE started_at <= ?",
      [context.now.latestCounted.microseconds])
    return data
  }

  /// How every job stands, without the runs of a period.
  package func runsData(
    jobs: [RunsData.JobSummary], price: ReadPrice = .example, now: Instant
  ) throws -> RunsData {
    var data = RunsData(
      jobs: jobs, runs: [], lastRuns: try lastRuns(at: now),
      lastJudgedRuns: try lastJudgedRuns(at: now), lastSuccesses: try lastSuccesses(at: now),
      price: price)
    data.futureRuns = try futureRuns(at: now)
    data.failures = try failureStreaks(at: now)
    data.openIncidents = try openIncidents(at: now).filter { !$0.isOver }
    return data
  }

  /// The billed reads of runs that began from `start` (inclusive) to `end` (exclusive).
  ///
  /// By the cost that a run recorded in the currency of `price`, else by the price of the run's
  /// edition, else by `price`.
  package func billedReads(
    from start: Instant, to end: Instant, price: ReadPrice,
    prices: [FirestoreEdition: ReadPrice] = [:]
  ) throws -> MoneyData.Reads {
    func rate(_ edition: FirestoreEdition) -> Double {
      (prices[edition] ?? price).per100kReads / 100_000
    }
    return try reader.first(
      """
      SELECT coalesce(sum(billed_reads), 0),
        coalesce(sum(CASE WHEN currency = ?3 THEN estimated_cost ELSE billed_reads
          * CASE edition WHEN 'standard' THEN ?5 WHEN 'enterprise' THEN ?6 ELSE ?4 END END), 0.0)
      FROM sync_runs
      WHERE started_at >= ?1 AND started_at < ?2 AND billed_reads > 0 AND outcome <> 'locked'
      """,
      [
        start.microseconds, end.microseconds, price.currency, price.per100kReads / 100_000,
        rate(.standard), rate(.enterprise),
      ]
    ) { MoneyData.Reads(count: $0[0], amount: $0[1]) } ?? MoneyData.Reads()
  }

  /// The edition that billed the latest run whose edition is known; nil without one.
  package func lastEdition() throws -> FirestoreEdition? {
    try reader.first(
      "SELECT edition FROM sync_runs WHERE edition IS NOT NULL ORDER BY id DESC LIMIT 1"
    ) { try $0.choice("edition", of: "sync_runs") }
  }

  /// What was logged about a run; empty for one that was killed, and for those of old.
  package func log(ofRun id: Int64) throws -> RunLog {
    var log: RunLog?
    try reader.forEachRow(
      "SELECT number, logged_at, level, message FROM run_logs WHERE run_id = ? ORDER BY number",
      [id]
    ) { row in
      let line = RunLog.LoggedLine(
        at: row.requiredInstant("logged_at"),
        level: try row.choice("level", of: "run_logs"), message: row["message"])
      let number: Int = row["number"]
      log = log ?? RunLog(omittedCount: number - 1)
      log?.append(line)
    }
    return log ?? RunLog()
  }
}

extension Writer {
  /// Adds lines to those that are stored of the run.
  func append(_ log: RunLog, toRun id: Int64) throws {
    let stored = try reader.count("SELECT max(number) FROM run_logs WHERE run_id = ?", [id])
    for (index, line) in log.lines.enumerated() {
      try insert(
        into: "run_logs",
        [
          ("run_id", id), ("number", stored + log.omittedCount + index + 1),
          ("logged_at", line.at.microseconds), ("level", line.level.rawValue),
          ("message", line.message),
        ])
    }
  }
}

package struct RunSelection: Hashable, Sendable {
  /// Nil: of every job.
  package var job: String?
  /// Only those that failed, were interrupted, or that a needed job or a read budget blocked.
  package var onlyFailed: Bool
  /// Ids of runs that go on, which are not failures.
  package var running: Set<Int64>

  package init(job: String? = nil, onlyFailed: Bool = false, running: Set<Int64> = []) {
    self.job = job
    self.onlyFailed = onlyFailed
    self.running = running
  }

  private var values: StatementArguments {
    StatementArguments([job].compactMap(\.self))
      + StatementArguments(onlyFailed ? running.sorted() : [])
  }

  /// The SQL after `WHERE`, with its values.
  var condition: (sql: String, values: StatementArguments) {
    var conditions = ["true"]
    if job != nil { conditions.append("job = ?") }
    if onlyFailed {
      let places = databaseQuestionMarks(count: running.count)
      conditions += [
        "outcome IN ('failed', 'interrupted', 'blocked')",
        "(refused_by IS NULL OR refused_by = 'need')", "id NOT IN (\(places))",
      ]
    }
    return (conditions.joined(separator: " AND "), values)
  }
}
