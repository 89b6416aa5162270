import ArgumentParser
import Firestore
import Jobs
import Model
import Operations
import Reports
import Sync
import Workspace

struct GetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Read one document from Firestore and print it.",
    discussion: """
      Costs one billed read, within the workspace's read budget. When there is no such document, it \
      reads up to 11 names more to say which was meant. Stores nothing but the run.

      Exit status: 0 success; 1 there is no such document; 75 the read budget is used up.
      """,
    examples: ["firetally get Users/u-4711", "firetally get Users/u-4711 --json --typed"])

  @OptionGroup var global: GlobalOptions
  @OptionGroup var documents: DocumentOptions

  @Argument(help: "The document's path, such as Users/abc.")
  var path: String

  func run() async throws {
    let lookup = try AdHocLookup(path)
    let (invocation, opened) = try global.openWorkspace()
    let missing = try await invocation.oneOff("get", in: opened) { reads -> (String?, String) in
      guard let document = try await lookup.document(reads) else {
        let hint = try await lookup.hint(reads)
        return (hint, "There is no document \(lookup.path).")
      }
      let printer = DocumentPrinter(root: reads.database.root, isTyped: documents.typed)
      invocation.output.print(
        invocation.output.isJSON ? printer.json(of: document) : printer.text(of: document))
      return (nil, "Read \(lookup.path).")
    }
    guard let missing else { return }
    throw CommandError(.failed, "There is no document \(lookup.path)\(missing).")
  }
}

struct CountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Count documents of a collection in Firestore.",
    discussion: """
      Costs one billed read per thousand documents, and at least one; one more when there are \
      none, to say why. `firetally help query` \
      explains --where.
      """,
    examples: [
      "firetally count Users", "firetally count Users --where 'User_gender == Female' --json",
    ])

  @OptionGroup var global: GlobalOptions
  @OptionGroup var selection: SelectionOptions

  @Argument(
    help: "The collection's path, such as Users, or with --group an id.",
    completion: NameCompletion.collections)
  var collection: String

  func run() async throws {
    let query = try AdHocQuery(
      collection, isGroup: selection.group, filters: selection.filters)
    let (invocation, opened) = try global.openWorkspace()
    let count = try await invocation.oneOff("count", in: opened) { reads in
      let count = try await query.count(reads)
      if count == 0 { invocation.log.notice(try await query.emptiness(reads)) }
      return (count, "Counted \(NumberWords.counted(count, "document")) of \(query.source).")
    }
    let source = query.source
    let path = [source.parent, source.collectionId].compactMap(\.self).joined(separator: "/")
    try invocation.output.print(
      "\(count)",
      json: [
        "message_type": "count", "count": count, "collection": path, "isGroup": source.isGroup,
      ])
  }
}

/// The reads of commands outside of any job.
extension Invocation {
  /// Runs requests to Firestore outside of a run, and then warns about a key that others can read.
  ///
  /// A run's report already has these warnings.
  func warningOfKeys<Result>(
    _ context: JobContext, _ body: () async throws -> Result
  ) async throws -> Result {
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    for warning in await context.services.firestore.credentialWarnings() { log.warning(warning) }
    return try result.get()
  }

  /// Performs `work` within the read budget, records it as a run named after the command, and
  /// prints its cost.
  ///
  /// For a nil `maxReads`, only the day's limit applies. `work` returns its result, with a sentence
  /// about it.
  func oneOff<Result>(
    _ command: String, maxReads: Int? = nil, in opened: OpenWorkspace,
    _ work: (AdHocReads) async throws -> (result: Result, summary: String)
  ) async throws -> Result {
    try await oneOff(
      command, maxReads: maxReads,
      try context(opened, store: try opened.store(), claimsDatabase: false), work)
  }

  /// Performs the work in a context that the command has created.
  func oneOff<Result>(
    _ command: String, maxReads: Int? = nil, _ context: JobContext,
    _ work: (AdHocReads) async throws -> (result: Result, summary: String)
  ) async throws -> Result {
    try await warningOfKeys(context) {
      try await AdHocReads.perform(for: command, maxReads: maxReads, context) { reads in
        let (result, summary) = try await work(reads)
        let spent = reads.meter.spent
        let price = context.config.cost.price(on: reads.database.edition)
        noticeOnTerminal(
          "\(summary) \(price.counted(spent)), about "
            + "\(NumberWords.money(price.cost(of: spent))).")
        return (result, summary)
      }
    }
  }

  /// Logs a notice on a terminal; elsewhere a step for `--verbose`.
  func noticeOnTerminal(_ sentence: String) {
    if StandardStream.errors.isTerminal, !output.isJSON {
      log.notice(sentence)
    } else {
      log.debug(sentence)
    }
  }
}
