import Fixtures
import JobsTesting
import Model
import Reports
import Testing

@testable import Jobs

/// What the overview takes from the report job: docs/overview.md#contents.
struct OverviewReadingTests {
  @Test(arguments: [true, false]) func `people have pseudonyms where the reports have them`(
    isAnonymous: Bool
  ) throws {
    let workspace = try TestWorkspace(
      jobs: ["report": "kind: report\nanonymous: \(isAnonymous)\nscope: profile\n"],
      configuration: "app: {name: Chat, bundle_id: com.example.app}\n")
    let context = try workspace.context(at: ManualClock(start: .morning))
    let app = try OverviewReading(context).app()
    #expect(app.context.isAnonymous == isAnonymous)
    #expect(app.context.scope == nil)
  }
}
