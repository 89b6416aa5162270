import Emulator
import Firestore
import Fixtures
import JobsTesting
import Model
import Sync
import SyncTesting
import Synchronization
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Operations

/// What an inspection reports about its cost; see `docs/inspect.md#cost`.
@Suite struct EnterpriseInspectionTests {
  @Test(arguments: FirestoreEdition.allCases)
  func `the edition is known before anything is billed`(edition: FirestoreEdition) async throws {
    let server = try await EmulatorServer.start(edition: edition)
    let client = FirestoreClient.speaking(to: server.address)
    try await client.put(.users(30))
    let told = Mutex<[FirestoreEdition]>([])
    let context = try TestWorkspace(jobs: [:]).context(
      at: ManualClock(start: .morning), services: ScriptedServices(client).services())
    let findings = try await AdHocReads.perform(for: "inspect", maxReads: 100, context) { reads in
      let inspection = Inspection(
        try InspectionRequest(), reads,
        willRead: { edition in
          #expect(server.documents.billedReadCount == 0)
          told.withLock { $0.append(edition) }
        })
      return (try await inspection.run(), "Inspected.")
    }
    #expect(told.withLock(\.self) == [edition])
    #expect(findings.collections.map(\.count) == [30])
    try await server.stop()
  }
}
