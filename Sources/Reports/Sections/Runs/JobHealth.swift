package import Model
package import Store

/// One job with its last runs, and whether it keeps its schedule.
package struct JobHealth: Sendable {
  package let job: RunsData.JobSummary
  package let lastRun: Run?
  /// The last run that neither a limit nor the lock refused.
  let lastJudgedRun: Run?
  package let lastSuccess: Run?
  /// Whether the last run is in progress.
  package let isRunning: Bool
  package let freshness: JobFreshness
  /// The worst level of its own state and of the jobs that it blocks.
  package private(set) var level: Level

  /// Every job of the workspace, each after the jobs that it needs.
  package static func all(_ data: RunsData) -> [JobHealth] {
    let all = data.jobs.map { JobHealth($0, data) }
    return all.map { health in
      guard health.level > .pass else { return health }
      let blocked = all.filter { other in
        other.isBlockedByNeed && other.job.needs.contains(health.job.name)
      }
      var health = health
      health.level = blocked.map(\.level).reduce(health.level, max)
      return health
    }
  }

  private init(_ job: RunsData.JobSummary, _ data: RunsData) {
    self.job = job
    lastRun = data.lastRuns[job.name]
    lastJudgedRun = data.lastJudgedRuns[job.name]
    lastSuccess = data.lastSuccesses[job.name]
    isRunning = data.running.contains(job.name)
    freshness = JobFreshness(
      of: job, lastRun: lastJudgedRun, lastSuccess: lastSuccess, isRunning: isRunning)
    level = freshness.level
  }

  /// Whether a job that it needs kept it from running.
  private var isBlockedByNeed: Bool { !isRunning && lastJudgedRun?.refusedBy == .need }

  /// The outcome of the last run, or that it is running; nil when the job never ran.
  var outcome: Cell? {
    isRunning
      ? .level(.pass, "running") : lastRun.map { .level($0.outcome.level, $0.outcome.rawValue) }
  }

  /// The last run, when it did not all go well; nil while it goes on.
  package var troubledRun: Run? {
    guard !isRunning, let run = lastJudgedRun else { return nil }
    return run.outcome.isSuccess && run.outcome != .partial ? nil : run
  }

  /// What its finding is about.
  package var findingSubject: String { "job \(job.name)" }

  /// What a person should know of the job; nil when all is well.
  package func finding(now: Instant) -> Finding? {
    let level = max(level, lastJudgedRun?.outcome == .partial ? .notice : .pass)
    guard level > .pass else { return nil }
    return Finding(
      level, sentence(now: now), report: .runs, section: RunJobs.id, subject: findingSubject)
  }

  /// What a person should know of the jobs, worst first.
  ///
  /// A job that only waits for another in trouble has no finding of its own: the other's names it.
  /// Nor have several that nothing started: one finding tells that cron is late.
  static func findings(
    of jobs: [JobHealth], _ futureRuns: FutureRuns? = nil, now: Instant
  ) -> [Finding] {
    let causes = jobs.filter { $0.level > .pass && !$0.isBlockedByNeed }
    func cause(of job: JobHealth) -> String? {
      guard job.isBlockedByNeed else { return nil }
      return causes.first { job.job.needs.contains($0.job.name) }?.job.name
    }
    let held = Dictionary(grouping: jobs.filter { cause(of: $0) != nil }) { cause(of: $0) }
    let unstarted = jobs.filter { $0.wasNotStarted && held[$0.job.name] == nil }
    let together = unstarted.count > 1 ? Set(unstarted.map(\.job.name)) : []
    let findings = jobs.filter {
      cause(of: $0) == nil && !together.contains($0.job.name)
    }.compactMap { job -> Finding? in
      guard var finding = job.finding(now: now) else { return nil }
      guard let names = held[job.job.name]?.map(\.job.name) else { return finding }
      finding.sentence += " It keeps \(names.listed) from running."
      return finding
    }
    return Finding.worstFirst(
      [futureRuns?.finding, together.isEmpty ? nil : notStarted(unstarted, now: now)]
        .compactMap(\.self) + findings)
  }

  /// Whether it is late and no run began since it was due, though the last one succeeded.
  private var wasNotStarted: Bool {
    guard freshness == .late || freshness == .overdue, lastEnd == nil,
      let dueAt = job.lastDueAt, let lastRun
    else { return false }
    return lastRun.startedAt < dueAt
  }

  /// The one finding about jobs that nothing started; the worst comes first.
  private static func notStarted(_ jobs: [JobHealth], now: Instant) -> Finding {
    let ordered =
      jobs.filter { $0.freshness == .overdue } + jobs.filter { $0.freshness == .late }
    let (first, names) = (ordered[0], ordered.map(\.job.name))
    let success = first.success(now: now).map { ": last success \($0)" } ?? ""
    let expected = first.job.expected.map { ", expected \($0)" } ?? ""
    return Finding(
      first.level,
      "Nothing started \(jobs.count) jobs when they were due (does cron run? `firetally doctor`): "
        + "\(names.listed). \(names[0]) is \(first.freshness.words.lowercased())\(success)"
        + "\(expected).",
      report: .runs, section: RunJobs.id, subject: "jobs that were not started")
  }

  private func sentence(now: Instant) -> String {
    switch freshness {
    case .broken:
      return "\(job.name) cannot run: \(Self.closed(job.problem ?? "its file is wrong"))"
    case .notYetRun: return "\(job.name) has a schedule and has not run yet."
    case .failed:
      return [failure(now: now), success(now: now).map { "Its last success was \($0)." }]
        .compactMap(\.self).joined(separator: " ")
    case .blocked: return "\(job.name) is blocked: \(reason ?? "its last run did not begin.")"
    case .late, .overdue:
      let state = freshness == .late ? "late" : "overdue"
      let success = success(now: now).map { "last success \($0)" } ?? "it has never succeeded"
      let expected = job.expected.map { ", expected \($0)" } ?? ""
      return (["\(job.name) is \(state): \(success)\(expected)."] + [lastEnd].compactMap(\.self))
        .joined(separator: " ")
    case .onTime, .running, .onDemand:
      let reasons = lastJudgedRun?.warnings.map(Self.closed).joined(separator: " ") ?? ""
      return "The last run of \(job.name) was partial"
        + (reasons.isEmpty ? "." : ": \(reasons)")
    }
  }

  /// When the last success began: `2 days ago`; nil when there is none.
  private func success(now: Instant) -> String? {
    lastSuccess.map { Self.ago($0.startedAt, now) }
  }

  private func failure(now: Instant) -> String {
    guard let run = lastJudgedRun else { return "\(job.name) failed." }
    let ago = Self.ago(run.startedAt, now)
    guard run.outcome == .failed else {
      return "\(job.name) was interrupted \(ago), before its end."
    }
    return "\(job.name) failed \(ago): \(reason ?? "no reason was recorded.")"
  }

  /// Why the last run did not succeed; nil when it did, or recorded no reason.
  private var reason: String? {
    guard !isRunning, let run = lastJudgedRun, !run.outcome.isSuccess else { return nil }
    return run.error.map(Self.closed)
  }

  /// How the last run failed, as a sentence; nil when it succeeded or is running.
  private var lastEnd: String? {
    guard !isRunning, let run = lastJudgedRun, !run.outcome.isSuccess else { return nil }
    switch run.outcome {
    case .failed: return "Its last run failed" + (reason.map { ": \($0)" } ?? ".")
    case .interrupted: return "Its last run was interrupted."
    default: return reason
    }
  }

  private static func ago(_ instant: Instant, _ now: Instant) -> String {
    let seconds = max(0, (now - instant).fractionalSeconds)
    return seconds < 60 ? "just now" : "\(NumberWords.roughly(seconds: seconds)) ago"
  }

  /// The text with a full stop, unless it ends a sentence already.
  private static func closed(_ text: String) -> String {
    text.last.map { ".!?".contains($0) } ?? true ? text : text + "."
  }
}

