import Fixtures
import Model
package import Store
package import Sync

@testable package import Jobs

extension SyncUsersRequest {
  /// The users of the collection `Users`, by the app's own fields and without a filter.
  package static func users(pageSize: Int = 50, maxDocuments: Int? = nil) -> SyncUsersRequest {
    SyncUsersRequest(
      collection: "Users", fields: .app, filter: .none, ownUserId: nil, city: nil,
      options: PullOptions(
        job: "sync-users", pageSize: pageSize, maxDocuments: maxDocuments, now: .morning))
  }
}

extension Pull {
  /// Pulls users as the kind `sync-users` does.
  package func run(
    _ request: SyncUsersRequest, finish: [StoreChange] = []
  ) async throws -> PullResult {
    try await run(request.pull, finish: finish)
  }
}
