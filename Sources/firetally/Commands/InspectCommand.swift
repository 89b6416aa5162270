import CollectionMapping
import ArgumentParser
import Firestore
import Jobs
import Model
import Operations
import Reports
import Sync
import Workspace

struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "List a Firestore database's collections and the fields of their documents.",
    discussion: """
      Lists the collections and the subcollections of sampled documents, counts them, samples \
      documents, and shows fields, types, nesting and what a full load would cost. Stores \
      nothing but the run. --max-reads and the workspace's budget limit the reads.

      --write drafts a job file for each collection. Read it, and change what you need.

      Exit status: 0 success; 1 there is no such collection; 75 the read budget ended before the \
      whole database was inspected.
      """,
    examples: [
      "firetally inspect",
      "firetally inspect Users --sample 50 --json",
      "firetally inspect Users --write",
      "firetally inspect --from exports/2026-11-28 --write",
    ])

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: "Paths of collections; with --group their ids. Default: all of the database.",
    completion: NameCompletion.collections)
  var collections: [String] = []

  @Option(parsing: .unconditional, help: "Documents to sample of each collection, 1 to 1000.")
  var sample = 100

  @Option(
    parsing: .unconditional,
    help: "Documents of each collection to search for subcollections, a read each; 0 to 100.")
  var parents = 10

  @Option(
    parsing: .unconditional,
    help: "Levels of collections to inspect, 1 to 10; 1 leaves subcollections out.")
  var depth = InspectionRequest.defaultDepth

  @Option(parsing: .unconditional, help: "Billed reads at most.")
  var maxReads = InspectionRequest.defaultMaxReads

  @Flag(help: "Inspect all collections with these ids, at any depth.")
  var group = false

  @Option(
    help: ArgumentHelp(
      "Inspect a managed export instead: all its documents, without a read.",
      valueName: "folder"),
    completion: .directory)
  var from: String?

  @Flag(help: "Draft a job file for each collection: jobs/NAME.yml.")
  var write = false

  @Flag(help: "Let --write replace existing files.")
  var overwrite = false

  func validate() throws {
    try InspectionRequest.sampleSizes.check(sample, "--sample")
    try InspectionRequest.parentCounts.check(parents, "--parents")
    try InspectionRequest.depths.check(depth, "--depth")
    try CostConfig.readCounts.check(maxReads, "--max-reads")
    guard write || !overwrite else {
      throw ValidationError("--overwrite goes with --write.")
    }
  }

  func run() async throws {
    let request = try InspectionRequest(
      collections, isGroup: group, sampleSize: sample, parentCount: parents, depth: depth)
    let invocation = Invocation(global)
    let opened = try invocation.openWorkspace()
    if let from { return try inspect(.named(from), request, invocation, opened) }
    let stop = try await invocation.oneOff("inspect", maxReads: maxReads, in: opened) { reads in
      let findings = try await Inspection(
        request, reads,
        notify: { sentence, isStep in
          isStep ? invocation.log.debug(sentence) : invocation.log.notice(sentence)
        }, willRead: { announce(invocation, opened.config.cost.price(on: $0)) }
      ).run()
      let database = (reads.database.root.project, reads.database.edition)
      try show(findings, request, of: database, reads: reads.meter.spent, invocation, opened)
      let count = findings.collections.count
      return (findings.stop, "Inspected \(NumberWords.counted(count, "collection")).")
    }
    if let stop { throw stop }
  }

  private func announce(_ invocation: Invocation, _ price: ReadPrice) {
    let noun = price.edition == .enterprise ? price.noun : "document"
    invocation.log.notice(
      "Reads at most \(NumberWords.counted(maxReads, noun)) (--max-reads), about "
        + "\(NumberWords.money(price.cost(of: maxReads))).")
  }

  private func inspect(
    _ export: ManagedExport, _ request: InspectionRequest, _ invocation: Invocation,
    _ opened: OpenWorkspace
  ) throws {
    invocation.log.notice(
      "Reads the export of \(Instant(export.end).iso8601) with "
        + "\(NumberWords.counted(export.documentCount, "document")).")
    var inspection = ExportInspection(request, of: export)
    try show(
      try inspection.run(), request, of: (export.root?.project ?? "", .standard), reads: 0,
      invocation, opened)
  }

  private func show(
    _ findings: Inspection.Findings, _ request: InspectionRequest,
    of database: (project: String, edition: FirestoreEdition), reads: Int,
    _ invocation: Invocation, _ opened: OpenWorkspace
  ) throws {
    let output = invocation.output
    let printer = InspectionPrinter(price: opened.config.cost.price(on: database.edition))
    if let known = findings.database {
      output.remark("Database: \(known.facts.words).", always: true)
    }
    if let sentence = InspectionPrinter.omissions(findings) { invocation.log.warning(sentence) }
    if output.isJSON {
      try findings.collections.forEach { try output.print(json: printer.json(of: $0)) }
    } else if findings.collections.isEmpty {
      invocation.log.notice("The database of the project \(database.project) is empty.")
    } else {
      output.print(findings.collections.map(printer.text).joined(separator: "\n\n"))
      if let sentence = InspectionPrinter.completeness(findings, request) {
        findings.isComplete ? invocation.log.notice(sentence) : invocation.log.warning(sentence)
      }
    }
    if write { try draft(findings, request, printer, invocation, opened) }
    if output.isJSON { try output.print(json: printer.total(findings, reads: reads)) }
  }

  /// Drafts the job files of all sampled collections.
  private func draft(
    _ findings: Inspection.Findings, _ request: InspectionRequest, _ printer: InspectionPrinter,
    _ invocation: Invocation, _ opened: OpenWorkspace
  ) throws {
    let output = invocation.output
    var drafted: [String] = []
    if !findings.collections.isEmpty { output.remark("", always: true) }
    try JobDraft.write(
      findings.collections, to: opened.workspace, price: printer.price,
      day: String(invocation.now.iso8601.prefix(10)), overwrites: overwrite,
      areNamed: !request.collections.isEmpty
    ) { draft, outcome, path in
      if outcome == .written || outcome == .replaced { drafted.append(draft.job) }
      try output.remark(
        printer.text(of: draft, outcome, path: path), always: true,
        json: printer.json(of: draft, outcome, path: path))
    }
    if let job = drafted.first {
      output.remark(
        "A draft has no schedule: it runs when you ask, as in `firetally run \(job)`. Its file says "
          + "how to give it one.", always: true)
    }
    output.remark(InspectionPrinter.accountsHint, always: true)
  }
}
