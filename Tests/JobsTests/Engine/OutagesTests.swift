import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import SyncTesting
import Testing

/// An outage is reported at its start and at its end, and not in between.
struct OutagesTests {
  @Test func `failures in a row are one outage`() async throws {
    let workspace = try TestWorkspace(jobs: ["settings": "kind: sync-settings\n"])
    try workspace.fill(users: 0)
    let outages = Outages(workspace.store)
    var notices: [String] = []
    func run(_ error: FirestoreError?) async throws {
      workspace.services.failFirestore(with: error)
      let report = try #require(try await workspace.run(.all).first)
      switch try outages.notice(of: report) {
      case .failed(let isNew): notices.append("failed \(isNew)")
      case .recovered(let outage): notices.append("recovered after \(outage.failures)")
      case .none: notices.append("none")
      }
      try outages.remember(report)
    }
    try await run(nil)
    for _ in 1...3 { try await run(FirestoreError.refusal(.unavailable)) }
    try await run(nil)
    try await run(nil)
    #expect(
      notices == [
        "none", "failed true", "failed false", "failed false", "recovered after 3", "none",
      ])
  }

  @Test func `what was not remembered is reported again`() async throws {
    let workspace = try TestWorkspace(jobs: ["settings": "kind: sync-settings\n"])
    workspace.services.failFirestore(with: FirestoreError.refusal(.unavailable))
    let report = try #require(try await workspace.run(.all).first)
    let outages = Outages(workspace.store)
    for _ in 1...2 { #expect(try outages.notice(of: report) == .failed(isNew: true)) }
    try outages.remember(report)
    #expect(try outages.notice(of: report) == .failed(isNew: false))
  }
}
