import ArgumentParser
import Foundation
import Jobs
import Model
import Store

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    // Names the program also when this command is read alone.
    _superCommandName: "firetally",
    abstract: "Run jobs in the order of their needs.",
    discussion: """
      Users are fetched only when the local copy is older than its staleness (30 minutes unless \
      the settings say otherwise); a run that finds everything fresh makes no request. \
      A job that fails stops only the jobs that need it.

      Exit status: 0 all well; 3 something was left out; otherwise that of the first job that \
      failed (69 server unreachable, 75 try later, 77 not authorised, ...).
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The jobs to run, by name.")
  var jobs: [String] = []

  @Flag(help: "Every job of the workspace.")
  var all = false

  @Flag(help: "The jobs whose schedule has come since they last ran.")
  var due = false

  @Flag(help: "Also what the named jobs need.")
  var withNeeds = false

  @Flag(help: "Fetch even what is fresh.")
  var force = false

  @Flag(help: "Fetch everything, also where jobs only ask for what changed; includes --force.")
  var full = false

  @Flag(help: "Only say what would be done; no request, no change.")
  var dryRun = false

  @OptionGroup var turn: LockOptions

  func validate() throws {
    guard !jobs.isEmpty || all || due else {
      throw ValidationError(CommandError.nothingToRun.description)
    }
    guard [!jobs.isEmpty, all, due].filter(\.self).count == 1 else {
      throw ValidationError("Name jobs, or give --all, or give --due: only one of the three.")
    }
  }

  func run() async throws {
    let invocation = Invocation(global)
    let desk = try invocation.desk()
    let workspaceJobs = try desk.workspace.jobs()
    // A wrong name is an error before anything is opened.
    _ = try JobOrder.order(jobs, of: workspaceJobs)
    guard !dryRun else { return try await showPlan(invocation, desk, workspaceJobs) }
    let store = try desk.store()
    let context = try context(invocation, desk, store, workspaceJobs)
    var selected = try selected(context)
    let lock = try await lock(for: selected, invocation, desk, store)
    defer { lock?.release() }
    // Whoever had the lock until now may have run what was due.
    if due, lock != nil { selected = try self.selected(context) }
    let printer = RunPrinter(invocation)
    let reports = try await runner(context, invocation, desk).run(selected) { printer.show($0) }
    try printer.end(reports)
  }

  private func showPlan(
    _ invocation: Invocation, _ desk: Invocation.Desk, _ jobs: [Job]
  ) async throws {
    try await desk.reading { store in
      let context = try context(invocation, desk, store, jobs)
      let plans = try runner(context, invocation, desk).plan(try selected(context))
      try show(plans, invocation.output)
    }
  }

  private func context(
    _ invocation: Invocation, _ desk: Invocation.Desk, _ store: Store, _ jobs: [Job]
  ) throws -> JobContext {
    var context = try invocation.context(
      desk, store: store, jobs: jobs, isForced: force || full)
    context.isFull = full
    return context
  }

  private func runner(
    _ context: JobContext, _ invocation: Invocation, _ desk: Invocation.Desk
  ) -> JobRunner {
    JobRunner(context, hooks: invocation.hooks(desk), sleep: { try await Task.sleep(for: $0) })
  }

  /// What to run as things stand, in the order of needs.
  private func selected(_ context: JobContext) throws -> [Job] {
    try JobOrder.order(try names(context), of: context.jobs, withNeeds: withNeeds)
  }

  private func names(_ context: JobContext) throws -> [String] {
    if all { return context.jobs.map(\.name) }
    if due { return try DueJobs.names(context) }
    return jobs
  }

  /// Reports only read, so a run of nothing else needs no lock.
  private func lock(
    for jobs: [Job], _ invocation: Invocation, _ desk: Invocation.Desk, _ store: Store
  ) async throws -> WorkspaceLock? {
    guard jobs.contains(where: { $0.kind.name != .report }) else { return nil }
    return try await invocation.lock(desk, store: store, wait: turn.wait)
  }

  private func show(_ plans: [(job: Job, plan: String)], _ output: Output) throws {
    for (job, plan) in plans {
      if output.isJSON {
        try output.show(json: Plan(job: job.name, plan: plan))
      } else {
        output.show("\(job.name): \(plan)")
      }
    }
  }

  private struct Plan: Encodable {
    let message_type = "plan"
    let job: String
    let plan: String
  }
}
