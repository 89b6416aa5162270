import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

/// Whether jobs keep their schedules: docs/reports.md#freshness.
@Suite struct JobFreshnessTests {
  private let dueAt = SampleReports.at("2026-03-02T06:00:00Z")

  private func freshness(
    schedule: String? = "0 * * * *", success: Duration?, lastRun: Run.Outcome? = .ok,
    began: Duration = .zero, dueBefore: Duration? = .seconds(-3_600), isRunning: Bool = false,
    problem: String? = nil
  ) -> JobFreshness {
    let dueBeforeAt = schedule == nil ? nil : dueBefore.map { dueAt + $0 }
    let job = RunsData.JobSummary(
      name: "j", kind: JobKindName("k"), schedule: schedule,
      lastDueAt: schedule == nil ? nil : dueAt, dueBeforeAt: dueBeforeAt, problem: problem)
    func run(_ at: Instant, _ outcome: Run.Outcome) -> Run {
      Run(job: "j", kind: "k", trigger: .scheduled, startedAt: at, outcome: outcome)
    }
    return JobFreshness(
      of: job, lastRun: lastRun.map { run(dueAt + began, $0) },
      lastSuccess: success.map { run(dueAt + $0, .ok) }, isRunning: isRunning)
  }

  @Test func `on time since the last due instant, late since the one before it, then overdue`() {
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

  @Test func `never: not run yet is a warning, never succeeded an error`() {
    #expect(freshness(success: nil, lastRun: nil) == .notYetRun)
    #expect(freshness(success: nil, lastRun: .failed) == .failed)
    #expect(freshness(success: nil, lastRun: .interrupted) == .failed)
    #expect(freshness(success: nil, lastRun: .blocked) == .overdue)
    #expect(JobFreshness.notYetRun.level == .warn && JobFreshness.overdue.level == .error)
  }

  @Test func `a job that was started and failed is not overdue, however long ago it succeeded`() {
    for outcome in [Run.Outcome.failed, .interrupted] {
      #expect(freshness(success: .zero, lastRun: outcome) == .failed)
      #expect(freshness(success: .seconds(-3_600), lastRun: outcome) == .failed)
      #expect(freshness(success: .seconds(-86_400), lastRun: outcome) == .failed)
      // One that failed before it was due again, and was not started since, is.
      let early = Duration.microseconds(-1)
      #expect(freshness(success: .seconds(-3_600), lastRun: outcome, began: early) == .failed)
      #expect(freshness(success: .seconds(-3_601), lastRun: outcome, began: early) == .overdue)
    }
    #expect(JobFreshness.failed.level == .error)
  }

  @Test func `a job that was kept from running is blocked, on time or late, until it is overdue`() {
    #expect(freshness(success: .zero, lastRun: .blocked) == .blocked)
    #expect(freshness(success: .seconds(-3_600), lastRun: .blocked) == .blocked)
    #expect(freshness(success: .seconds(-3_601), lastRun: .blocked) == .overdue)
    #expect(freshness(schedule: nil, success: nil, lastRun: .blocked) == .blocked)
    #expect(JobFreshness.blocked.level == .warn)
  }

  @Test func `a job whose file is wrong is broken, whatever it did before`() {
    #expect(freshness(success: .zero, problem: "no kind") == .broken)
    #expect(freshness(schedule: nil, success: nil, lastRun: nil, problem: "no kind") == .broken)
    #expect(JobFreshness.broken.level == .error)
  }

  @Test func `a run in progress makes up for one missed start, and for no more`() {
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

  @Test func `its state and its outcome say that it runs`() throws {
    var data = SampleReports.runs
    data.lastRuns["upload-feedback"]?.outcome = .interrupted
    data.lastRuns["upload-feedback"]?.endedAt = nil
    data.lastSuccesses["upload-feedback"]?.startedAt = dueAt - .seconds(86_400)
    data.jobs[1].dueBeforeAt = dueAt - .seconds(86_400)
    data.running = ["upload-feedback"]
    let jobs = JobHealth.all(data)
    let cells = RunJobs.stateTable(jobs, withSchedule: true).rows[1].cells
    #expect(cells[1] == .level(.pass, "Running") && cells[2] == .level(.pass, "running"))
    #expect(jobs[1].finding(TimeWords(context: SampleReports.context)) == nil)
  }

  /// Three jobs that succeeded an hour before they were due.
  private func late(_ change: (inout RunsData) -> Void = { _ in }) -> [Finding] {
    var data = RunsData(jobs: [], runs: [], lastRuns: [:], lastSuccesses: [:])
    for name in ["settle", "events", "users"] {
      data.jobs.append(
        RunsData.JobSummary(
          name: name, kind: JobKindName("k"), schedule: "0 * * * *", lastDueAt: dueAt,
          dueBeforeAt: dueAt - .seconds(3_600), expected: "every hour"))
      let run = Run(
        job: name, kind: "k", trigger: .scheduled, startedAt: dueAt - .seconds(3_600),
        endedAt: dueAt, outcome: .ok)
      (data.lastRuns[name], data.lastJudgedRuns[name], data.lastSuccesses[name]) = (run, run, run)
    }
    change(&data)
    return JobHealth.findings(
      of: JobHealth.all(data), data.futureRuns,
      TimeWords(timeZone: "UTC", now: dueAt + .seconds(1_800)))
  }

  @Test func `jobs that nothing started are one finding, and one such job its own`() {
    let all = late()
    #expect(all.map(\.level) == [.warn])
    #expect(
      all.first?.sentence
        == "3 jobs are late: the scheduler has started nothing since 05:00. "
        + "They are settle, events and users.")
    #expect(all.first?.advice == "See whether cron runs: `firetally doctor`.")
    let overdue = late { $0.lastSuccesses["events"]?.startedAt = dueAt - .seconds(3_601) }
    #expect(overdue.map(\.level) == [.error])
    let one = late { $0.jobs.removeLast(2) }
    #expect(
      one.map(\.sentence).first?.hasPrefix("settle is late: due 06:00, not started; last success")
        == true)
  }

