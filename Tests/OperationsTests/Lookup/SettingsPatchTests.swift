import Emulator
import Fixtures
import JobsTesting
import Model
import Sync
import SyncTesting
import Testing

@testable import Firestore
@testable import Jobs
@testable import Operations
@testable import Workspace

/// What is written, and what is not: docs/proposals.md#apply.
@Suite struct SettingsPatchTests {
  private static let document = "AppSettings/com.app"

  /// Runs `body` with a patch of the refresh limit to 4, read from a server that says 2.
  private func withPatch(
    _ body: (EmulatorServer, FirestoreClient, SettingsPatch, AdHocReads) async throws -> Void
  ) async throws {
    try await withServer { server, client in
      try await client.put([
        Self.document: ["freeRefreshLimit": .integer(2), "other": .string("x")]
      ])
      let context = try TestWorkspace(jobs: [:]).context(
        at: ManualClock(start: .morning), services: ScriptedServices(client).services())
      try await AdHocReads.perform(for: "settings propose", maxReads: nil, context) { reads in
        let patch = try await SettingsPatch(.refreshLimit, to: 4, in: Self.document, reads)
        try await body(server, client, patch, reads)
        return ((), "Done.")
      }
    }
  }

  private func limit(_ client: FirestoreClient) async throws -> Value? {
    try await client.document(at: Self.document, readTime: nil)?.fields["freeRefreshLimit"]
  }

  @Test func `a document that nobody changed gets the one field`() async throws {
    try await withPatch { _, client, patch, reads in
      #expect(patch.oldValue == "2" && !patch.isInForce)
      try await patch.send(reads)
      let after = try await client.document(at: Self.document, readTime: nil)
      #expect(after?.fields == ["freeRefreshLimit": .integer(4), "other": .string("x")])
      #expect(reads.meter.spent == 1)
    }
  }

  @Test func `a document that somebody changed since is left as it is`() async throws {
    try await withPatch { _, client, patch, reads in
      try await client.put([Self.document: ["freeRefreshLimit": .integer(3)]])
      let error = await #expect(throws: WorkspaceError.self) { try await patch.send(reads) }
      #expect(error?.description.contains("was changed since it was read") == true)
      let limit = try await limit(client)
      #expect(limit == .integer(3))
    }
  }

  @Test func `a lost answer is told as unknown, and the next patch finds it in force`()
    async throws
  {
    try await withPatch { server, client, patch, reads in
      server.inject(.lostAnswer, times: nil, matching: ":commit")
      let error = await #expect(throws: WorkspaceError.self) { try await patch.send(reads) }
      #expect(error?.description.contains("not known whether freeRefreshLimit") == true)
      let limit = try await limit(client)
      #expect(limit == .integer(4))
      let again = try await SettingsPatch(.refreshLimit, to: 4, in: Self.document, reads)
      #expect(again.isInForce)
    }
  }

  @Test func `a refusal for another reason is told as it is`() async throws {
    try await withPatch { server, client, patch, reads in
      server.inject(.status(.permissionDenied), times: nil, matching: ":commit")
      let error = await #expect(throws: FirestoreError.self) { try await patch.send(reads) }
      #expect(error?.reason == .permissionDenied)
      let limit = try await limit(client)
      #expect(limit == .integer(2))
    }
  }
}
