package import App
package import Model
import Store
package import Workspace

/// A load of users on request, regardless of staleness, under the limit of its feature.
///
/// It is used by `firetally refresh` and `firetally filter apply`; see `docs/limits.md#cooldowns`.
package struct RateLimitedRefresh: Sendable {
  private let context: JobContext
  private let session: ProfileSession
  /// The job whose options define how users are loaded.
  private let job: Job
  private let options: SyncUsersOptions

  /// Throws `WorkspaceError.noUsersJob` when no job defines how users are loaded.
  ///
  /// - Throws: also `WorkspaceError.jobFiles` when a wrong file may be that job.
  package init(_ context: JobContext, session: ProfileSession) throws(WorkspaceError) {
    (job, options) = try context.usersJob()
    self.context = context
    self.session = session
  }

  /// Takes the lock, uses the allowance and loads users within the timeout of the users job.
  ///
  /// Rows, filter, refresh time and the counted use are committed together; a failed load leaves
  /// all of them as they were. A later failure, such as in the search for deleted users, does not
  /// undo them.
  ///
  /// A filter is saved, and the users it finds replace all others; for nil, the users found by the
  /// saved filter are merged. `filter` is called once the lock is held, so that it sees the current
  /// data. `allowed` receives the limit's check, with its popup, before the load begins.
  ///
  /// - Returns: the report, and the limit's check with the popup that was shown; nil when another
  ///   process prevented the load.
  /// - Throws: `WorkspaceError.file`, and what the database or `filter` throws.
  package func run(
    lock: LockRequest, allowed: (LimitCheck) -> Void,
    _ filter: () throws -> UserFilter?
  ) async throws -> (check: LimitCheck?, report: JobReport) {
    let held: WorkspaceLock
    do {
      held = try await lock.acquire(
        context.workspace, context.store, forJobs: [job.name], clock: context.clock,
        note: { context.observer.note($0) })
    } catch WorkspaceError.lockHeld(let owner, let waited) {
      return (nil, try await lockOut(try filter(), by: owner, waited: waited))
    }
    defer { held.release() }
    try held.begin(job: job.name, timeout: job.timeout, at: context.clock.now)
    return try await use(try filter(), owner: UseOwner.name(of: lock.owner), allowed: allowed)
  }

  private func lockOut(
    _ filter: UserFilter?, by owner: LockOwner?, waited: Duration
  ) async throws -> JobReport {
    let lockout = Lockout(job: job.name, owner: owner, waited: waited, verdict: .otherWork)
    let recorder = try await recorder(filter)
    return try await recorder.recordEnd(
      with: JobResult(
        refusedBy: .lock, lockout.description, problem: WorkspaceError.lockedOut(lockout)))
  }

  private func recorder(_ filter: UserFilter?) async throws -> RunRecorder {
    try await RunRecorder(context, job: job, trigger: filter == nil ? .manual : .filter)
  }

  private func use(
    _ filter: UserFilter?, owner: String, allowed: (LimitCheck) -> Void
  ) async throws -> (check: LimitCheck?, report: JobReport) {
    let recorder = try await recorder(filter)
    let (check, ticket) = try session.beginUse(
      filter == nil ? .refresh : .filter, now: context.now, owner: owner,
      details: filter?.eventDetails ?? [:])
    guard let ticket else {
      let result = JobResult(refusedBy: .limit, check.result.reason)
      return (check, try await recorder.recordEnd(with: result))
    }
    allowed(check)
    let mode = filter.map { UsersSync.Mode.replace($0) } ?? .merge(clearsFilter: false)
    return (check, try await recorder.recordEnd(with: try await load(mode, ticket, recorder)))
  }

  private func load(
    _ mode: UsersSync.Mode, _ ticket: UseTicket, _ recorder: RunRecorder
  ) async throws -> JobResult {
    try await recorder.outcome {
      let users = UsersSync(options: options, job: job.name, context: context)
      let use = StoreChange.then { [session, context] reader, _ in
        try session.effects(ofEnding: ticket, succeeded: true, now: context.now, in: reader)
      }
      let result = try await context.perform(job, recorder) {
        try await users.run(mode, within: recorder.budget, finish: [use])
      }
      if result.outcome == .blocked {
        try session.finishUse(ticket, succeeded: false, now: context.now)
      } else {
        noteUse(ticket, recorder)
      }
      return result
    } failure: { problem in
      let isTaken = try !session.finishUse(ticket, succeeded: false, now: context.now)
      if isTaken { noteUse(ticket, recorder) }
      return (
        Run.Outcome(of: problem),
        isTaken ? "The users were stored, and the use was counted." : "Nothing was counted."
      )
    }
  }

  /// Logs the counted use, for `--verbose` and in the run's log.
  private func noteUse(_ ticket: UseTicket, _ recorder: RunRecorder) {
    guard let usage = LimitRule.recordSuccess(of: ticket.result).usageText else { return }
    recorder.log.add(.debug, usage)
    context.observer.note(usage, job: job.name)
  }
}

extension JobContext {
  /// Returns the first job by name that defines how users are loaded.
  ///
  /// - Throws: `WorkspaceError.noUsersJob` when there is none.
  func usersJob() throws(WorkspaceError) -> (job: Job, options: SyncUsersOptions) {
    try catalog.first(SyncUsersOptions.self, orThrow: .noUsersJob)
  }
}
