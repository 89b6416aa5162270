import Model
import Rules
import Store
import Sync

/// The kind `sync-users`: loads the users online when the copy is stale; see `docs/jobs.md#sync-users`.
struct UsersSync: JobWork {
  private let load: UsersLoad
  private let context: JobContext

  init(_ options: SyncUsersOptions, job: String, _ context: JobContext) {
    load = UsersLoad(options, job: job, context)
    self.context = context
  }

  func trigger() throws -> Run.Trigger { try decision().trigger }

  func plan() throws -> String {
    let decision = try decision()
    guard decision.needsRequest else { return "\(decision.reason) Would make no request." }
    return "\(decision.reason) Would \(load.intention)."
  }

  func plannedRequests() throws -> PlannedRequests {
    let decision = try decision()
    guard decision.needsRequest else { return PlannedRequests() }
    return try load.plannedRequests(.merge(clearsFilter: decision.clearsFilter))
  }

  func perform() async throws -> JobResult {
    let decision = try decision()
    guard decision.needsRequest else { return JobResult(.fresh, decision.reason) }
    return try await load.run(.merge(clearsFilter: decision.clearsFilter))
  }

  private func decision() throws -> LoadDecision {
    let settings = try context.settings()
    let (profile, count) = try context.store.read {
      (try context.profile($0), try $0.usersCount(upTo: 1))
    }
    return LoadRule.decide(
      rowCount: count, lastRefreshedAt: profile.usersRefreshedAt,
      stalenessSeconds: settings.value(.staleness) ?? 0, now: context.now,
      isForced: context.isForced)
  }
}
