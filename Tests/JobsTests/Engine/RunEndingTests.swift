import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import Testing

@testable import Jobs

/// What a command printed when a run ended, as its scheduler records it: docs/incidents.md.
@Suite struct RunEndingTests {
  private let workspace: TestWorkspace

  init() throws { workspace = try TestWorkspace(jobs: [:]) }

  private func notice() throws -> IncidentNotice {
    let observation = IncidentRule.RunObservation(
      of: "a", .failed, trouble: JobTrouble(.failure, "Wrong."), lockedAt: nil)
    let due = try IncidentLedger(workspace.store).record(
      observation, startedAt: .morning, at: .morning)
    return try #require(due.first)
  }

  private func begin() throws -> Int64 {
    let run = Run(job: "a", kind: "settle", trigger: .manual, startedAt: .morning)
    return try workspace.store.write { try $0.begin(run) }
  }

  @Test func `what was printed is delivered, and lines that were lost are a warning of the run`()
    throws
  {
    let id = try begin()
    var printout = RunPrintout(of: [try notice()])
    printout.loss = "Lost."
    #expect(try printout.record(in: workspace.store, ofRun: id, at: .morning) == nil)
    let (open, run) = try workspace.store.read {
      (try $0.openIncidents(at: .morning), try $0.lastRuns()["a"])
    }
    #expect(open.map(\.lastMessage) == [JobIncident.Message(.began, at: .morning)])
    #expect(run?.warnings == ["Lost."])
  }

  @Test func `lines about incidents of no run are no run's warning`() throws {
    _ = try begin()
    var printout = RunPrintout()
    printout.loss = "Lost."
    #expect(try printout.record(in: workspace.store, ofRun: nil, at: .morning) == nil)
    #expect(try workspace.store.read { try $0.lastRuns()["a"]?.warnings } == [])
  }

  @Test func `a message that cannot be recorded as sent is said to come again`() throws {
    let notice = try notice()
    let readOnly = try Store.openToRead(path: workspace.store.path)
    let warning = try RunPrintout(of: [notice]).record(in: readOnly, ofRun: nil, at: .morning)
    #expect(warning?.hasPrefix("Printed messages cannot be recorded, so they come again: ") == true)
  }
}