  @Test func `jobs beside which others ran do not say that nothing ran`() {
    let others = late { data in
      data.lastRuns["users"]?.startedAt = dueAt + .seconds(60)
      data.lastSuccesses["users"] = data.lastRuns["users"]
      data.lastJudgedRuns["users"] = data.lastRuns["users"]
    }
    #expect(
      others.map(\.sentence) == [
        "2 jobs are late: nothing has started them since 05:00. They are settle and events."
      ])
    let byHand = late { data in
      data.lastRuns["users"]?.startedAt = dueAt + .seconds(60)
      data.lastRuns["users"]?.trigger = .manual
      data.lastSuccesses["users"] = data.lastRuns["users"]
      data.lastJudgedRuns["users"] = data.lastRuns["users"]
    }
    #expect(
      byHand.first?.sentence.contains("the scheduler has started nothing since 05:00") == true)
  }

  @Test(arguments: [1, 2])
  func `jobs that have not run yet are one finding`(count: Int) {
    let found = late { data in
      data.jobs = Array(data.jobs.prefix(count))
      (data.lastRuns, data.lastJudgedRuns, data.lastSuccesses) = ([:], [:], [:])
    }
    #expect(
      found.map(\.sentence) == [
        count == 1
          ? "settle has a schedule and has not run yet."
          : "2 jobs have a schedule and have not run yet: settle and events."
      ])
    #expect(found.map(\.level) == [.warn])
    #expect(found[0].advice == (count == 1 ? nil : "Run them: `firetally run --all`."))
  }

  @Test func `jobs that have not run beside others that did are a matter of cron`() {
    let found = late { data in
      for name in ["settle", "events"] {
        data.lastRuns[name] = nil
        data.lastJudgedRuns[name] = nil
        data.lastSuccesses[name] = nil
      }
    }
    let new = found.first { $0.sentence.hasPrefix("2 jobs have a schedule") }
    #expect(new?.advice == "See whether cron runs: `firetally doctor`.")
  }

  @Test(arguments: [(JobKindName.maintain, Level.warn), (.syncUsers, .error)])
  func `housekeeping that fails is no error`(kind: JobKindName, level: Level) {
    let failed = late { data in
      data.jobs = Array(data.jobs.prefix(1))
      data.jobs[0].kind = kind
      data.lastRuns["settle"]?.outcome = .failed
      data.lastJudgedRuns["settle"] = data.lastRuns["settle"]
    }
    #expect(failed.map(\.level) == [level])
  }

  @Test func `a job that failed or was started is told by itself, beside those that were not`() {
    let failed = late { data in
      data.lastRuns["events"]?.outcome = .failed
      data.lastJudgedRuns["events"] = data.lastRuns["events"]
    }
    #expect(failed.count == 2 && failed[0].sentence.hasPrefix("events failed"))
    #expect(
      failed[1].sentence.hasPrefix("2 jobs are late: the scheduler has started nothing since"))
    let started = late { $0.lastRuns["events"]?.startedAt = dueAt }
    #expect(started.count == 2)
  }

  @Test func `a late job that keeps another from running is told by itself, as is a failed one`() {
    let keeping = late { data in
      data.jobs[2].needs = ["settle"]
      data.lastRuns["users"]?.outcome = .blocked
      data.lastRuns["users"]?.refusedBy = .need
      data.lastRuns["users"]?.error = "Not run, because settle did not succeed."
      data.lastRuns["users"]?.startedAt = dueAt
      data.lastJudgedRuns["users"] = data.lastRuns["users"]
    }
    #expect(keeping.contains { $0.sentence.hasSuffix("It keeps users from running.") })
    let failing = late { data in
      for name in ["events", "users"] {
        data.lastSuccesses[name]?.startedAt = dueAt - .seconds(3_601)
        data.lastRuns[name]?.startedAt = dueAt - .seconds(1_800)
        data.lastRuns[name]?.outcome = .failed
        data.lastRuns[name]?.error = "No answer."
        data.lastJudgedRuns[name] = data.lastRuns[name]
      }
    }
    #expect(failing.filter { $0.sentence.contains("No answer.") }.count == 1)
    #expect(!failing.contains { $0.sentence.contains("jobs are late") })
  }

  @Test func `runs in the future are an error that says how to mend it`() {
    let latest = Run(
      id: 7, job: "settle", kind: "k", trigger: .scheduled, startedAt: dueAt + .seconds(86_400))
    for (count, start) in [
      (1, "The clock was wrong: run 7 of settle is dated in the future, 2026-03-03T06:00:00Z, and"),
      (
        1_200,
        "The clock was wrong: 1,200 runs are dated in the future and do not count, the latest"
      ),
    ] {
      let findings = late {
        $0.futureRuns = FutureRuns(count: count, latest: latest)
        $0.lastSuccesses["settle"]?.startedAt = dueAt - .seconds(3_601)
      }
      #expect(findings.first?.level == .error && findings.first?.sentence.hasPrefix(start) == true)
      #expect(findings.first?.sentence.hasSuffix("with `firetally runs forget`.") == true)
    }
  }

  @Test func `a job without a schedule is judged by its last run alone`() {
    #expect(freshness(schedule: nil, success: nil, lastRun: nil) == .onDemand)
    #expect(freshness(schedule: nil, success: nil, lastRun: .partial) == .onDemand)
    #expect(freshness(schedule: nil, success: nil, lastRun: .failed) == .failed)
  }
}
