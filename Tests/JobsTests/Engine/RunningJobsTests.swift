import Fixtures
import Model
import Testing

@testable import Jobs
@testable import Store

/// What a row without an end means: docs/running.md#outcomes.
@Suite struct RunningJobsTests {
  private let startedAt = Instant.morning

  private func isRunning(
    _ definition: any JobKind, timeout: Duration?, after elapsed: Duration, isLocked: Bool,
    endedAt: Instant? = nil
  ) -> Bool {
    let job = Job(name: "j", definition: definition, timeout: timeout)
    let run = Run(
      job: "j", kind: job.kind.rawValue, trigger: .scheduled, startedAt: startedAt,
      endedAt: endedAt)
    return RunningJobs.isRunning(run, of: job, at: startedAt + elapsed, isLocked: isLocked)
  }

  private let load = SyncSettingsOptions()
  private let report = ReportOptions()

  @Test func `a run that ended does not run, whoever holds the lock`() {
    for definition in [load, report] as [any JobKind] {
      #expect(
        !isRunning(definition, timeout: nil, after: .zero, isLocked: true, endedAt: startedAt))
    }
  }

  @Test func `a run that began more than 300 seconds ahead does not run`() {
    for definition in [load, report] as [any JobKind] {
      #expect(isRunning(definition, timeout: nil, after: .seconds(-300), isLocked: true))
      #expect(
        !isRunning(
          definition, timeout: nil, after: .seconds(-300) - .microseconds(1), isLocked: true))
    }
  }

  @Test func `a job runs while the lock is held, until its timeout and the grace have passed`() {
    #expect(!isRunning(load, timeout: nil, after: .zero, isLocked: false))
    #expect(isRunning(load, timeout: nil, after: .seconds(86_400), isLocked: true))
    #expect(isRunning(load, timeout: .seconds(60), after: .seconds(70), isLocked: true))
    #expect(!isRunning(load, timeout: .seconds(60), after: .seconds(71), isLocked: true))
  }

  @Test func `a report runs without the lock, until its timeout or ten minutes and the grace`() {
    for isLocked in [true, false] {
      #expect(isRunning(report, timeout: .seconds(60), after: .seconds(70), isLocked: isLocked))
      #expect(!isRunning(report, timeout: .seconds(60), after: .seconds(71), isLocked: isLocked))
      #expect(isRunning(report, timeout: nil, after: .seconds(610), isLocked: isLocked))
      #expect(!isRunning(report, timeout: nil, after: .seconds(611), isLocked: isLocked))
    }
  }

  @Test func `runs that are going on are named, and not counted`() {
    func run(_ id: Int64, _ job: String, ended: Bool) -> Run {
      Run(
        id: id, job: job, kind: "sync-settings", trigger: .scheduled, startedAt: startedAt,
        endedAt: ended ? startedAt : nil, outcome: ended ? .ok : .interrupted)
    }
    let runs = [run(3, "b", ended: false), run(2, "a", ended: true), run(1, "b", ended: false)]
    var data = RunsData(
      jobs: [], runs: runs, lastRuns: ["a": runs[1], "b": runs[0]], lastSuccesses: [:])
    let jobs = ["a", "b", "c"].map { Job(name: $0, definition: load) }
    data.setAside(running: jobs, at: startedAt, isLocked: false)
    #expect(data.running.isEmpty && data.runs.map(\.id) == [3, 2, 1])
    data.setAside(running: jobs, at: startedAt, isLocked: true)
    #expect(data.running == ["b"] && data.runs.map(\.id) == [2, 1])
    var refused = run(4, "b", ended: true)
    refused.outcome = .locked
    data = RunsData(
      jobs: [], runs: [refused] + runs, lastRuns: ["b": refused], lastJudgedRuns: ["b": runs[0]],
      lastSuccesses: [:])
    data.setAside(running: jobs, at: startedAt, isLocked: true)
    #expect(data.running == ["b"] && data.runs.map(\.id) == [4, 2, 1])
  }
}
