import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct RunLogsTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func ran(
    _ job: String, _ outcome: Run.Outcome = .ok, at seconds: Int = 0,
    refusedBy refusal: Run.Refusal? = nil, messages: [String] = []
  ) throws -> Run {
    var run = Run(
      job: job, kind: "sync-users", trigger: .scheduled, startedAt: .morning + .seconds(seconds))
    run.id = try store.write { try $0.begin(run) }
    run.outcome = outcome
    run.refusedBy = refusal
    run.endedAt = run.startedAt + .seconds(2)
    let log = log(messages)
    try store.write { [run] in try $0.finish(run, log: log) }
    return run
  }

  private func log(_ messages: [String]) -> RunLog {
    messages.reduce(into: RunLog()) { log, message in
      log.append(RunLog.LoggedLine(at: .morning, level: .warning, message: message))
    }
  }

  private func selected(_ selection: RunSelection, limit: Int = 100) throws -> [Run] {
    try store.read { try $0.runs(selection, limit: limit) }
  }

  @Test func `what was logged comes back with the run, and with no other`() throws {
    let first = try ran("users", messages: ["one", "zwei ü\nand more"])
    let second = try ran("users")
    let id = try #require(first.id)
    #expect(try store.read { try $0.log(ofRun: id) } == log(["one", "zwei ü\nand more"]))
    #expect(try store.read { try $0.log(ofRun: second.id ?? 0) } == RunLog())
    #expect(try store.read { try $0.run(id: id) } == first)
    #expect(try store.read { try $0.run(id: 99) } == nil)
  }

  @Test func `how many lines were left out comes back, too`() throws {
    let messages = (0...RunLog.maxLines + 5).map { "\($0)" }
    let run = try ran("users", messages: messages)
    let stored = try store.read { try $0.log(ofRun: run.id ?? 0) }
    #expect(stored == log(messages))
    #expect(stored.omittedCount == 6)
  }

  @Test func `a run that goes takes its log with it`() throws {
    _ = try ran("users", messages: ["one"])
    try store.write { _ = try $0.run("DELETE FROM sync_runs") }
    #expect(try folder.texts("SELECT count(*) FROM run_logs") == ["0"])
  }

  @Test func `an error's exit status is kept, and none is none`() throws {
    var run = try ran("users", .failed)
    run.exitStatus = 77
    try store.write { [run] in try $0.finish(run) }
    #expect(try selected(RunSelection()) == [run])
  }

  @Test func `runs come newest first, of one job or of all, and not more than asked for`() throws {
    let runs = [try ran("a", at: 0), try ran("b", at: 1), try ran("a", at: 2)]
    #expect(try selected(RunSelection()) == runs.reversed())
    #expect(try selected(RunSelection(job: "a")) == [runs[2], runs[0]])
    #expect(try selected(RunSelection(job: "nosuch")) == [])
    #expect(try selected(RunSelection(), limit: 1) == [runs[2]])
    #expect(try store.read { try $0.hasRuns(ofJob: "b") })
    #expect(try store.read { try !$0.hasRuns(ofJob: "c") })
  }

  @Test func `failed are those that ended badly by themselves or for want of a need`() throws {
    var failed: [Run] = []
    for (index, outcome) in Run.Outcome.allCases.enumerated() {
      let run = try ran("users", outcome, at: index)
      if [.failed, .interrupted, .blocked].contains(outcome) { failed.insert(run, at: 0) }
    }
    failed.insert(try ran("users", .blocked, at: 20, refusedBy: .need), at: 0)
    _ = try ran("users", .blocked, at: 21, refusedBy: .limit)
    _ = try ran("users", .locked, at: 22, refusedBy: .lock)
    #expect(try selected(RunSelection(onlyFailed: true)) == failed)
    let running = try #require(failed[1].id)
    #expect(
      try selected(RunSelection(job: "users", onlyFailed: true, running: [running]))
        == failed.filter { $0.id != running })
    #expect(try selected(RunSelection(running: [running])).contains { $0.id == running })
  }
}
