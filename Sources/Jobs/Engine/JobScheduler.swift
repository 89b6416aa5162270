import Foundation
package import Model
import Store
package import Workspace

/// Runs the jobs of a workspace: selects them, takes the lock, runs and records them.
package struct JobScheduler: Sendable {
  private let context: JobContext
  private let lock: LockRequest
  private let printReport: @Sendable (JobReport) throws -> RunPrintout
  private let printNotice: @Sendable (IncidentNotice) -> RunPrintout
  private let warned: @Sendable (String) -> Void
  private let execution: JobExecution
  private let notifier: IncidentNotifier

  /// Creates a scheduler with its callbacks.
  ///
  /// `ended` receives the report of each job that is over, `noticed` each incident notice that no
  /// job of the command reported, and `warned` each other warning.
  package init(
    _ context: JobContext, hooks: HookRunner, lock: LockRequest,
    ended: @escaping @Sendable (JobReport) throws -> RunPrintout = { _ in RunPrintout() },
    noticed: @escaping @Sendable (IncidentNotice) -> RunPrintout = { _ in RunPrintout() },
    warned: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.context = context
    self.lock = lock
    (printReport, printNotice, self.warned) = (ended, noticed, warned)
    notifier = IncidentNotifier(context, hooks: hooks)
    execution = JobExecution(
      context: context, hookRunner: hooks,
      ending: RunEnding(context: context, messages: notifier))
  }

  private var incidents: WorkspaceIncidents { WorkspaceIncidents(context) }

  /// Returns the jobs that a request selects now, in running order.
  ///
  /// - Throws: `WorkspaceError.unknownJob`.
  package func selection(_ request: JobRequest) throws -> JobSelection {
    try JobSelection(
      named: try names(request.choice), of: context.catalog, withNeeds: request.withNeeds)
  }

  /// Returns what each job would do now; changes nothing and requests nothing.
  package func plan(_ selection: JobSelection) throws -> [JobPlan] {
    try selection.jobs.map { try JobPlan(of: $0, context) }
  }

  /// Selects and runs jobs.
  ///
  /// When another process keeps the lock longer than the wait, writing jobs are recorded as
  /// `locked` and read-only jobs run.
  ///
  /// - Returns: a report for each job, as passed to `ended`.
  /// - Throws: `WorkspaceError.unknownJob`, `.file`, and what the database or `ended` throws.
  package func run(_ request: JobRequest) async throws -> [JobReport] {
    let reports = try await runJobs(request)
    do {
      for notice in try await notifier.deliver(try incidents.end()) {
        try record(printNotice(notice), ofRun: nil)
      }
    } catch StoreError.busy {
      // The jobs have done their work; the next command records the incidents.
    }
    return reports
  }

  private func ended(_ report: JobReport) throws {
    try record(try printReport(report), ofRun: report.run.id)
  }

  private func record(_ printout: RunPrintout, ofRun id: Int64?) throws {
    let warning = try printout.record(in: context.store, ofRun: id, at: context.clock.now)
    if let warning { warned(warning) }
  }

  private func runJobs(_ request: JobRequest) async throws -> [JobReport] {
    let selection = try selection(request)
    guard selection.jobs.contains(where: { !$0.isReadOnly }) else {
      try beginIncidents()
      return try await run(selection, lock: nil)
    }
    let held: WorkspaceLock
    do {
      held = try await acquireLock(for: selection.jobs)
    } catch WorkspaceError.lockHeld(let owner, let waited) {
      try beginIncidents()
      return try await runLockedOut(try stillDue(selection, request), by: owner, waited)
    }
    defer { held.release() }
    try beginIncidents()
    return try await run(try stillDue(selection, request), lock: held)
  }

  private func beginIncidents() throws {
    if let warning = try incidents.begin() { warned(warning) }
  }

  /// Selects the due jobs again: the lock's holder may have run some while this command waited.
  private func stillDue(
    _ selection: JobSelection, _ request: JobRequest
  ) throws -> JobSelection {
    request.choice == .due ? try self.selection(request) : selection
  }

  /// Reports to the failure hooks and to `notify` that no run can be recorded, and leaves a note
  /// for later runs; see `docs/running.md#full-disks`.
  ///
  /// `newest` is the latest recorded start of a job by a scheduler; nil when unknown.
  ///
  /// - Precondition: the context's database is in memory.
  /// - Returns: whether this is news, and a sentence for each failed hook.
  package func reportUnrecorded(
    _ selection: JobSelection, because error: any Error, after newest: Instant?
  ) async throws -> (isNews: Bool, warnings: [String]) {
    let before = UnrecordedRuns.note(of: context.workspace)
    let isNews = UnrecordedRuns.isNews(before, after: newest, at: context.now)
    func leaveNote(toldAt: Instant) {
      UnrecordedRuns.leaveNote(in: context.workspace, at: context.now, toldAt: toldAt)
    }
    // If the message does not arrive, it is news again after an hour.
    leaveNote(
      toldAt: isNews
        ? context.now - IncidentRule.repetition + IncidentRule.quiet
        : before?.toldAt ?? context.now)
    var warnings = try await execution.reportUnrecorded(selection, because: error, isNews: isNews)
    if isNews, let target = context.config.notify {
      let incident = JobIncident(
        .disk, causes: ["disk"], sentence: String(describing: error), beganAt: context.now)
      let failure = await notifier.send(
        IncidentNotice(incident: incident, moment: .began), to: target)
      warnings += [failure].compactMap(\.self)
    }
    if isNews, warnings.isEmpty { leaveNote(toldAt: context.now) }
    return (isNews, warnings)
  }

  /// Runs one job under the lock, regardless of other due jobs.
  ///
  /// - Throws: `WorkspaceError.lockHeld`, and as `run` does.
  package func run(_ job: Job, trigger: Run.Trigger) async throws -> [JobReport] {
    let held = try await acquireLock(for: [job])
    defer { held.release() }
    return try await execution.run(
      JobSelection([job]), trigger: trigger, lock: held, ended: ended)
  }

  /// Runs other work under the lock and records it as a run of the job.
  ///
  /// `work` is called once the lock is held.
  ///
  /// - Throws: `WorkspaceError.lockHeld`, what `work` throws, and as `run` does.
  package func run(
    _ job: Job, doing work: () throws -> any JobWork
  ) async throws -> [JobReport] {
    let held = try await acquireLock(for: [job])
    defer { held.release() }
    let work = try work()
    try held.begin(job: job.name, timeout: job.timeout, at: context.clock.now)
    let report = try await execution.run(job, work)
    try ended(report)
    return [report]
  }

  /// Runs jobs in their order for a caller that holds the lock, or for jobs that need none.
  package func run(_ selection: JobSelection, lock: WorkspaceLock?) async throws -> [JobReport] {
    try await execution.run(selection, lock: lock, ended: ended)
  }

  /// Runs the read-only jobs, which need no lock, and records each other job as locked.
  private func runLockedOut(
    _ selection: JobSelection, by owner: LockOwner?, _ waited: Duration
  ) async throws -> [JobReport] {
    let locked = try await execution.recordLockout(
      selection.jobs.filter { !$0.isReadOnly }, by: owner, waited: waited, ended: ended)
    let others = JobSelection(
      selection.jobs.filter(\.isReadOnly), broken: selection.broken)
    return locked + (try await run(others, lock: nil))
  }

  /// Returns the chosen jobs' names; a broken job has no readable schedule, so it is always due.
  private func names(_ choice: JobRequest.Choice) throws -> [String] {
    let broken = context.catalog.broken.map(\.name)
    switch choice {
    case .named(let names): return names
    case .all: return context.catalog.jobs.map(\.name) + broken
    case .due: return try dueNames() + broken
    }
  }

  /// Returns the names of jobs whose schedule has come since their last run began; see
  /// `docs/running.md#schedule`.
  ///
  /// A job that never ran is due once a scheduled time has passed. A run that was refused because
  /// of a limit or a need does not count as begun.
  private func dueNames() throws -> [String] {
    let zone = TimeZone(checked: context.config.timeZone)
    let lastRuns = try context.store.read { try $0.lastBegunRuns(at: context.now) }
    return context.catalog.jobs.filter { job in
      guard let due = job.schedule?.lastDue(at: context.now, timeZone: zone) else { return false }
      return StartRule.isMissed(due: due, lastStartedAt: lastRuns[job.name]?.startedAt)
    }.map(\.name)
  }

  private func acquireLock(for jobs: [Job]) async throws -> WorkspaceLock {
    try await lock.acquire(
      context.workspace, context.store, forJobs: jobs.map(\.name), clock: context.clock,
      note: { context.observer.note($0) })
  }
}