/// Whether all is well, for the index page and `firetally status`: docs/reports.md#freshness.
package struct WorkspaceHealth: Sendable {
  /// Each job after the jobs that it needs.
  package let jobs: [JobHealth]
  /// The findings about jobs and outbox, worst first; a cause names the jobs that it blocks.
  ///
  /// Those that are acknowledged are left out.
  package let findings: [Finding]
  /// The ids of findings that are acknowledged, worst first.
  package let acknowledged: [String]
  /// One sentence about all jobs.
  package let summary: String

  /// `acknowledged` are the ids of findings that need nobody.
  package init(
    _ runs: RunsData, outbox: [OutboxItem.State: Int], acknowledged: Set<String> = [], now: Instant
  ) {
    jobs = JobHealth.all(runs)
    let all = Finding.worstFirst(
      JobHealth.findings(of: jobs, runs.futureRuns, now: now) + RatingOutbox.findings(outbox))
    findings = all.filter { !acknowledged.contains($0.id) }
    self.acknowledged = all.map(\.id).filter(acknowledged.contains)
    summary = RunsReport.summary(of: jobs)
  }

  /// Whether no job is overdue, failed or broken, and no item of the outbox was rejected.
  package var isWell: Bool { findings.allSatisfy { $0.level < .error } }
}

/// What is said of runs dated in the future: docs/running.md#times-in-the-future.
extension FutureRuns {
  /// What to do about them, as a sentence.
  package static let advice =
    "Set this machine's clock if it is wrong; else remove them with `firetally runs forget`."

  /// How many there are, and the latest.
  package var sentence: String {
    let run = latest.id.map { "run \($0) of \(latest.job)" } ?? "a run of \(latest.job)"
    guard count > 1 else {
      return "The clock was wrong: \(run) is dated in the future, \(latest.startedAt), and does "
        + "not count."
    }
    return "The clock was wrong: \(NumberWords.grouped(count)) runs are dated in the future and do "
      + "not count, the latest is \(run), \(latest.startedAt)."
  }

  /// An error, since the schedule and the ledger are wrong by them until they are removed.
  var finding: Finding {
    Finding(
      .error, "\(sentence) \(Self.advice)", report: .runs, section: RunJobs.id,
      subject: "runs dated in the future")
  }
}
