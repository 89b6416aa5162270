import ArgumentParser
import Jobs

struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Show when jobs will run.",
    group: [Next.self])

  struct Next: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "next",
      abstract: "Show what will run when, in the order of time.",
      discussion: """
        Times are in time_zone, with their offset from UTC. When clocks change, a fixed time that \
        is skipped runs after the gap. A fixed time that comes twice runs only the first time.

        Exit status: 0 success; 64 no such job; 65 a job file is wrong, so its schedule is unknown.
        """,
      examples: [
        "firetally schedule next", "firetally schedule next report maintain --days 7",
        "firetally schedule next --json",
      ])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The jobs to show, by name. Default: all.", completion: NameCompletion.jobs)
    var jobs: [String] = []

    @Option(parsing: .unconditional, help: "How many days to look ahead, 1 to 366.")
    var days = 2

    func validate() throws { try UpcomingRuns.dayCounts.check(days, "--days") }

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let catalog = try opened.workspace.jobs()
      let names = catalog.jobs.map(\.name) + catalog.broken.map(\.name)
      let selection = try JobSelection(named: jobs.isEmpty ? names : jobs, of: catalog)
      let runs = UpcomingRuns.list(
        of: selection.jobs, after: invocation.now, days: days, in: opened.timeZone)
      // Who names no job asks for those that have a schedule.
      let unscheduled = jobs.isEmpty ? [] : selection.jobs.filter { $0.schedule == nil }
      if invocation.output.isJSON {
        let lines =
          runs.map { Self.line(of: $0.job, $0) } + unscheduled.map { Self.line(of: $0.name, nil) }
        for line in lines { try invocation.output.print(json: line) }
      } else {
        invocation.output.print(text(runs, unscheduled, in: opened.config.timeZone))
      }
      guard selection.broken.isEmpty else {
        throw JobsError.jobFiles(ConfigurationError(selection.broken.flatMap(\.error.problems)))
      }
    }

    /// See `docs/running.md#what-will-run-when`; nil for a job without a schedule.
    private static func line(of job: String, _ run: UpcomingRun?) -> JSONObject {
      [
        "message_type": "scheduled_run", "at": run?.at, "localTime": run?.local.iso8601,
        "offset": run?.local.offset, "job": job, "schedule": run?.schedule.fields,
        "clockChange": run?.clockChange?.rawValue,
      ]
    }

    private func text(_ runs: [UpcomingRun], _ unscheduled: [Job], in zone: String) -> String {
      let isChanging = runs.contains { $0.clockChange != nil }
      var table = TextTable(
        ["DAY", "TIME", "OFFSET", "JOB", "SCHEDULE"] + (isChanging ? ["CLOCKS"] : []))
      for run in runs {
        table.add(
          [
            run.local.day, String(run.local.time.dropLast(3)), run.local.offset, run.job,
            run.schedule.fields,
          ] + (isChanging ? [run.clockChange?.words ?? "-"] : []))
      }
      let count = days == 1 ? "1 day" : "\(days) days"
      let list = runs.isEmpty ? ["Nothing is scheduled in the next \(count)."] : [table.text]
      return
        (list
        + unscheduled.map { "\($0.name) has no schedule: it runs only when it is asked for." }
        + ["", "Times of \(zone), the next \(count)."]).joined(separator: "\n")
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
