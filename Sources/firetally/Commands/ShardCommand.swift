import ArgumentParser
import Firestore
import Foundation
import Jobs
import Model
import Reports
import Store
import Sync
import Workspace

struct ShardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shard",
    abstract: "Load one collection with many machines, and gather it into one database.",
    discussion: """
      `plan` divides a load once, `run` reads one part of it on any machine, `gather` merges all \
      parts into the workspace. The engine that starts the tasks is yours: Slurm, Kubernetes, \
      Spark or GNU parallel.
      """,
    group: [Plan.self, Run.self, Gather.self, Export.self])

  struct Plan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "plan",
      abstract: "Divide one load of a job into shards.",
      discussion: """
        Writes a file with the ranges of the shards, the snapshot that all of them read, and the \
        cost of each. The snapshot lives for one hour, or 7 days with --pitr if the database has \
        point-in-time recovery. The command first says what planning costs at most. \
        Planning is recorded as a run and counts against the day's budget.
        """,
      examples: [
        "firetally shard plan everyone --shards 2 --to everyone.plan.json",
        "firetally shard plan everyone --shards 2 --no-count --to everyone.plan.json",
      ])

    @Argument(
      help: "A job of kind sync-users or sync-collection.", completion: NameCompletion.jobs)
    var job: String

    @Option(parsing: .unconditional, help: "How many shards to make, 1 to \(ShardPlan.mostShards).")
    var shards: Int

    @Option(
      help: ArgumentHelp(
        "The file to write or replace. Default: JOB.plan.json.", valueName: "file"))
    var to: String?

    @Flag(help: "Read the snapshot of a whole minute: point-in-time recovery keeps it for 7 days.")
    var pitr = false

    @Flag(inversion: .prefixedNo, help: "Count the documents of each shard.")
    var count = true

    @OptionGroup var global: GlobalOptions

    func validate() throws { try (1...ShardPlan.mostShards).check(shards, "--shards") }

    func run() async throws {
      let (invocation, opened) = try global.openWorkspace()
      let file = to ?? "\(job).plan.json"
      let context = try invocation.context(
        opened, store: try opened.store(), claimsDatabase: false)
      let planner = try ShardPlanner(
        job: job, shards: shards, isRecoverable: pitr, counts: count, context)
      // An unwritable file is reported before anything is read.
      let draft = try DraftFile(for: file)
      let (plan, spent) = try await invocation.oneOff("shard plan", context) { reads in
        invocation.log.notice(planner.bound(on: reads.database.edition))
        let plan = try await planner.plan(reads) { invocation.log.notice($0) }
        try plan.write(to: draft)
        if let note = try planner.note(on: plan) { invocation.log.notice(note) }
        return ((plan, reads.meter.spent), "Planned \(shards) shards.")
      }
      let empty = plan.shards.count(where: \.isEmpty)
      let cost = plan.reads.map {
        let price = Money(amount: plan.price ?? 0, currency: plan.currency)
        return ", \(NumberWords.grouped($0)) \(plan.noun), \(NumberWords.money(price))"
      }
      try invocation.output.remark(
        "\(file): \(shards) shards\(empty > 0 ? " (\(empty) empty)" : "")\(cost ?? "")"
          + ", snapshot of \(plan.readTime), good until \(plan.expires)", always: true,
        json: [
          "message_type": "shard_plan", "file": file, "job": plan.job, "shards": shards,
          "empty": empty, "planReads": spent, "reads": plan.reads, "price": plan.price,
          "currency": plan.currency, "edition": plan.edition?.rawValue,
          "readTime": plan.readTime, "expires": plan.expires,
        ])
    }
  }

  struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract: "Read one shard of a plan.",
      discussion: """
        Reads the shard that --shard or FIRETALLY_SHARD names. Writes DIR/shard-NNNN.sqlite and \
        DIR/shard-NNNN.json. A finished shard costs nothing to run again, and an interrupted one \
        continues.

        Exit status: 0 finished; 69, 75 and signals may be tried again; 64 the number is wrong, 65 \
        the job or the plan, 66 the plan's snapshot is too old, 77 not authorised, \
        78 configuration: trying again does not help.
        """,
      examples: ["firetally shard run everyone.plan.json --to shards --shard 1/2"])

    @Argument(help: "The file that `firetally shard plan` wrote.", completion: .file())
    var plan: String

    @Option(
      help: ArgumentHelp("The folder of the shards.", valueName: "dir"), completion: .directory)
    var to: String

    @Option(help: ArgumentHelp("Which shard, from 1: 3/8.", valueName: "i/n"))
    var shard: String?

    @OptionGroup var global: GlobalOptions

    func run() async throws {
      let invocation = Invocation(global)
      let stored = try ShardPlan.read(plan)
      let number = try ShardPlan.number(
        option: shard, environment: invocation.environment, of: stored.plan.shards.count)
      let files = stored.files(ofShard: number, in: to)
      if let manifest = try files.finished() {
        return try show(manifest, of: stored.plan, invocation.output, isNew: false)
      }
      let opened = try invocation.openWorkspace()
      let catalog = try opened.workspace.jobs()
      let attempt = try files.attempt()
      let context = try invocation.context(opened, store: attempt.store, catalog: catalog)
      let manifest = try await invocation.warningOfKeys(context) {
        try await attempt.perform(context)
      }
      try show(manifest, of: stored.plan, invocation.output, isNew: true)
    }

    private func show(
      _ manifest: ShardManifest, of plan: ShardPlan, _ output: Output, isNew: Bool
    ) throws {
      let path = "\(to)/\(manifest.file)"
      let rows = manifest.rows.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      try output.remark(
        "\(path): \(rows.joined(separator: ", ")) rows, "
          + "\(manifest.traffic.billedReadCount) \(plan.noun)" + (isNew ? "" : ", finished before"),
        always: true,
        json: ["message_type": "shard", "path": path, "isNew": isNew, "manifest": manifest])
    }
  }

  struct Gather: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "gather",
      abstract: "Merge all shards of a plan into the workspace's database.",
      discussion: """
        Compares every file with its manifest first. If a shard is missing, cut, of another plan \
        or given twice, the command ends and changes nothing. To continue an interrupted command, \
        run it again. Makes no request.

        Exit status: 0 gathered, or gathered before; 3 some documents were left out; 65 the shards \
        are not the plan's; 75 shards are missing, or another process has the workspace.
        """,
      examples: ["firetally shard gather everyone.plan.json shards"])

    @Argument(help: "The file that `firetally shard plan` wrote.", completion: .file())
    var plan: String

    @Argument(help: "The folders of the shards.", completion: .directory)
    var folders: [String]

    @OptionGroup var global: GlobalOptions
    @OptionGroup var turn: LockOptions

    func run() async throws {
      let (invocation, opened) = try global.openWorkspace(runsHooks: true)
      let stored = try ShardPlan.read(plan)
      let shards = try stored.shards(in: folders)
      let store = try opened.store()
      let context = try invocation.context(opened, store: store)
      let printer = RunPrinter(invocation, store: store, tellsAlways: true)
      // Problems are reported before the command waits for the lock.
      let job = try ShardGather(stored, shards, context).job
      let reports = try await invocation.scheduler(
        context, opened, lock: invocation.lockRequest(turn), printer
      ).run(job) { try ShardGather(stored, shards, context) }
      try printer.end(reports)
    }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write each shard as NDJSON, CSV or Parquet.",
      discussion: """
        BigQuery, Spark and DuckDB read many files at a time. Writes DIR/shard-NNNN.ndjson.gz for \
        the job's table, and DIR/TABLE/shard-NNNN.ndjson.gz for each child table. Replaces \
        existing files. Files have the workspace's output.mode, or 0600 outside of a workspace.
        """,
      examples: ["firetally shard export everyone.plan.json shards --gzip --to lines"])

    @Argument(help: "The file that `firetally shard plan` wrote.", completion: .file())
    var plan: String

    @Argument(help: "The folders of the shards.", completion: .directory)
    var folders: [String]

    @Option(help: "ndjson, parquet or csv.")
    var format = ExportFormat.ndjson

    @Flag(help: "Compress with gzip; in Parquet the pages.")
    var gzip = false

    @Option(
      help: ArgumentHelp("The folder to write to.", valueName: "dir"), completion: .directory)
    var to: String

    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard format != .sqlite else {
        throw ValidationError("--format takes ndjson, parquet or csv: a shard is SQLite already.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let mode = try invocation.openWorkspaceIfAny()?.config.outputMode ?? .ownerOnly
      let ending = format.rawValue + (gzip && format != .parquet ? ".gz" : "")
      for (path, manifest) in try ShardPlan.read(plan).shards(in: folders) {
        let store = try Store.open(path: path, mode: .readOnly)
        for table in manifest.rows.keys.sorted() {
          let isChild = try store.read { try $0.parent(ofChildTable: table) != nil }
          let folder = isChild ? "\(to)/\(table)" : to
          for folder in [to, folder] { try FileContents.makeFolder(folder, mode: mode) }
          let name = URL(filePath: path).deletingPathExtension().lastPathComponent
          let file = "\(folder)/\(name).\(ending)"
          let target = ExportTarget(to: file, format: format, isGzip: gzip)
          let rows = try store.read { reader in
            try target.write(try reader.exportQuery(table), to: file, mode: mode)
          }
          try invocation.output.remark(
            "\(NumberWords.counted(rows, "row")) written to \(file)",
            json: ["message_type": "export", "file": file, "format": format, "rows": rows])
        }
        try store.close()
      }
    }
  }
}
