import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import Sync
import SyncTesting

@testable import CollectionMapping
@testable import Jobs
@testable import Operations

/// Inspects a database with these documents, recorded as a run of a workspace of its own.
func inspected(
  _ documents: [String: [String: Value]], _ request: InspectionRequest,
  on backend: Backend = .embedded, maxReads: Int = InspectionRequest.defaultMaxReads
) async throws -> (findings: Inspection.Findings, reads: Int, run: Run?) {
  let project = "inspect\(UInt32.random(in: 0...(.max)))"
  return try await backend.run(project) { client in
    let paths = documents.keys.sorted()
    for start in stride(from: 0, to: paths.count, by: 400) {
      let part = paths[start..<min(start + 400, paths.count)]
      try await client.put(documents.filter { part.contains($0.key) })
    }
    let before = client.traffic.billedReadCount
    let workspace = try TestWorkspace(jobs: [:])
    let findings = try await inspected(client, request, in: workspace, maxReads: maxReads)
    let run = try workspace.store.read { try $0.lastRuns() }["inspect"]
    return (findings, client.traffic.billedReadCount - before, run)
  }
}

/// Inspects what a database holds.
func inspected(
  _ database: any FirestorePort, _ request: InspectionRequest,
  in workspace: TestWorkspace? = nil, maxReads: Int = InspectionRequest.defaultMaxReads
) async throws -> Inspection.Findings {
  let context = try (workspace ?? TestWorkspace(jobs: [:])).context(
    at: ManualClock(start: .morning), services: ScriptedServices(database).services())
  return try await AdHocReads.perform(for: "inspect", maxReads: maxReads, context) { reads in
    (try await Inspection(request, reads).run(), "Inspected.")
  }
}
