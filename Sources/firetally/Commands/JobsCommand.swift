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
    let jobs = catalog.jobs
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
    guard !invocation.output.isJSON else {
      let lines =
        jobs.map { Self.line($0, lastRuns[$0.name], isRunning: isRunning($0)) }
        + catalog.broken.map { Self.line($0, lastRuns[$0.name]) }
      return try lines.forEach { try invocation.output.print(json: $0) }
    }
    var table = TextTable(["JOB", "KIND", "SCHEDULE", "LAST RUN", "OUTCOME", "DESCRIPTION"])
    for job in jobs {
      let last = lastRuns[job.name]
      table.add([
        job.name, job.kind.rawValue, job.schedule?.fields ?? "-",
        last.map { opened.clock($0.startedAt) } ?? "never",
        isRunning(job) ? "running" : last?.outcome.rawValue ?? "-", job.description,
      ])
    }
    for job in catalog.broken {
      table.add([
        job.name, job.kind?.rawValue ?? "-", "-",
        lastRuns[job.name].map { opened.clock($0.startedAt) } ?? "never",
        "broken", "Its file is wrong; see below.",
      ])
    }
    invocation.output.print(table.text)
    for job in catalog.broken { invocation.output.print(VisibleText.of("\n\(job.error)")) }
    if let futureRuns { invocation.output.print("\n\(futureRuns.sentence) \(FutureRuns.advice)") }
  }

  private static func line(_ job: Job, _ lastRun: Run?, isRunning: Bool) -> JSONObject {
    .compact([
      "message_type": "job", "name": job.name, "kind": job.kind.rawValue,
      "description": job.description, "schedule": job.schedule?.fields, "needs": job.needs,
      // The last run has no end and was not killed.
      "lastRun": lastRun, "isRunning": isRunning,
    ])
  }

  /// Returns a broken job with the problems of its file, which prevent it from running.
  private static func line(_ job: BrokenJob, _ lastRun: Run?) -> JSONObject {
    .compact([
      "message_type": "job", "name": job.name, "kind": job.kindWord, "description": "",
      "needs": [] as [String], "lastRun": lastRun, "isRunning": false,
      "problem": job.error.description,
    ])
  }
}
