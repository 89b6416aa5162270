import ArgumentParser
import Jobs
import Model
import Reports
import Store
import Workspace

struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "Show what jobs did, run by run.",
    group: [List.self, Show.self, ImportAudit.self, Forget.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List runs, newest first.",
      discussion: """
        `runs` alone does the same. Fresh runs of a job are one line, unless with --json. A \
        long reason is cut; `runs show` prints all of it. Times are in time_zone.
        """,
      examples: [
        "firetally runs", "firetally runs online-users --failed --limit 5",
        "firetally runs --failed --json",
      ])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Only runs of this job.", completion: NameCompletion.jobs)
    var job: String?

    @Flag(help: "Only runs that failed, were interrupted, or could not begin or continue.")
    var failed = false

    @OptionGroup var count: CountOption

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let records = try RunRecords(opened, now: invocation.now)
      let output = invocation.output
      let found = try records.list(
        RunSelection(job: job, onlyFailed: failed), limit: count.fetched,
        isFolded: !output.isJSON)
      guard output.isJSON || !found.isEmpty else {
        return output.print(failed ? "No such run has failed." : "No run is recorded yet.")
      }
      try output.print(found.prefix(count.limit), as: "run_record", RunRecord.columns)
      count.printMore(of: found, on: output)
      if !output.isJSON, let future = try records.futureRuns() {
        output.print("\n\(future.sentence) \(FutureRuns.advice)")
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show everything about one run, with its log.",
      discussion: """
        `firetally runs` and `firetally status` name the ids.
        """,
      examples: ["firetally runs show 1", "firetally runs show 1 --json"])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The run's id.")
    var id: Int64

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      guard let found = try RunRecords(opened, now: invocation.now).run(id: id) else {
        throw CommandError(
          .usage, "There is no run \(id) in this workspace. `firetally runs` lists the ids.")
      }
      try invocation.output.print(
        found.record.text(with: found.log), json: found.record.members(with: found.log))
    }
  }
}

/// The runs in a workspace's ledger, and which of them are running.
private struct RunRecords {
  private let opened: OpenWorkspace
  private let now: Instant
  private let catalog: JobCatalog
  /// Nil when nothing was stored yet.
  private let store: Store?
  private let isLocked: Bool

  init(_ opened: OpenWorkspace, now: Instant) throws {
    self.opened = opened
    self.now = now
    catalog = try opened.workspace.jobs()
    store = try opened.readStore()
    isLocked = try WorkspaceLock.isHeld(opened.workspace)
  }

  /// The number of rows that are read to fold the fresh ones: 11 days of three jobs that run every
  /// five minutes.
  private static let foldedRows = 10_000

  /// - Throws: `WorkspaceError.unknownJob` for a job without a file and without a run.
  func list(_ selection: RunSelection, limit: Int, isFolded: Bool) throws -> [RunRecord] {
    try checkName(selection.job)
    guard let store else { return [] }
    return try store.read { reader in
      var selection = selection
      let current = try reader.lastJudgedRuns(at: now).values.filter(isRunning)
      selection.running = Set(current.compactMap(\.id))
      guard isFolded else { return try reader.runs(selection, limit: limit).map(record) }
      let runs = try reader.runs(selection, limit: Self.foldedRows)
      return ListedRun.folding(runs).prefix(limit).map { listed in
        var line = record(listed.run)
        line.listed = listed
        return line
      }
    }
  }

  func futureRuns() throws -> FutureRuns? { try store?.read { try $0.futureRuns(at: now) } }

  func run(id: Int64) throws -> (record: RunRecord, log: RunLog)? {
    try store?.read { reader in
      try reader.run(id: id).map { (record($0), try reader.log(ofRun: id)) }
    }
  }

  private func record(_ run: Run) -> RunRecord {
    RunRecord(run: run, isRunning: isRunning(run), zone: opened.timeZone)
  }

  private func isRunning(_ run: Run) -> Bool {
    guard let job = catalog.jobs.first(where: { $0.name == run.job }) else { return false }
    return RunningJobs.isRunning(run, of: job, at: now, isLocked: isLocked)
  }

  private func checkName(_ name: String?) throws {
    let known = (catalog.jobs.map(\.name) + catalog.broken.map(\.name)).sorted()
    guard let name, !known.contains(name),
      try store?.read({ try $0.hasRuns(ofJob: name) }) != true
    else { return }
    throw WorkspaceError.unknownJob(
      name: name, closest: ClosestName.closest(to: name, among: known), known: known)
  }
}

extension RunsCommand {
  /// See `docs/running.md#times-in-the-future`.
  struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget",
      abstract: "Remove the runs and incidents that are dated in the future.",
      discussion: """
        A wrong clock dates runs in the future. They do not count, and `status` and `doctor` fail \
        until they are removed. Correct the clock first: runs dated later than now are removed.
        """,
      examples: ["firetally runs forget", "firetally runs forget --yes"])

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Remove them without a question.")
    var yes = false

    @OptionGroup var turn: LockOptions

    func run() async throws {
      let (invocation, opened) = try global.openWorkspace()
      let found = try opened.reading { store in
        try store.map { try Self.words(of: $0, at: invocation.now) } ?? []
      }
      guard !found.isEmpty else { return try print(0, (0, false), invocation.output) }
      let statement =
        "This machine's clock says \(invocation.now.iso8601). What is dated later will be removed: "
        + "\(found.joined(separator: "; "))."
      try invocation.confirm(
        statement, yes: yes, elseRefuse: CommandError.unconfirmed(statement, hasDryRun: false))
      let store = try opened.store()
      let lock = try await invocation.lock(opened, store: store, wait: turn)
      defer { lock.release() }
      let (runs, incidents) = try store.write { writer in
        let incidents = try writer.futureIncidents(at: invocation.now)
        return (try writer.removeFutureRuns(at: invocation.now), incidents)
      }
      try print(runs, incidents, invocation.output)
    }

    /// Returns the data dated in the future, as parts of a sentence.
    private static func words(of store: Store, at now: Instant) throws -> [String] {
      let (runs, incidents) = try store.read {
        (try $0.futureRuns(at: now), try $0.futureIncidents(at: now))
      }
      return [
        runs.map {
          "\(NumberWords.counted($0.count, "run")), up to \($0.latest.startedAt.iso8601)"
        },
        incidents.count > 0 ? NumberWords.counted(incidents.count, "incident") : nil,
        incidents.withStart ? "the last start by a scheduler" : nil,
      ].compactMap(\.self)
    }

    private func print(
      _ runs: Int, _ incidents: (count: Int, withStart: Bool), _ output: Output
    ) throws {
      let counts =
        "\(NumberWords.counted(runs, "run")) and "
        + NumberWords.counted(incidents.count, "incident")
      let start = incidents.withStart ? ", and the last start by a scheduler" : ""
      try output.print(
        runs + incidents.count == 0 && !incidents.withStart
          ? "No run or incident is dated in the future."
          : "Removed \(counts) dated in the future\(start).",
        json: [
          "message_type": "runs_forgotten", "removed": runs, "incidents": incidents.count,
          "lastStart": incidents.withStart,
        ])
    }
  }
}
