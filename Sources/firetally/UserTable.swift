import ArgumentParser
import Model
import Store

/// A page of users as a table, or as one JSON object a line.
enum UserTable {
  private static let columns: [(head: String, column: UserColumn)] = [
    ("ID", .userId), ("NAME", .name), ("GENDER", .gender), ("AGE", .age), ("COUNTRY", .country),
    ("CITY", .city), ("LAST SEEN", .lastSeenAtSeconds),
  ]

  static func show(_ page: UserPage, _ output: Output) throws {
    guard !output.isJSON else {
      for user in page.users { try output.show(json: TypedLine("user", user)) }
      if let next = page.next { try output.show(json: NextPageLine(after: next.argument)) }
      return
    }
    var table = TextTable(
      columns.map(\.head),
      rightAligned: Set(columns.indices.filter { columns[$0].column == .age }))
    for user in page.users { table.add(columns.map { user.text($0.column) }) }
    output.show(table.text)
    if let next = page.next { output.show("more: --after \(next.argument)") }
  }

  private struct NextPageLine: Encodable {
    let message_type = "next_page"
    let after: String
  }
}

/// Which part of a list of users is shown.
struct PageOptions: ParsableArguments {
  /// The most rows that the app itself keeps in a list; `docs/loads.md#online-users`.
  static let mostRows = 250

  @Option(help: "Number of users, 1 to \(mostRows).")
  var limit = 10

  @Option(
    help: ArgumentHelp("Start after this cursor, from the line 'more'.", valueName: "cursor"))
  var after: UserCursor?

  func validate() throws {
    guard (1...Self.mostRows).contains(limit) else {
      throw ValidationError("--limit takes 1 to \(Self.mostRows).")
    }
  }
}

extension UserCursor: ExpressibleByArgument {
  /// `{unix seconds}:{row id}`.
  package init?(argument: String) {
    let parts = argument.split(separator: ":").map { Int64($0) }
    guard parts.count == 2, let seconds = parts[0], let id = parts[1] else { return nil }
    self.init(lastSeenAtSeconds: seconds, id: id)
  }

  var argument: String { "\(lastSeenAtSeconds):\(id)" }
}
