import Emulator
import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

/// The same pull and the same upload, against our server and Google's emulator.
@Suite(.enabled(if: GoogleEmulator.isInstalled, Comment(rawValue: GoogleEmulator.absence)))
struct BackendComparisonTests {
  private struct Pulled: Equatable {
    var users: [OnlineUser]
    var rowIds: [String: Int64]
    var counts: RunCounts
    var correctedTimes: Int
  }

  private func pull(
    _ backend: Backend, _ project: String, _ request: SyncUsersRequest
  ) async throws -> Pulled {
    try await backend.run(project) { client in
      let app = SampleApp(users: 80, now: .morning)
      let writes = app.documents(in: client.endpoint.root.databaseName)
        .map { Write(.update($0, mask: nil)) }
      _ = try await client.commit(writes)
      let workspace = try TemporaryStore()
      let result = try await Pull(port: client, store: workspace.store).run(request)
      #expect(result.readTime != nil)
      return Pulled(
        users: try workspace.users(), rowIds: try workspace.rowIds(), counts: result.counts,
        correctedTimes: result.correctedTimes)
    }
  }

  @Test(arguments: [1, 7, 80, 300])
  func `a pull brings the same rows`(pageSize: Int) async throws {
    let request = SyncUsersRequest.users(pageSize: pageSize)
    let project = "pull-\(pageSize)"
    let ours = try await pull(.embedded, project, request)
    #expect(ours.counts.fetched == 80)
    #expect(try await pull(.google, project, request) == ours)
  }

  @Test func `a filtered pull brings the same rows`() async throws {
    var request = SyncUsersRequest.users(pageSize: 3, maxDocuments: 20)
    request.filter = UserFilter(gender: .female, minAge: 21, maxAge: 40)
    let ours = try await pull(.embedded, "pull-filtered", request)
    #expect(!ours.users.isEmpty)
    #expect(try await pull(.google, "pull-filtered", request) == ours)
  }

  private func upload(_ backend: Backend) async throws -> [String: [String: Value]] {
    try await backend.run("upload") { client in
      let collection = TestOutbox.collection
      try await client.put([
        "\(collection)/1769846402": ["feedback": .string("somebody else's")],
        "\(collection)/1769846403": .feedback(3),
      ])
      let outbox = try TestOutbox()
      let ids = try [1, 2, 3, 3, 1].map { try outbox.enqueue(.numbered($0)) }
      #expect(try await outbox.upload(client).delivered == 5)
      #expect(try outbox.states(ids).allSatisfy { $0 == .delivered })
      return try await client.contents(of: collection)
    }
  }

  @Test func `an upload leaves the same documents`() async throws {
    let ours = try await upload(.embedded)
    #expect(ours.keys.sorted() == ["1769846401", "1769846402", "1769846403", "1769846404"])
    #expect(try await upload(.google) == ours)
  }
}
