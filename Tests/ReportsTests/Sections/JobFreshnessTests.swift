import Model
import Testing

@testable import Reports

/// Whether jobs keep their schedules: docs/reports.md#freshness.
@Suite struct JobFreshnessTests {
  private let dueAt = SampleFacts.at("2026-03-02T06:00:00Z")

  private func freshness(
    schedule: String? = "0 * * * *", success: Duration?, lastRun: Run.Outcome? = .ok,
    dueBefore: Duration? = .seconds(-3_600), isRunning: Bool = false
  ) -> JobFreshness {
    let dueBeforeAt = schedule == nil ? nil : dueBefore.map { dueAt + $0 }
    let job = RunsFacts.Job(
      name: "j", kind: "k", description: "", schedule: schedule,
      lastDueAt: schedule == nil ? nil : dueAt, dueBeforeAt: dueBeforeAt)
    func run(_ at: Instant, _ outcome: Run.Outcome) -> Run {
      Run(job: "j", kind: "k", trigger: .scheduled, startedAt: at, outcome: outcome)
    }
    return JobFreshness(
      of: job, lastRun: lastRun.map { run(dueAt, $0) },
      lastSuccess: success.map { run(dueAt + $0, .ok) }, isRunning: isRunning)
  }

  @Test("on time since the last due instant, late since the one before it, then overdue")
  func borders() {
    #expect(freshness(success: .seconds(1)) == .onTime)
    #expect(freshness(success: .zero) == .onTime)
    #expect(freshness(success: .seconds(-1)) == .late)
    #expect(freshness(success: .seconds(-3_600)) == .late)
    #expect(freshness(success: .seconds(-3_601)) == .overdue)
    // Friday's start is the one before Monday's, where only working days have one.
    let friday = Duration.seconds(-3 * 86_400)
    #expect(freshness(success: friday, dueBefore: friday) == .late)
    #expect(freshness(success: friday - .microseconds(1), dueBefore: friday) == .overdue)
    #expect(freshness(success: .seconds(-86_400 * 365), dueBefore: nil) == .late)
  }

  @Test("never: not run yet is a warning, never succeeded an error")
  func never() {
    #expect(freshness(success: nil, lastRun: nil) == .notYetRun)
    #expect(freshness(success: nil, lastRun: .failed) == .overdue)
    #expect(JobFreshness.notYetRun.level == .warn && JobFreshness.overdue.level == .error)
  }

  @Test("a run that is going on makes up for one missed start, and for no more")
  func running() {
    func freshness(success: Duration?, schedule: String? = "0 * * * *") -> JobFreshness {
      self.freshness(
        schedule: schedule, success: success, lastRun: .interrupted, isRunning: true)
    }
    #expect(freshness(success: .zero) == .onTime)
    #expect(freshness(success: .seconds(-1)) == .running)
    #expect(freshness(success: .seconds(-3_600)) == .running)
    #expect(freshness(success: .seconds(-3_601)) == .overdue)
    #expect(freshness(success: nil) == .running)
    #expect(freshness(success: nil, schedule: nil) == .onDemand)
    #expect(JobFreshness.running.level == .pass)
  }

  @Test("its state and its outcome say that it runs")
  func words() throws {
    var facts = SampleFacts.runs
    facts.lastRuns["upload-feedback"]?.outcome = .interrupted
    facts.lastRuns["upload-feedback"]?.endedAt = nil
    facts.lastSuccesses["upload-feedback"]?.startedAt = dueAt - .seconds(86_400)
    facts.jobs[1].dueBeforeAt = dueAt - .seconds(86_400)
    facts.running = ["upload-feedback"]
    let standing = JobStanding.all(facts)[1]
    let cells = RunJobs.cells(of: standing)
    #expect(cells[1] == .level(.pass, "Running") && cells[2] == .level(.pass, "running"))
    #expect(standing.finding(now: SampleFacts.frame.now) == nil)
  }

  @Test("a job without a schedule is judged by its last run alone")
  func onDemand() {
    #expect(freshness(schedule: nil, success: nil, lastRun: nil) == .onDemand)
    #expect(freshness(schedule: nil, success: nil, lastRun: .partial) == .onDemand)
    #expect(freshness(schedule: nil, success: nil, lastRun: .failed) == .failedOnDemand)
  }
}
