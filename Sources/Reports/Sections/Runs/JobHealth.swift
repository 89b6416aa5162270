package import Model
package import Store

/// One job with its last runs, and whether it keeps its schedule.
package struct JobHealth: Sendable {
  package let job: RunsData.JobSummary
  package let lastRun: Run?
  /// The last run that neither a limit nor the lock refused.
  let lastJudgedRun: Run?
  package let lastSuccess: Run?
  /// Its failures since it last succeeded; nil when it last did.
  package let failures: FailureStreak?
  /// The failure that lasts and touches it; nil when none does.
  private let incident: JobIncident?
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
    failures = data.failures[job.name]
    incident = data.openIncidents.first {
      $0.kind.isFailure && $0.waiting.contains(job.name)
    }
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

  /// A run that left something out is a note.
  private var findingLevel: Level {
    max(level, lastJudgedRun?.outcome == .partial ? .notice : .pass)
  }

  /// Whether a finding says what is wrong with it.
  var hasFinding: Bool { findingLevel > .pass }

  /// What its finding is about.
  package var findingSubject: String { Self.subject(ofJob: job.name) }

  private static func subject(ofJob name: String) -> String { "job \(name)" }

  /// The id of the finding about a job.
  package static func findingId(ofJob name: String) -> String {
    Finding(.warn, "", report: .runs, section: RunJobs.id, subject: subject(ofJob: name)).id
  }

  /// What a person should know of the job; nil when all is well.
  package func finding(_ time: TimeWords) -> Finding? {
    guard hasFinding else { return nil }
    return Finding(
      told(findingLevel), sentence(time), report: .runs, section: RunJobs.id,
      subject: findingSubject)
  }

  /// The level of its finding: housekeeping can wait for a day, so it is at most a warning, unless
  /// its file is wrong.
  func told(_ level: Level) -> Level {
    isHousekeeping && freshness != .broken ? min(level, .warn) : level
  }

  /// Whether it only cleans, checks and backs up.
  var isHousekeeping: Bool { job.kind == .maintain }

  /// What a person should know of the jobs, worst first.
  ///
  /// A job that only waits for another in trouble has no finding of its own: the other's names it.
  /// Nor have several that nothing started, or that failed for the same reason: one cause is one
  /// finding.
  static func findings(
    of jobs: [JobHealth], _ futureRuns: FutureRuns? = nil, _ time: TimeWords
  ) -> [Finding] {
    let causes = jobs.filter { $0.level > .pass && !$0.isBlockedByNeed }
    func cause(of job: JobHealth) -> String? {
      guard job.isBlockedByNeed else { return nil }
      return causes.first { job.job.needs.contains($0.job.name) }?.job.name
    }
    let held = Dictionary(grouping: jobs.filter { cause(of: $0) != nil }) { cause(of: $0) }
    let late = LateJobs(jobs, except: Set(held.keys.compactMap(\.self)))
    let alone = jobs.filter { job in
      cause(of: job) == nil && late?.names.contains(job.job.name) != true
    }
    let new = alone.filter { $0.freshness == .notYetRun && held[$0.job.name] == nil }
    let alike = Dictionary(grouping: alone, by: \.sharedCause)
    let findings = alone.compactMap { job -> Finding? in
      if new.count > 1, job.freshness == .notYetRun, held[job.job.name] == nil {
        return job.job.name == new[0].job.name ? notYetRun(new, of: jobs) : nil
      }
      let group = job.sharedCause.flatMap { alike[$0] } ?? [job]
      guard group[0].job.name == job.job.name else { return nil }
      var finding = group.count > 1 ? failedAlike(group, time) : job.finding(time)
      let names = group.flatMap { held[$0.job.name] ?? [] }.map(\.job.name)
      guard !names.isEmpty else { return finding }
      finding?.sentence +=
        " \(group.count > 1 ? "They keep" : "It keeps") \(names.listed) from running."
      return finding
    }
    return Finding.worstFirst(
      [futureRuns?.finding, late?.finding(time)].compactMap(\.self) + findings)
  }

  /// Why its last run failed, the same for all jobs that failed by one cause; nil when it did not.
  ///
  /// Errors of one cause may differ by a path, which the incident knows; it may have several.
  private var sharedCause: String? {
    guard level > .pass, lastJudgedRun?.outcome == .failed, freshness != .broken else { return nil }
    guard let incident, incident.causes.count == 1 else { return reason }
    return incident.id.map { "incident \($0)" }
  }

  /// The one finding about jobs that have a schedule and no run yet.
  private static func notYetRun(_ jobs: [JobHealth], of all: [JobHealth]) -> Finding {
    // Nothing says that cron should have started a job of a new workspace.
    let isNew = all.allSatisfy { $0.lastRun == nil }
    return Finding(
      jobs.map(\.level).max() ?? .warn,
      "\(NumberWords.grouped(jobs.count)) jobs have a schedule and have not run yet: "
        + "\(jobs.map(\.job.name).listed).",
      report: .runs, section: RunJobs.id, subject: "jobs that have not run yet",
      advice: isNew ? "Run them: `firetally run --all`." : LateJobs.advice)
  }

  /// The one finding about jobs that failed by the same cause.
  private static func failedAlike(_ jobs: [JobHealth], _ time: TimeWords) -> Finding {
    let newest = jobs.compactMap(\.lastJudgedRun?.startedAt).max()
    let ago = newest.map { ", last \(time.ago($0))" } ?? ""
    let since = jobs.compactMap(\.failures?.since).min()
    let failed = since.map { "have failed since \(time.clock($0))" } ?? "failed"
    return Finding(
      jobs.map { $0.told($0.level) }.max() ?? .warn,
      "\(jobs.map(\.job.name).listed) \(failed)\(ago), for one reason: \(jobs[0].reason ?? "")",
      report: .runs, section: RunJobs.id, subject: jobs[0].findingSubject)
  }

  /// Whether it is late and no run began since it was due, though the last one succeeded.
  var wasNotStarted: Bool {
    guard freshness == .late || freshness == .overdue, lastEnd == nil,
      let dueAt = job.lastDueAt
    else { return false }
    return StartRule.isMissed(due: dueAt, lastStartedAt: lastRun?.startedAt)
  }

  /// Whether its last success is older than its last two starts.
  private var isSuccessOverdue: Bool {
    guard let success = lastSuccess, let dueAt = job.lastDueAt, let before = job.dueBeforeAt
    else { return false }
    return success.startedAt < dueAt && success.startedAt < before
  }

  private func sentence(_ time: TimeWords) -> String {
    switch freshness {
    case .broken:
      return "\(job.name) cannot run: \(Self.closed(job.problem ?? "its file is wrong"))"
    case .notYetRun: return "\(job.name) has a schedule and has not run yet."
    case .failed:
      let expected = isSuccessOverdue ? job.expected.map { ", expected \($0)" } ?? "" : ""
      return [failure(time), success(time).map { "Its last success was \($0)\(expected)." }]
        .compactMap(\.self).joined(separator: " ")
    case .blocked: return "\(job.name) is blocked: \(reason ?? "its last run did not begin.")"
    case .late, .overdue:
      let state = freshness == .late ? "late" : "overdue"
      let success = success(time).map { "last success \($0)" } ?? "it has never succeeded"
      let expected = job.expected.map { ", expected \($0)" } ?? ""
      let start = job.lastDueAt.map { "due \(time.clock($0)), not started; " } ?? ""
      let missed = wasNotStarted ? start : ""
      let sentence = "\(job.name) is \(state): \(missed)\(success)\(expected)."
      return [sentence, lastEnd].compactMap(\.self).joined(separator: " ")
    case .onTime, .running, .onDemand:
      let reasons = lastJudgedRun?.warnings.map(Self.closed).joined(separator: " ") ?? ""
      return "The last run of \(job.name) was partial"
        + (reasons.isEmpty ? "." : ": \(reasons)")
    }
  }

  /// When the last success began: `2 days ago`; nil when there is none.
  private func success(_ time: TimeWords) -> String? {
    lastSuccess.map { time.ago($0.startedAt) }
  }

  private func failure(_ time: TimeWords) -> String {
    guard let run = lastJudgedRun else { return "\(job.name) failed." }
    let ago = time.ago(run.startedAt)
    guard run.outcome == .failed else {
      return "\(job.name) was interrupted \(ago), before its end."
    }
    let reason = reason ?? "no reason was recorded."
    guard let failures, failures.runs > 1 else { return "\(job.name) failed \(ago): \(reason)" }
    return "\(job.name) has failed \(NumberWords.counted(failures.runs, "time")) since "
      + "\(time.clock(failures.since)), last \(ago): \(reason)"
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

  /// The text with a full stop, unless it ends a sentence already.
  private static func closed(_ text: String) -> String {
    text.last.map { ".!?".contains($0) } ?? true ? text : text + "."
  }
}

/// The sentence about runs dated in the future: docs/running.md#times-in-the-future.
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
      subject: Self.subject)
  }

  private static let subject = "runs dated in the future"

  package static var findingId: String {
    Finding(.error, "", report: .runs, section: RunJobs.id, subject: subject).id
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
  /// The words for times in sentences.
  package let time: TimeWords

  /// `acknowledged` are the ids of findings that need nobody, `timeZone` is that of the times in
  /// sentences.
  package init(
    _ runs: RunsData, outbox: [OutboxItem.State: Int], acknowledged: Set<String> = [],
    timeZone: String, now: Instant
  ) {
    time = TimeWords(timeZone: timeZone, now: now)
    jobs = JobHealth.all(runs)
    let all = Finding.worstFirst(
      JobHealth.findings(of: jobs, runs.futureRuns, time) + RatingOutbox.findings(outbox))
    findings = all.filter { !acknowledged.contains($0.id) }
    self.acknowledged = all.map(\.id).filter(acknowledged.contains)
    summary = RunsReport.summary(of: jobs, runs.incidents, time)
  }

  /// Whether no job is overdue, failed or broken, and no item of the outbox was rejected.
  package var isWell: Bool {
    findings.allSatisfy { $0.level < .error }
      && jobs.allSatisfy { !$0.isHousekeeping || $0.level < .error }
  }
}

