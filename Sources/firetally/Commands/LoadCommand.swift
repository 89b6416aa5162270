import ArgumentParser
import Firestore
import Jobs
import Model
import Operations
import Reports
import Workspace

struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Write documents into a Firestore: an emulator, or another project.",
    discussion: """
      Takes a table that keeps whole documents, a file with a document a line, or the folder of a \
      managed export. Shows how many documents it writes and what that costs first. Documents that \
      exist are never replaced without --overwrite. Interrupted, the same command goes on.

      --mask replaces personal values by pseudonyms, as jobs declare under 'masks'.

      Exit status: 0 success; 3 documents exist with other fields, and stay; 64 nobody confirmed.
      """,
    examples: [
      "firetally load Orders --to emulator --mask",
      "firetally load orders.ndjson.gz --to emulator",
      "firetally load exports/2026-11-28 --to my-staging --yes",
    ])

  @Argument(
    help: "A table, a file of documents, or the folder of a managed export.",
    completion: NameCompletion.tables)
  var source: String

  @Option(help: "The target: emulator, PROJECT or PROJECT/DATABASE.")
  var to: String

  @Flag(help: "Replace documents that exist.")
  var overwrite = false

  @Flag(help: "Allow to write into the project that the documents came from.")
  var intoSource = false

  @Flag(help: "Replace personal values by pseudonyms.")
  var mask = false

  @Flag(help: "Show what would be written, and write nothing.")
  var dryRun = false

  @Flag(help: "Write without asking.")
  var yes = false

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let (invocation, opened) = try global.openWorkspace()
    let target = try LoadTarget(to, environment: invocation.environment)
    let context = try invocation.context(opened, store: try opened.store())
    let source = try LoadSource(source, in: context.store)
    try target.check(source, intoSource: intoSource)
    let root = target.root(of: source)
    let masks =
      mask
      ? try DocumentMasker(MaskRules(context.catalog), surveying: source, in: opened.workspace)
      : nil
    var load = DocumentLoad(
      source, to: root, by: try await context.services.firestore.target(root), context)
    load.overwrites = overwrite
    load.isPaced = !target.isEmulator
    load.masks = masks
    let statement = statement(
      load, cost: target.isEmulator ? nil : try await cost(of: load, context))
    invocation.log.notice(statement)
    let interruption = try await load.interruption()
    switch interruption {
    case .none: break
    case .lost:
      invocation.log.notice(
        "\(root.databaseName) lacks what an interrupted load wrote: this one begins again.")
    case .after(let progress):
      let done = NumberWords.grouped(progress.counts.total)
      invocation.log.notice("An interrupted load wrote \(done) of them.")
    }
    if let warning = masks?.warning { invocation.log.warning(warning) }
    guard !dryRun else { return }
    if !target.isEmulator || masks?.warning != nil {
      try invocation.confirm(statement, yes: yes, elseRefuse: CommandError.unconfirmed(statement))
    }
    let counts = try await load.run(after: interruption) { counts in
      invocation.log.debug("\(NumberWords.grouped(counts.total)) of \(source.count).")
    }
    try show(counts, of: source, root, invocation)
  }

  /// Returns the cost of the writes for the target's edition; Standard when unknown.
  private func cost(of load: DocumentLoad, _ context: JobContext) async throws -> String {
    var cost = context.config.cost
    cost.edition = try await context.services.firestore.edition(of: load.root) ?? .standard
    let count = try load.billedWrites(in: cost.edition.rules)
    let money = NumberWords.money(cost.costOfWrites(count))
    guard cost.edition == .enterprise else { return "about \(money)" }
    return "at least \(money) for \(NumberWords.counted(count, "write unit")), "
      + "and more for index entries"
  }

  /// `cost` is nil for an emulator.
  private func statement(_ load: DocumentLoad, cost: String?) -> String {
    "Writes \(NumberWords.counted(load.source.count, "document")) of \(load.source.name) into "
      + "\(load.root.databaseName)\(cost == nil ? " of the emulator" : ""); "
      + "\(cost ?? "nothing is billed")."
  }

  private func show(
    _ counts: DocumentLoad.Counts, of source: LoadSource, _ root: ResourceName,
    _ invocation: Invocation
  ) throws {
    let sentence =
      "\(NumberWords.counted(counts.written, "document")) written, "
      + "\(NumberWords.grouped(counts.same)) there already, "
      + "\(NumberWords.grouped(counts.refused)) refused."
    try invocation.output.remark(
      sentence, always: true,
      json: [
        "message_type": "load", "source": source.name, "database": root.databaseName,
        "documents": source.count, "written": counts.written, "same": counts.same,
        "refused": counts.refused, "refusedPaths": counts.refusedPaths,
      ])
    guard counts.refused > 0 else { return }
    let more = counts.refused > counts.refusedPaths.count ? ", ..." : ""
    invocation.log.warning(
      "Documents that exist with other fields stay: \(counts.refusedPaths.joined(separator: ", "))"
        + "\(more). Give --overwrite to replace them.")
    throw StatusOnly(status: .partial)
  }
}
