import ArgumentParser
import Foundation
import Jobs
import Model
import Reports
import Store
import Workspace

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run jobs, each after the jobs that it needs.",
    discussion: """
      Fetches users only when the local copy is older than the setting onlineUsersStaleSeconds (30 \
      minutes by default). A run that finds everything fresh makes no request. A job that fails \
      stops only the jobs that need it, never a report.

      Exit status: 0 success; 3 some items were left out; otherwise that of the first job that \
      failed (69 server unreachable, 75 try later, 77 not authorised, ...).
      """,
    examples: [
      "firetally run --all", "firetally run --due --quiet", "firetally run online-users --force",
      "firetally run --all --dry-run", "firetally run orders --from exports/2026-11-28",
    ])

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The jobs to run, by name.", completion: NameCompletion.jobs)
  var jobs: [String] = []

  @Flag(help: "Run every job of the workspace.")
  var all = false

  @Flag(help: "Run the jobs whose schedule came up since they last ran.")
  var due = false

  @Flag(help: "Include the jobs that the named jobs need.")
  var withNeeds = false

  @Flag(help: "Fetch even when the copy is fresh.")
  var force = false

  @Flag(help: "Read everything, also in jobs that otherwise read only changes. Implies --force.")
  var full = false

  @Flag(help: "Show what would be done; make no request and no change.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Load the named jobs' documents from a managed export, without a read.",
      valueName: "folder"),
    completion: .directory)
  var from: String?

  @OptionGroup var turn: LockOptions

  func validate() throws {
    guard !jobs.isEmpty || all || due else {
      throw ValidationError(
        "Name the jobs to run, or give --all or --due. `firetally jobs` lists them.")
    }
    guard [!jobs.isEmpty, all, due].filter(\.self).count == 1 else {
      throw ValidationError("Give job names, --all or --due: only one of the three.")
    }
    guard from == nil || !jobs.isEmpty else {
      throw ValidationError("--from goes with the names of jobs.")
    }
  }

  func run() async throws {
    let (invocation, opened) = try openedWorkspace()
    let catalog = try opened.workspace.jobs()
    // A wrong name is reported before anything is opened.
    _ = try JobSelection(named: jobs, of: catalog)
    if from != nil { try catalog.checkLoadsExports(jobs) }
    guard !dryRun else { return try printPlan(invocation, opened, catalog) }
    defer { writeHealthFiles(invocation, opened) }
    var shown: RunPrinter?
    do {
      let store = try opened.store()
      defer { close(store, invocation) }
      let starts = ScheduledStarts(
        catalog: catalog, timeZone: opened.timeZone, now: invocation.now)
      let printer = RunPrinter(
        invocation, store: store, tellsOutagesOnce: true,
        maySayNothing: { [due, global] in due || global.quiet || starts.contain($0) })
      shown = printer
      let reports = try await scheduler(invocation, opened, store, catalog, printer).run(request)
      try printer.end(reports)
    } catch let error where UnrecordedRuns.areCaused(by: error) {
      let isNews = try await runFailureHooks(
        of: error, except: shown?.endedJobs ?? [], invocation, opened, catalog)
      let starts = ScheduledStarts(
        catalog: catalog, timeZone: opened.timeZone, now: invocation.now)
      guard isNews || invocation.output.isAttended || !maySayNothing(starts) else {
        throw StatusOnly(status: ExitStatus(of: error))
      }
      throw error
    }
  }

  /// Closes the database before the process ends, so that its log is removed unless another process
  /// has it open: docs/commands.md#readers.
  private func close(_ store: Store, _ invocation: Invocation) {
    do {
      try store.close()
    } catch {
      invocation.log.debug("The database was not closed: \(error)")
    }
  }

  /// Writes the files about the workspace's health; a failure is a warning.
  private func writeHealthFiles(_ invocation: Invocation, _ opened: OpenWorkspace) {
    do {
      try HealthFiles.write(of: opened, now: invocation.clock.now)
    } catch let error where UnrecordedRuns.areCaused(by: error) && !invocation.output.isAttended {
      // A full disk has its own incident.
      invocation.log.debug("The files of metrics were not written: \(error)")
    } catch {
      invocation.log.warning("The files of metrics were not written: \(error)", isUrgent: true)
    }
  }

  /// Opens the workspace; a wrong configuration is reported only once a day if its database can be
  /// opened.
  private func openedWorkspace() throws -> (Invocation, OpenWorkspace) {
    let invocation = Invocation(global)
    do {
      return (invocation, try invocation.openWorkspace(runsHooks: !dryRun))
    } catch let error as WorkspaceError where !invocation.output.isAttended && !dryRun {
      guard case .configuration = error else { throw error }
      let workspace = try Workspace.find(
        at: global.workspace, variables: invocation.environment)
      let isNews = ConfigurationIncident.isNews(error, in: workspace, at: invocation.now)
      // The time zone is in the wrong file, so it is unknown.
      let starts = ScheduledStarts(
        catalog: try workspace.jobs(), timeZone: nil, now: invocation.now)
      guard !isNews, maySayNothing(starts) else { throw error }
      throw StatusOnly(status: ExitStatus(of: error))
    }
  }

  /// Whether the command may end silently, since the problem was already reported:
  /// docs/incidents.md#by-hand.
  private func maySayNothing(_ starts: ScheduledStarts) -> Bool {
    due || global.quiet || !jobs.isEmpty && jobs.allSatisfy(starts.contain)
  }

  /// Runs the failure hooks of the jobs that did not end, with a database in memory.
  ///
  /// - Returns: whether the failure is due for a message.
  private func runFailureHooks(
    of error: any Error, except ended: Set<String>, _ invocation: Invocation,
    _ opened: OpenWorkspace, _ catalog: JobCatalog
  ) async throws -> Bool {
    func scheduler(_ store: Store) throws -> JobScheduler {
      try self.scheduler(
        invocation, opened, store, catalog, RunPrinter(invocation, store: store))
    }
    let memory = try Store.inMemory()
    var ledger = memory
    do {
      ledger = try opened.readStore() ?? memory
    } catch {
      invocation.log.debug("The ledger cannot be read: \(error)")
    }
    let selection = try scheduler(ledger).selection(request).without(ended)
    let (isNews, warnings) = try await scheduler(memory).reportUnrecorded(
      selection, because: error, after: try ledger.read { try $0.lastTick() })
    if isNews {
      for warning in warnings { invocation.log.warning(warning, isUrgent: true) }
    }
    return isNews
  }

  private var request: JobRequest {
    JobRequest(all ? .all : due ? .due : .named(jobs), withNeeds: withNeeds)
  }

  private func scheduler(
    _ invocation: Invocation, _ opened: OpenWorkspace, _ store: Store, _ catalog: JobCatalog,
    _ printer: RunPrinter
  ) throws -> JobScheduler {
    var context = try invocation.context(
      opened, store: store, catalog: catalog, isForced: force || full, isFull: full,
      isScheduled: !invocation.output.isAttended)
    context.options.exportPath = from
    return invocation.scheduler(context, opened, lock: invocation.lockRequest(turn), printer)
  }

  private func printPlan(
    _ invocation: Invocation, _ opened: OpenWorkspace, _ catalog: JobCatalog
  ) throws {
    let store = try opened.readStoreOrEmpty()
    let scheduler = try scheduler(
      invocation, opened, store, catalog, RunPrinter(invocation, store: store))
    let selection = try scheduler.selection(request)
    let plans = try scheduler.plan(selection)
    try print(selection.broken, plans, invocation.output)
    guard selection.broken.isEmpty else { throw StatusOnly(status: .badData) }
    if let problem = plans.lazy.compactMap(\.problem).first {
      throw StatusOnly(status: ExitStatus(of: problem))
    }
  }

  private func print(
    _ broken: [BrokenJob], _ plans: [JobPlan], _ output: Output
  ) throws {
    for job in broken {
      let plan = "Would fail, because its file is wrong: \(job.error)"
      try output.print(
        "\(job.name): \(VisibleText.of(plan))",
        json: ["message_type": "plan", "job": job.name, "plan": plan])
    }
    for plan in plans {
      let changes = plan.schemaChanges.map { "\n  schema        \(VisibleText.line("\($0)"))" }
      let line: JSONObject = [
        "message_type": "plan", "job": plan.job.name, "plan": plan.plan,
        "schemaChanges": plan.schemaChanges.map { $0.line(reads: nil) },
      ]
      try output.print(
        "\(plan.job.name): \(plan.plan)\(changes.joined())",
        json: plan.problem.map { line.merging(["problem": $0.description]) } ?? line)
    }
  }
}

/// The jobs that a schedule starts now.
///
/// Any other job that is started without a terminal was started by somebody who waits for its
/// output.
struct ScheduledStarts: Sendable {
  /// The longest delay of a start: a scheduler starts a job in the minute of its schedule.
  private static let lateness = Duration.seconds(60)

  let catalog: JobCatalog
  /// Nil when unknown: then the start may be that of a schedule in any zone.
  let timeZone: TimeZone?
  let now: Instant

  /// Whether a job may be due now; true for a job with a wrong file, since its schedule is unknown.
  func contain(_ name: String) -> Bool {
    guard let job = catalog.jobs.first(where: { $0.name == name }) else { return true }
    guard let schedule = job.schedule else { return false }
    return zones.contains { zone in
      schedule.lastDue(at: now, timeZone: zone).map { now - $0 < Self.lateness } ?? false
    }
  }

  /// The zone, or all offsets from UTC in steps of 15 minutes.
  private var zones: [TimeZone] {
    timeZone.map { [$0] } ?? (-48...56).compactMap { TimeZone(secondsFromGMT: $0 * 900) }
  }
}