/// The choice of jobs that a command makes.
package struct JobRequest: Hashable, Sendable {
  package enum Choice: Hashable, Sendable {
    case named([String])
    case all
    /// Jobs whose schedule has come since their last run.
    case due
  }

  package var choice: Choice
  /// Whether to select all direct and indirect needs of these jobs too.
  package var withNeeds: Bool

  package init(_ choice: Choice, withNeeds: Bool = false) {
    self.choice = choice
    self.withNeeds = withNeeds
  }
}

/// The jobs of a command: runnable ones in running order, and broken ones.
package struct JobSelection: Sendable {
  /// Each job after the jobs it needs, read-only jobs last.
  package let jobs: [Job]
  /// By name.
  package let broken: [BrokenJob]

  /// Takes jobs that are already in running order.
  package init(_ jobs: [Job], broken: [BrokenJob] = []) {
    self.jobs = jobs
    self.broken = broken
  }

  package func without(_ names: Set<String>) -> JobSelection {
    JobSelection(
      jobs.filter { !names.contains($0.name) }, broken: broken.filter { !names.contains($0.name) })
  }

  /// Selects jobs by name; `withNeeds` also selects their direct and indirect needs.
  ///
  /// - Throws: `WorkspaceError.unknownJob` for a name without a job file.
  package init(
    named names: [String], of catalog: JobCatalog, withNeeds: Bool = false
  ) throws(WorkspaceError) {
    let needs = withNeeds ? names.flatMap { JobOrder.needed(by: $0, in: catalog.jobs) } : []
    let wanted = names + needs
    broken = catalog.broken.filter { wanted.contains($0.name) }
    let brokenNames = catalog.broken.map(\.name)
    jobs = try JobOrder.order(
      wanted.filter { !brokenNames.contains($0) }, of: catalog.jobs, broken: brokenNames)
  }
}

