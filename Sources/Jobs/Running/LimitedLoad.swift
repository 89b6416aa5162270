package import Model
import Rules
package import Session
import Store

/// A load of users that somebody asks for, staleness or not, under the limit of its feature.
///
/// `firetally refresh` and `firetally filter apply`; see `docs/rules.md#cooldowns`.
package struct LimitedLoad: Sendable {
  package enum Wish: Hashable, Sendable {
    /// Merges what the saved filter finds.
    case refresh
    /// Saves the filter and makes what it finds the only users.
    case filter(UserFilter)
  }

  package enum Ending: Sendable {
    /// The limit forbids it; nothing was fetched.
    case blocked(LimitAnswer, JobReport)
    case done(JobReport)
  }

  private let context: JobContext
  private let session: Session
  private let job: Job
  private let options: SyncUsersOptions
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - context: the command's.
  ///   - session: of the profile that asks.
  ///   - sleep: pauses, and throws when its task is cancelled.
  /// - Throws: `JobsError.noUsersJob` when no job file describes how users are fetched.
  package init(
    _ context: JobContext, session: Session,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) throws(JobsError) {
    for job in context.jobs {
      guard case .syncUsers(let options) = job.kind else { continue }
      self.context = context
      self.session = session
      self.job = job
      self.options = options
      self.sleep = sleep
      return
    }
    throw JobsError.noUsersJob
  }

  /// Uses the allowance and fetches, within the timeout of the job that describes the users.
  ///
  /// Rows, filter, refresh time and the counted use commit together; a fetch that fails leaves all
  /// of them as they were. What fails after that, as a look for deleted users may, leaves them.
  ///
  /// - Precondition: the caller holds the workspace's lock.
  package func run(_ wish: Wish, owner: String) async throws -> Ending {
    let ledger = try await RunLedger(context, job: job, trigger: wish.trigger)
    let context = context.reading(within: ledger.reads)
    let start = try session.beginUse(
      wish.feature, now: context.now, owner: owner, details: wish.eventDetails)
    switch start {
    case .blocked(let answer):
      let report = try await ledger.end(
        with: JobResult(refusedBy: .limit, answer.decision.reason))
      return .blocked(answer, report)
    case .granted(_, let ticket):
      return .done(try await ledger.end(with: try await load(wish.plan, ticket, context)))
    }
  }

  private func load(
    _ plan: UsersLoad.Plan, _ ticket: UseTicket, _ context: JobContext
  ) async throws -> JobResult {
    do {
      let users = UsersLoad(options, job: job.name, context)
      let result = try await TimeLimit(job.timeout, sleep: sleep).hold { [session] in
        try await users.run(plan) { writer in
          try session.finishUse(ticket, succeeded: true, now: context.now, in: writer)
        }
      }
      if result.outcome == .blocked {
        try session.finishUse(ticket, succeeded: false, now: context.now)
      }
      return result
    } catch {
      let isTaken = try !session.finishUse(ticket, succeeded: false, now: context.now)
      let problem: any Error = error is CancellationError ? JobsError.interrupted : error
      return JobResult(
        Run.Outcome(of: problem),
        isTaken ? "The users were stored, and the use was counted." : "Nothing was counted.",
        problem: problem)
    }
  }
}

extension LimitedLoad.Wish {
  fileprivate var feature: Feature {
    switch self {
    case .refresh: .refresh
    case .filter: .filter
    }
  }

  fileprivate var trigger: Run.Trigger {
    switch self {
    case .refresh: .manual
    case .filter: .filter
    }
  }

  fileprivate var plan: UsersLoad.Plan {
    switch self {
    case .refresh: .merge(clearsFilter: false)
    case .filter(let filter): .replace(filter)
    }
  }

  fileprivate var eventDetails: [String: EventValue] {
    switch self {
    case .refresh: [:]
    case .filter(let filter): filter.eventDetails
    }
  }
}

extension Run.Outcome {
  /// How a run ends that ran into an error.
  fileprivate init(of error: any Error) {
    self =
      switch (error as? JobsError)?.category {
      case .interrupted: .interrupted
      case .tryLater: .blocked
      default: .failed
      }
  }
}
