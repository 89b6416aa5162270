import Model
import Store
import Sync

/// The kind `sync-users`: loads the users online when the copy is stale; see
/// `docs/jobs/sync-users.md`.
struct SyncUsersWork: JobWork {
  private let load: UsersLoad
  private let decision: LoadDecision

  /// Decides whether the copy is stale, once for the run.
  init(_ options: SyncUsersOptions, job: String, _ context: JobContext) throws {
    load = UsersLoad(options, job: job, context)
    decision = try context.loadDecision()
  }

  var trigger: Run.Trigger { decision.trigger }

  func plan() throws -> String {
    guard decision.needsRequest else { return "\(decision.reason) Would make no request." }
    let intention = try load.intention(.merge(clearsFilter: decision.clearsFilter))
    return "\(decision.reason) Would \(intention)."
  }

  func plannedRequests() throws -> PlannedRequests {
    guard decision.needsRequest else { return PlannedRequests() }
    return try load.plannedRequests(.merge(clearsFilter: decision.clearsFilter))
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    guard decision.needsRequest else { return JobResult(.fresh, decision.reason) }
    var result = try await load.run(.merge(clearsFilter: decision.clearsFilter), within: budget)
    if decision.isClockWrong { result.warnings.append(decision.reason) }
    return result
  }
}

extension JobContext {
  fileprivate func loadDecision() throws -> LoadDecision {
    let settings = try settings()
    let (profile, wereEmptied) = try store.read {
      (try self.profile($0), try $0.usersWereEmptied())
    }
    return LoadRule.decide(
      wasEmptied: wereEmptied,
      lastRefreshedAt: try asksNewProject() ? nil : profile.usersRefreshedAt,
      stalenessSeconds: settings.value(.staleness) ?? 0, now: now, isForced: options.isForced)
  }

  /// Whether nothing is stored of the project that was asked before, so that its loads do not
  /// count.
  private func asksNewProject() throws -> Bool {
    guard let project = services.firestore.namedProject else { return false }
    return try WorkspaceOrigin(project: project).replacesOther(in: store)
  }
}
