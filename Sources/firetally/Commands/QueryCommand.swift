import ArgumentParser
import Firestore
import Jobs
import Model
import Operations
import Reports
import Sync
import Workspace

/// The options that select documents of a collection.
struct SelectionOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only documents with 'FIELD OP VALUE', such as 'total >= 10'. Repeat it for more conditions.",
      valueName: "filter"))
  var filters: [String] = []

  @Flag(help: "Read all collections with that id, at any depth.")
  var group = false
}

struct QueryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Read documents of a collection from Firestore and print them.",
    discussion: """
      Costs one billed read for each document, within the workspace's read budget; two when there \
      is none, the second to say why. Stores nothing but the run.

      OP is ==, !=, <, <=, >, >=, in, not-in, array-contains, array-contains-any, is-null, \
      is-not-null, is-nan or is-not-nan. VALUE is a number, true, false, null or text; quotes make \
      text of a number: 'zip == "01067"'. Lists are [a, b]; {timestamp: "2026-01-31T08:00:00Z"} \
      and {reference: Users/abc} are values of these types.

      Exit status: 0 success, also when nothing was found; 75 the read budget is used up; 78 an \
      index is missing.
      """,
    examples: [
      "firetally query Users --where 'User_gender == Female' --select User_name",
      "firetally query Users --order-by 'last_time_seen desc' --csv",
      "firetally query Rating_Feedback --group --where 'rating in [1.0, 2.0]' --json",
    ])

  @OptionGroup var global: GlobalOptions
  @OptionGroup var selection: SelectionOptions

  @Option(
    help: ArgumentHelp(
      "Order by this field; 'FIELD desc' for the highest first. Repeat it for more fields.",
      valueName: "field"))
  var orderBy: [String] = []

  @Option(help: ArgumentHelp("Print only these fields, separated by commas.", valueName: "fields"))
  var select: [String] = []

  @Option(parsing: .unconditional, help: "Documents at most, 1 to 10000.")
  var limit = AdHocQuery.defaultLimit

  @Flag(help: "Print CSV with a column for each field; nested values are JSON.")
  var csv = false

  @OptionGroup var documents: DocumentOptions

  @Argument(
    help: "The collection's path, such as Users, or with --group an id.",
    completion: NameCompletion.collections)
  var collection: String

  func validate() throws {
    guard AdHocQuery.limits.contains(limit) else {
      throw ValidationError(
        "--limit takes 1 to \(AdHocQuery.limits.upperBound). A job of kind sync-collection copies "
          + "more: `firetally inspect \(collection) --write` drafts one.")
    }
    guard !(csv && global.json) else {
      throw ValidationError("Give either --csv or --json, not both.")
    }
  }

  func run() async throws {
    let query = try AdHocQuery(
      collection, isGroup: selection.group, filters: selection.filters, orders: orderBy,
      fields: select)
    let (invocation, opened) = try global.openWorkspace()
    try await invocation.oneOff("query", in: opened) { reads in
      invocation.noticeOnTerminal(bound(of: query, opened.config.cost, reads.database.edition))
      let count = try await print(query, reads, invocation.output)
      if count == 0 { invocation.log.notice(try await query.emptiness(reads)) }
      if let size = reads.sizer.reducedPageSize { invocation.log.notice(Self.smaller(size)) }
      let found = "Found \(NumberWords.counted(count, "document")) of \(query.source)"
      return ((), count < limit ? "\(found)." : "\(found), as many as --limit: there may be more.")
    }
  }

  /// What the query reads at most; an Enterprise database bills what it looks through, too.
  private func bound(
    of query: AdHocQuery, _ cost: CostConfig, _ edition: FirestoreEdition
  ) -> String {
    let most = "Reads at most \(NumberWords.counted(limit, "document")) of \(query.source)"
    guard edition == .standard else { return "\(most)." }
    return "\(most), about \(NumberWords.money(cost.price(on: edition).cost(of: limit)))."
  }

  private static func smaller(_ size: Int) -> String {
    "Documents are too large for pages of \(AdHocQuery.pageSize): pages of \(size) were read "
      + "instead."
  }

  /// Prints the results page by page; CSV at the end, since its columns are only known then.
  private func print(
    _ query: AdHocQuery, _ reads: AdHocReads, _ output: Output
  ) async throws -> Int {
    let printer = DocumentPrinter(root: reads.database.root, isTyped: documents.typed)
    var all: [Document] = []
    var isFirst = true
    var end: (any Error)?
    var count = 0
    do {
      count = try await query.forEachPage(limit: limit, reads) { page in
        guard !csv else { return all += page }
        for document in page {
          let text = printer.text(of: document, fields: query.fields)
          output.print(output.isJSON ? printer.json(of: document) : (isFirst ? "" : "\n") + text)
          isFirst = false
        }
        try Output.checkWritten()
      }
    } catch {
      end = error
    }
    // Paid documents are printed even if the budget ended.
    if csv, end == nil || !all.isEmpty {
      let bytes = printer.csv(of: all, fields: query.fields)
      output.write(StandardStream.output.harmless(bytes))
    }
    if let end { throw end }
    return count
  }
}
