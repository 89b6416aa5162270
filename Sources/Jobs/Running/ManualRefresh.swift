import Model
import Rules
package import Session
import Store

/// `firetally refresh`: fetches now, staleness or not, under the refresh limit; see `docs/rules.md#cooldowns`.
package struct ManualRefresh: Sendable {
  package enum Ending: Sendable {
    /// The limit forbids it; nothing was fetched.
    case blocked(LimitAnswer, JobReport)
    case done(JobReport)
  }

  private let context: JobContext
  private let session: Session
  private let job: Job
  private let options: SyncUsersOptions

  /// - Parameters:
  ///   - context: the command's.
  ///   - session: of the profile that refreshes.
  /// - Throws: `JobsError.noUsersJob` when no job file describes how users are fetched.
  package init(_ context: JobContext, session: Session) throws(JobsError) {
    for job in context.jobs {
      guard case .syncUsers(let options) = job.kind else { continue }
      self.context = context
      self.session = session
      self.job = job
      self.options = options
      return
    }
    throw JobsError.noUsersJob
  }

  /// Uses the allowance, fetches with the saved filter and merges.
  ///
  /// Rows, refresh time and the counted use commit together; a fetch that fails costs nothing.
  ///
  /// - Precondition: the caller holds the workspace's lock.
  package func run(owner: String) async throws -> Ending {
    let ledger = try await RunLedger(context, job: job, trigger: .manual)
    switch try session.beginUse(.refresh, now: context.now, owner: owner) {
    case .blocked(let answer):
      let report = try await ledger.end(with: JobResult(.blocked, answer.decision.reason))
      return .blocked(answer, report)
    case .granted(_, let ticket):
      return .done(try await ledger.end(with: try await load(ticket)))
    }
  }

  private func load(_ ticket: UseTicket) async throws -> JobResult {
    do {
      return try await UsersLoad(options, job: job.name, context)
        .run(clearsFilter: false) { [session, context] writer in
          try session.finishUse(ticket, succeeded: true, now: context.now, in: writer)
        }
    } catch {
      try session.finishUse(ticket, succeeded: false, now: context.now)
      let isInterrupted = error is CancellationError
      return JobResult(
        isInterrupted ? .interrupted : .failed, "Nothing was counted.",
        problem: isInterrupted ? JobsError.interrupted : error)
    }
  }
}
