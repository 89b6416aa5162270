import ArgumentParser
import Foundation
import Jobs
import Model
import Reports
import Store
import Workspace

struct JobsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs",
    abstract: "List the jobs with their schedules and last outcomes.",
    examples: ["firetally jobs"])

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let (invocation, opened) = try global.openWorkspace()
    let catalog = try opened.workspace.jobs()
    let now = invocation.now
    let (lastRuns, judgedRuns, futureRuns) =
      try opened.readStore().map {
        try $0.read {
          (try $0.lastRuns(at: now), try $0.lastJudgedRuns(at: now), try $0.futureRuns(at: now))
        }
      } ?? ([:], [:], nil)
    let isLocked = try WorkspaceLock.isHeld(opened.workspace)
    func isRunning(_ job: Job) -> Bool {
      judgedRuns[job.name].map {
        RunningJobs.isRunning($0, of: job, at: now, isLocked: isLocked)
      } ?? false
    }
    let rows =
      catalog.jobs.map { ListedJob($0, lastRuns[$0.name], isRunning: isRunning($0)) }
      + catalog.broken.map { ListedJob($0, lastRuns[$0.name]) }
    let output = invocation.output
    try output.print(rows, as: "job", isCompact: true, ListedJob.columns(opened))
    guard !output.isJSON else { return }
    for job in catalog.broken { output.print(VisibleText.of("\n\(job.error)")) }
    if let futureRuns { output.print("\n\(futureRuns.sentence) \(FutureRuns.advice)") }
  }
}

/// A job in the list, also one whose file is wrong.
private struct ListedJob {
  let name: String
  /// Nil when its file names none.
  let kind: JobKindName?
  let description: String
  let schedule: String?
  let needs: [String]
  let lastRun: Run?
  /// The last run has no end and was not killed.
  let isRunning: Bool
  /// The problems of its file, which prevent it from running.
  let problem: String?

  init(_ job: Job, _ lastRun: Run?, isRunning: Bool) {
    (name, kind, description) = (job.name, job.kind, job.description)
    (schedule, needs, problem) = (job.schedule?.fields, job.needs, nil)
    (self.lastRun, self.isRunning) = (lastRun, isRunning)
  }

  init(_ job: BrokenJob, _ lastRun: Run?) {
    (name, kind, description) = (job.name, job.kind, "")
    (schedule, needs, problem) = (nil, [], job.error.description)
    (self.lastRun, isRunning) = (lastRun, false)
  }

  static func columns(_ opened: OpenWorkspace) -> [OutputColumn<ListedJob>] {
    [
      OutputColumn("JOB", "name") { $0.name },
      OutputColumn(
        "KIND", "kind", value: { $0.kind?.rawValue ?? BrokenJob.unknownKind },
        cell: { $0.kind?.rawValue }),
      OutputColumn("SCHEDULE", "schedule") { $0.schedule },
      OutputColumn(
        "LAST RUN", "lastRun", value: { $0.lastRun },
        cell: { $0.lastRun.map { opened.clock($0.startedAt) } ?? "never" }),
      OutputColumn("OUTCOME") { job in
        job.problem != nil
          ? "broken" : job.isRunning ? "running" : job.lastRun?.outcome.rawValue
      },
      OutputColumn(
        "DESCRIPTION", "description", value: { $0.description },
        cell: { $0.problem == nil ? $0.description : "Its file is wrong; see below." }),
      .members { ["needs": $0.needs, "isRunning": $0.isRunning, "problem": $0.problem] },
    ]
  }
}
