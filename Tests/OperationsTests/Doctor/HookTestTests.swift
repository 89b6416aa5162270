import JobsTesting
import Model
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

struct HookTestTests {
  private func job(_ name: String, _ hooks: JobHooks) -> Job {
    Job(name: name, definition: MaintainOptions(), hooks: hooks)
  }

  @Test func `a hook that several jobs have is tried once`() {
    let hooks = JobHooks(hooks: [.onSuccess: .command("a"), .onFailure: .command("b")])
    let tests = HookTest.all(of: [job("one", hooks), job("two", hooks)], event: nil)
    #expect(tests.map(\.event) == ["on_failure", "on_success"])
    #expect(tests.map(\.jobs) == [["one", "two"], ["one", "two"]])
  }

  @Test func `an address with the job's name is tried for each job`() {
    let hooks = JobHooks(hooks: [.onStart: .ping(url: "https://h/{job}")])
    let tests = HookTest.all(of: [job("one", hooks), job("two", hooks)], event: nil)
    #expect(tests.map(\.jobs) == [["one"], ["two"]])
  }

  @Test func `one event can be chosen`() {
    let hooks = JobHooks(hooks: [.onStart: .command("a"), .onFailure: .command("a")])
    let tests = HookTest.all(of: [job("one", hooks)], event: "on_start")
    #expect(tests.map(\.event) == ["on_start"])
    #expect(HookTest.all(of: [job("one", hooks)], event: "on_success").isEmpty)
  }

  @Test func `the hook of a kind is tried with its variables`() throws {
    let settle = Job(name: "settle", definition: SettleOptions(onReset: .command("a")))
    let test = try #require(HookTest.all(of: [settle], event: nil).first)
    #expect(test.event == "on_reset")
    let report = test.report(app: "Chat")
    #expect(report.isTest && report.environment["FIRETALLY_FEATURE"] == "refresh")
  }

  @Test func `the made-up runs are those of their events`() throws {
    let hooks = JobHooks(hooks: [
      .onStart: .command("a"), .onSuccess: .command("a"), .onFailure: .command("a"),
    ])
    let reports = HookTest.all(of: [job("one", hooks)], event: nil).map { $0.report(app: "Chat") }
    #expect(reports.map(\.moment) == [.started, .ended(.failed), .ended(.ok)])
    #expect(reports.map(\.exitCode) == [nil, 1, 0])
    #expect(reports.map { $0.error == nil } == [true, false, true])
    #expect(reports.allSatisfy { $0.isTest && $0.run == nil })
  }
}
