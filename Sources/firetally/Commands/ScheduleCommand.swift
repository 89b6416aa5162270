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
      let time = TimeWords(timeZone: opened.config.timeZone, now: invocation.now)
      let starts = runs.map { Start(job: $0.job, run: $0) }
      let columns = columns(time, isChanging: runs.contains { $0.clockChange != nil })
      if invocation.output.isJSON {
        for start in starts + unscheduled.map({ Start(job: $0.name) }) {
          try invocation.output.print(json: columns.object(of: start, as: "scheduled_run"))
        }
      } else {
        let table = starts.isEmpty ? nil : columns.table(of: starts).text
        invocation.output.print(text(table, unscheduled, in: opened.config.timeZone))
      }
      guard selection.broken.isEmpty else {
        throw WorkspaceError.jobFiles(
          ConfigurationError(selection.broken.flatMap(\.error.problems)))
      }
    }

    /// A start of a job; one without a schedule has none.
    private struct Start {
      let job: String
      var run: UpcomingRun?
    }

    /// The columns of `docs/running.md#what-will-run-when`.
    private func columns(_ time: TimeWords, isChanging: Bool) -> [OutputColumn<Start>] {
      let left = OutputColumn<Start>("LEFT") { $0.run.map { time.distance(to: $0.at) } }
      return [
        .members { ["at": $0.run?.at, "localTime": $0.run?.local.iso8601] },
        OutputColumn("DAY") { $0.run?.local.day },
        OutputColumn("TIME") { $0.run.map { "\($0.local.time.dropLast(3))" } },
        OutputColumn("OFFSET", "offset") { $0.run?.local.offset },
      ] + (days == nil ? [left] : []) + [
        OutputColumn("JOB", "job") { $0.job },
        OutputColumn("SCHEDULE", "schedule") { $0.run?.schedule.fields },
        isChanging
          ? OutputColumn(
            "CLOCKS", "clockChange", value: { $0.run?.clockChange?.rawValue },
            cell: { $0.run?.clockChange?.words })
          : .members { _ in ["clockChange": nil] },
      ]
    }

    /// `table` is nil when nothing is scheduled.
    private func text(_ table: String?, _ unscheduled: [Job], in zone: String) -> String {
      let period = days.map { "the next \(NumberWords.counted($0, "day"))" }
      return
        ([table ?? "Nothing is scheduled\(period.map { " in \($0)" } ?? "")."]
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
