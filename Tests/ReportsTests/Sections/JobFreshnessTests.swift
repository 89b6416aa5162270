import Model
import Testing

@testable import Reports

/// Whether jobs keep their schedules: docs/reports.md#freshness.
@Suite struct JobFreshnessTests {
  private let dueAt = SampleFacts.at("2026-03-02T06:00:00Z")

  private func freshness(
    schedule: String? = "0 * * * *", success: Duration?, lastRun: Run.Outcome? = .ok
  ) -> JobFreshness {
    let job = RunsFacts.Job(
      name: "j", kind: "k", description: "", schedule: schedule,
      lastDueAt: schedule == nil ? nil : dueAt)
    func run(_ at: Instant, _ outcome: Run.Outcome) -> Run {
      Run(job: "j", kind: "k", trigger: .scheduled, startedAt: at, outcome: outcome)
    }
    return JobFreshness(
      of: job, lastRun: lastRun.map { run(dueAt, $0) },
      lastSuccess: success.map { run(dueAt + $0, .ok) })
  }

  @Test("on time since the last due instant, late one interval back, then overdue")
  func borders() {
    #expect(freshness(success: .seconds(1)) == .onTime)
    #expect(freshness(success: .zero) == .onTime)
    #expect(freshness(success: .seconds(-1)) == .late)
    #expect(freshness(success: .seconds(-3_600)) == .late)
    #expect(freshness(success: .seconds(-3_601)) == .overdue)
  }

  @Test("never: not run yet is a warning, never succeeded an error")
  func never() {
    #expect(freshness(success: nil, lastRun: nil) == .notYetRun)
    #expect(freshness(success: nil, lastRun: .failed) == .overdue)
    #expect(JobFreshness.notYetRun.level == .warn && JobFreshness.overdue.level == .error)
  }

  @Test("a job without a schedule is judged by its last run alone")
  func onDemand() {
    #expect(freshness(schedule: nil, success: nil, lastRun: nil) == .onDemand)
    #expect(freshness(schedule: nil, success: nil, lastRun: .partial) == .onDemand)
    #expect(freshness(schedule: nil, success: nil, lastRun: .failed) == .failedOnDemand)
  }

  @Test(
    "the interval of a schedule",
    arguments: [
      ("* * * * *", 60.0 as Double?), ("*/15 * * * *", 900), ("0 * * * *", 3_600),
      ("0,30 * * * *", 1_800), ("0 6 * * *", 86_400), ("0 */6 * * *", 21_600),
      ("0 6 * * 1", 604_800), ("@hourly", 3_600), ("0 8-17 * * *", 8_640), ("", nil),
      ("0 6 * *", nil), ("a b", nil),
    ])
  func interval(schedule: String, expected: Double?) {
    #expect(CronInterval.seconds(of: schedule).map { $0.rounded() } == expected)
  }
}
