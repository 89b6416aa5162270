import ArgumentParser
import Foundation
import Jobs
import Model
import Reports
import Store

struct JobsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs",
    abstract: "List the jobs with their schedules and last outcomes.",
    discussion: """
      EXAMPLES:
        firetally jobs
      """)

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let invocation = Invocation(global)
    let opened = try invocation.openWorkspace()
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
      for job in jobs {
        try invocation.output.show(
          json: JSONOutput(job, lastRuns[job.name], isRunning: isRunning(job)))
      }
      for job in catalog.broken {
        try invocation.output.show(json: JSONOutput(job, lastRuns[job.name]))
      }
      return
    }
    var table = TextTable(["JOB", "KIND", "SCHEDULE", "LAST RUN", "OUTCOME", "DESCRIPTION"])
    for job in jobs {
      let last = lastRuns[job.name]
      table.add([
        job.name, job.kind.rawValue, job.schedule?.fields ?? "-",
        last?.startedAt.iso8601 ?? "never",
        isRunning(job) ? "running" : last?.outcome.rawValue ?? "-", job.description,
      ])
    }
    for job in catalog.broken {
      table.add([
        job.name, job.kind?.rawValue ?? "-", "-", lastRuns[job.name]?.startedAt.iso8601 ?? "never",
        "broken", "Its file is wrong; see below.",
      ])
    }
    invocation.output.show(table.text)
    for job in catalog.broken { invocation.output.show(VisibleText.of("\n\(job.error)")) }
    if let futureRuns { invocation.output.show("\n\(futureRuns.sentence) \(FutureRuns.advice)") }
  }

  private struct JSONOutput: Encodable {
    let message_type = "job"
    let name: String
    let kind: String
    let description: String
    let schedule: String?
    let needs: [String]
    let lastRun: Run?
    /// The last run has no end, and was not killed.
    let isRunning: Bool
    /// What is wrong with its file; missing when it can run.
    let problem: String?

    init(_ job: BrokenJob, _ lastRun: Run?) {
      name = job.name
      kind = job.kindWord
      description = ""
      schedule = nil
      needs = []
      self.lastRun = lastRun
      isRunning = false
      problem = job.error.description
    }

    init(_ job: Job, _ lastRun: Run?, isRunning: Bool) {
      name = job.name
      kind = job.kind.rawValue
      description = job.description
      schedule = job.schedule?.fields
      needs = job.needs
      self.lastRun = lastRun
      self.isRunning = isRunning
      problem = nil
    }
  }
}
