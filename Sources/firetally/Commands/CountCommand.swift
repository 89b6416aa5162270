import ArgumentParser
import Jobs
import Reports
import Sync

struct CountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Count documents of a collection in Firestore.",
    discussion: """
      Costs one billed read for each thousand documents, and at least one. `firetally help query` \
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
    let query = try OneOffQuery(
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