/// The remaining jobs of a run; a failure removes only the jobs that depend on the failed one.
///
/// A report runs after the jobs it needs, even when they failed.
struct JobQueue {
  /// In the order of `JobOrder`.
  private(set) var waiting: [Job]
  /// All jobs of the workspace: a need may be indirect, through a job outside the queue.
  let jobs: [Job]

  /// Removes and returns the next job to run; nil when no job is left.
  mutating func next() -> Job? {
    waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Removes and returns the jobs that need the failed one, in queue order.
  mutating func blocked(by failed: String) -> [Job] {
    let blocked = waiting.filter {
      !$0.isReadOnly && JobOrder.needed(by: $0.name, in: jobs).contains(failed)
    }
    waiting.removeAll { job in blocked.contains { $0.name == job.name } }
    return blocked
  }
}

/// Sorts selected jobs so that each comes after the jobs it needs.
package enum JobOrder {
  /// Returns the selected jobs, each after those it needs directly or through unselected jobs.
  ///
  /// A job that is named twice runs once. Independent jobs are in alphabetical order, reports last.
  /// The needs must be free of cycles, which `JobFiles.catalog` ensures.
  ///
  /// - Throws: `WorkspaceError.unknownJob` for a name without a job, with a hint that may name a
  ///   `broken` one.
  package static func order(
    _ names: [String], of jobs: [Job], broken: [String] = []
  ) throws(WorkspaceError) -> [Job] {
    let known = jobs.map(\.name)
    for name in names where !known.contains(name) {
      throw unknown(name, among: known + broken)
    }
    var waiting = jobs.filter { names.contains($0.name) }.sorted { $0.name < $1.name }
    var ordered: [Job] = []
    func isReady(_ job: Job) -> Bool {
      needed(by: job.name, in: jobs).isDisjoint(with: waiting.map(\.name))
    }
    // A report covers all jobs, so it also waits for jobs that it does not need.
    while let next = waiting.firstIndex(where: { isReady($0) && !$0.isReadOnly })
      ?? waiting.firstIndex(where: isReady)
    {
      ordered.append(waiting.remove(at: next))
    }
    return ordered
  }

  static func unknown(_ name: String, among names: [String]) -> WorkspaceError {
    let known = names.sorted()
    return .unknownJob(
      name: name, closest: ClosestName.closest(to: name, among: known), known: known)
  }

  /// Returns all direct and indirect needs of a job, without itself; includes jobs with wrong
  /// files.
  static func needed(by name: String, in jobs: [Job]) -> Set<String> {
    func needs(_ name: String) -> [String] { jobs.first { $0.name == name }?.needs ?? [] }
    var found: Set<String> = []
    var open = needs(name)
    while let need = open.popLast() {
      if found.insert(need).inserted { open += needs(need) }
    }
    return found.subtracting([name])
  }
}
