import ArgumentParser
import Foundation
import Jobs
import Model
import Store

struct JobsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs",
    abstract: "List the jobs, their schedules and how they last ended.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let invocation = Invocation(global)
    let desk = try invocation.desk()
    let jobs = try desk.workspace.jobs()
    let lastRuns = try desk.readStore().map { try $0.read { try $0.lastRuns() } } ?? [:]
    let isLocked = try WorkspaceLock.isHeld(desk.workspace)
    func isRunning(_ job: Job) -> Bool {
      lastRuns[job.name].map {
        RunningJobs.isRunning($0, of: job, at: invocation.now, isLocked: isLocked)
      } ?? false
    }
    guard !invocation.output.isJSON else {
      for job in jobs {
        try invocation.output.show(
          json: Line(job, lastRuns[job.name], isRunning: isRunning(job)))
      }
      return
    }
    var table = TextTable(["JOB", "KIND", "SCHEDULE", "LAST RUN", "OUTCOME", "DESCRIPTION"])
    for job in jobs {
      let last = lastRuns[job.name]
      table.add([
        job.name, job.kind.name.rawValue, job.schedule?.fields ?? "-",
        last?.startedAt.iso8601 ?? "never",
        isRunning(job) ? "running" : last?.outcome.rawValue ?? "-", job.description,
      ])
    }
    invocation.output.show(table.text)
  }

  private struct Line: Encodable {
    let message_type = "job"
    let name: String
    let kind: String
    let description: String
    let schedule: String?
    let needs: [String]
    let lastRun: Run?
    /// The last run has no end, and was not killed.
    let isRunning: Bool

    init(_ job: Job, _ lastRun: Run?, isRunning: Bool) {
      name = job.name
      kind = job.kind.name.rawValue
      description = job.description
      schedule = job.schedule?.fields
      needs = job.needs
      self.lastRun = lastRun
      self.isRunning = isRunning
    }
  }
}
