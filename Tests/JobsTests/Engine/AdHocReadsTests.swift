import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import Testing

@testable import Jobs
@testable import Workspace

/// The run that reads outside of any job leave: docs/query.md#cost.
@Suite struct AdHocReadsTests {
  private static let budget = ReadBudget(
    maxPerRun: 1, maxPerDay: nil, readToday: 0, now: .morning)

  @Test(
    arguments: [
      (WorkspaceError.adHocBudget(budget, spent: 1), .blocked),
      // A document that was changed meanwhile, as `settings push` finds it.
      (WorkspaceError.refused(.tryLater, "Changed."), .failed),
      (WorkspaceError.refused(.failed, "No."), .failed),
      (CancellationError(), .interrupted),
    ] as [(any Error, Run.Outcome)])
  func `the budget blocks a command, a cancelled task interrupts it, and all else fails it`(
    error: any Error, outcome: Run.Outcome
  ) async throws {
    let workspace = try TestWorkspace(jobs: [:])
    let context = try workspace.context(at: ManualClock(start: .morning))
    await #expect(throws: (any Error).self) {
      try await AdHocReads.perform(for: "count", maxReads: 1, context) {
        _ -> (answer: Int, summary: String) in throw error
      }
    }
    let run = try #require(try workspace.store.read { try $0.lastRuns()["count"] })
    #expect(run.outcome == outcome && run.exitStatus != nil)
    #expect(run.error?.isEmpty == false)
  }
}
