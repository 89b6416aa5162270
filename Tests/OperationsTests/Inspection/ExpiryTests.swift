import Emulator
import Fixtures
import JobsTesting
import Model
import Sync
import SyncTesting
import Synchronization
import Testing

@testable import CollectionMapping
@testable import Firestore
@testable import Jobs
@testable import Operations

/// TTL policies, as inspections and the doctor report them.
@Suite struct ExpiryTests {
  private static let policies = [
    ExpiryPolicy(collectionId: "Sessions", field: "expires_at", state: .active),
    ExpiryPolicy(collectionId: "Elsewhere", field: "until", state: .active),
  ]

  private final class Notes: Sendable {
    private let sentences = Mutex<[String]>([])
    var all: [String] { sentences.withLock(\.self) }
    func note(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
  }

  /// Inspects a database with two collections, one of which has a policy.
  private func inspect(
    refusal: RPCStatus? = nil
  ) async throws -> (findings: Inspection.Findings, notes: [String]) {
    try await withServer { server, client in
      try await client.put(["Sessions/s": ["n": .integer(1)], "Orders/o": ["n": .integer(1)]])
      server.expiry.set(Self.policies, of: client.endpoint.root.databaseName)
      if let refusal { server.inject(.status(refusal), times: nil, matching: "collectionGroups") }
      let workspace = try TestWorkspace(jobs: [:])
      let context = try workspace.context(
        at: ManualClock(start: .morning), services: ScriptedServices(client).services())
      let notes = Notes()
      let findings = try await AdHocReads.perform(for: "inspect", maxReads: nil, context) {
        reads in
        let inspection = Inspection(try InspectionRequest(), reads) { sentence, isStep in
          if isStep { notes.note(sentence) }
        }
        return (try await inspection.run(), "Inspected.")
      }
      return (findings, notes.all)
    }
  }

  private func draft(_ collection: InspectedCollection) -> JobDraft {
    var taken = TakenNames(JobFiles.catalog(of: []))
    return JobDraft(collection, besides: &taken, price: .example, day: "2026-01-31")
  }

  @Test func `an inspection tells the policy of its collection, and the draft looks for deletes`()
    async throws
  {
    let (findings, notes) = try await inspect()
    #expect(findings.collections.map(\.name) == ["Orders", "Sessions"])
    #expect(findings.collections.map(\.expiry) == [[], [Self.policies[0]]])
    #expect(notes.isEmpty)
    let drafts = findings.collections.map { draft($0).text }
    #expect(!drafts[0].contains("deletes") && !drafts[0].contains("TTL"))
    #expect(drafts[1].contains("\ndeletes: drift\n"))
    #expect(
      drafts[1].contains(
        "# Documents of Sessions expire by expires_at (TTL policy, active).\n"))
    #expect(JobDraft.accepted(drafts[1], "sessions") != nil)
  }

  @Test(arguments: [RPCStatus.permissionDenied, .notFound, .unimplemented])
  func `who may not list policies still inspects, and hears why only when asked`(
    refusal: RPCStatus
  ) async throws {
    let (findings, notes) = try await inspect(refusal: refusal)
    #expect(findings.collections.count == 2 && findings.stop == nil)
    #expect(findings.collections.allSatisfy { $0.expiry.isEmpty })
    #expect(notes.count == 1 && notes.allSatisfy { $0.hasPrefix("TTL policies are unknown. ") })
  }

  private func doctor(refusal: RPCStatus? = nil) async throws -> [DoctorFinding] {
    try await withServer { server, client in
      server.expiry.set(Self.policies, of: client.endpoint.root.databaseName)
      if let refusal { server.inject(.status(refusal), times: nil, matching: "collectionGroups") }
      let stage = try DoctorStage(jobs: [
        "kept": "kind: sync-collection\ncollection: Sessions\ndeletes: drift\n",
        "orders": "kind: sync-collection\ncollection: Orders\n",
        "sample": "kind: sync-collection\ncollection: Sessions\ntable: S\nmax_documents: 9\n",
        "silent": "kind: sync-collection\ncollection_group: Sessions\ntable: T\n",
      ])
      stage.services = ScriptedServices(client).services()
      return try await stage.findings(of: FirestoreCheck.self)
    }
  }

  @Test func `the doctor warns of a copy that would keep what expired`() async throws {
    let found = try await doctor().filter { $0.message.contains("TTL policy") }
    #expect(found.map(\.subject) == ["kept", "sample", "silent"])
    #expect(found.map(\.verdict) == [.ok, .ok, .warn])
    #expect(
      found.map(\.message)
        == Array(
          repeating: "Documents of Sessions expire by expires_at (TTL policy, active): they "
            + "disappear without an update.", count: 3))
    #expect(found[2].advice?.contains("docs/jobs/sync-collection.md#ttl-policies") == true)
  }

  @Test(arguments: [RPCStatus.permissionDenied, .notFound, .unimplemented])
  func `the doctor says nothing where policies cannot be listed`(refusal: RPCStatus) async throws {
    let found = try await doctor(refusal: refusal)
    #expect(found.allSatisfy { $0.verdict == .ok && !$0.message.contains("TTL") })
    #expect(found.count == 6, "the server, its edition, and a line for each job")
  }
}