/// Two jobs or more that nothing started when they were due: docs/reports/form.md#index.
package struct LateJobs {
  private let jobs: [JobHealth]
  /// When the newest run of cron began that was before them; nil when none is known.
  private let newestStart: Instant?
  /// Whether no job of cron has begun since the first of them was due.
  private let isAll: Bool

  /// Nil when fewer than two are late for that reason; `except` are the names of jobs with a
  /// finding of their own.
  init?(_ all: [JobHealth], except: Set<String> = []) {
    jobs = all.filter { $0.wasNotStarted && !except.contains($0.job.name) }
    guard jobs.count > 1, let dueAt = jobs.compactMap(\.job.lastDueAt).min() else { return nil }
    // A run by hand, such as that which writes these pages, is not cron's.
    let started = all.compactMap(\.lastRun).filter { $0.trigger == .scheduled }.map(\.startedAt)
    isAll = started.allSatisfy { $0 < dueAt }
    newestStart = isAll ? started.max() : jobs.compactMap(\.lastRun?.startedAt).max()
  }

  /// What to do about them, as a sentence.
  package static let advice = "See whether cron runs: `firetally doctor`."

  var names: Set<String> { Set(jobs.map(\.job.name)) }

  /// `the scheduler has started nothing since 05:33`; where it started other jobs: `nothing has
  /// started them since 05:33`.
  func reason(_ time: TimeWords) -> String {
    let since = newestStart.map { " since \(time.clock($0))" } ?? ""
    return isAll ? "the scheduler has started nothing\(since)" : "nothing has started them\(since)"
  }

  func finding(_ time: TimeWords) -> Finding {
    let level = jobs.map { $0.told($0.freshness.level) }.max() ?? .warn
    return Finding(
      level,
      "\(NumberWords.counted(jobs.count, "job is", "jobs are")) late: \(reason(time)). They are "
        + "\(jobs.map(\.job.name).listed).",
      report: .runs, section: RunJobs.id, subject: Self.subject, advice: Self.advice)
  }

  private static let subject = "jobs that were not started"

  package static var findingId: String {
    Finding(.warn, "", report: .runs, section: RunJobs.id, subject: subject).id
  }
}
