import ArgumentParser
import Jobs
import Reports
import Workspace

struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Show when jobs will run.",
    group: [Next.self])

  struct Next: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "next",
      abstract: "Show when each job runs next; with --days every start.",
      discussion: """
        Times are in time_zone, with their offset from UTC. When clocks change, a fixed time that \
        is skipped runs after the gap. A fixed time that comes twice runs only the first time.

        Exit status: 0 success; 64 no such job; 65 a job file is wrong, so its schedule is unknown.
        """,
      examples: [
        "firetally schedule next", "firetally schedule next report --days 7",
        "firetally schedule next --json",
      ])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The jobs to show, by name. Default: all.", completion: NameCompletion.jobs)
    var jobs: [String] = []

    @Option(
      parsing: .unconditional,
      help: "List every start in this number of days, 1 to 366. Default: the next one of each job.")
    var days: Int?

    func validate() throws { try UpcomingRuns.dayCounts.check(days, "--days") }

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let catalog = try opened.workspace.jobs()
      let names = catalog.jobs.map(\.name) + catalog.broken.map(\.name)
      let selection = try JobSelection(named: jobs.isEmpty ? names : jobs, of: catalog)
      let runs =
        days.map {
          UpcomingRuns.list(
            of: selection.jobs, after: invocation.now, days: $0, in: opened.timeZone)
        } ?? UpcomingRuns.next(of: selection.jobs, after: invocation.now, in: opened.timeZone)
      // Without names of jobs, a request for all starts is about the jobs with a schedule.
      let isShort = jobs.isEmpty && days != nil
      let unscheduled = isShort ? [] : selection.jobs.filter { $0.schedule == nil }
      if invocation.output.isJSON {
        let lines =
          runs.map { Self.line(of: $0.job, $0) } + unscheduled.map { Self.line(of: $0.name, nil) }
        for line in lines { try invocation.output.print(json: line) }
      } else {
        let time = TimeWords(timeZone: opened.config.timeZone, now: invocation.now)
        invocation.output.print(text(runs, unscheduled, time, in: opened.config.timeZone))
      }
      guard selection.broken.isEmpty else {
        throw WorkspaceError.jobFiles(
          ConfigurationError(selection.broken.flatMap(\.error.problems)))
      }
    }

    /// Returns a line as in `docs/running.md#what-will-run-when`; nil for a job without a schedule.
    private static func line(of job: String, _ run: UpcomingRun?) -> JSONObject {
      [
        "message_type": "scheduled_run", "at": run?.at, "localTime": run?.local.iso8601,
        "offset": run?.local.offset, "job": job, "schedule": run?.schedule.fields,
        "clockChange": run?.clockChange?.rawValue,
      ]
    }

    private func text(
      _ runs: [UpcomingRun], _ unscheduled: [Job], _ time: TimeWords, in zone: String
    ) -> String {
      let isChanging = runs.contains { $0.clockChange != nil }
      let isNext = days == nil
      var table = TextTable(
        ["DAY", "TIME", "OFFSET"] + (isNext ? ["LEFT"] : []) + ["JOB", "SCHEDULE"]
          + (isChanging ? ["CLOCKS"] : []))
      for run in runs {
        table.add(
          [run.local.day, String(run.local.time.dropLast(3)), run.local.offset]
            + (isNext ? [time.distance(to: run.at)] : []) + [run.job, run.schedule.fields]
            + (isChanging ? [run.clockChange?.words ?? "-"] : []))
      }
      let period = days.map { "the next \(NumberWords.counted($0, "day"))" }
      let list =
        runs.isEmpty ? ["Nothing is scheduled\(period.map { " in \($0)" } ?? "")."] : [table.text]
      return
        (list
        + unscheduled.map { "\($0.name) has no schedule: it runs only when you ask for it." }
        + ["", "Times of \(zone), \(period ?? "each job's next start; --days lists every one")."])
        .joined(separator: "\n")
    }
  }
}

extension UpcomingRun.ClockChange {
  fileprivate var words: String {
    switch self {
    case .skipped: "its time is skipped; runs when the gap ends"
    case .first: "the first of two"
    case .second: "the second of two"
    }
  }
}
