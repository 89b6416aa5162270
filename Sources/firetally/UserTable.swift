import ArgumentParser
import Model
import Store

/// A page of users as a table, or as one JSON object a line.
enum UserTable {
  static func show(_ page: UserPage, _ output: Output) throws {
    guard !output.isJSON else {
      for user in page.users { try output.show(json: UserLine(user: user)) }
      return
    }
    var table = TextTable(
      ["ID", "NAME", "GENDER", "AGE", "COUNTRY", "CITY", "LAST SEEN"], rightAligned: [3])
    for user in page.users {
      table.add([
        user.userId, user.name, user.gender, user.age, user.country, user.city,
        user.lastSeenAt.iso8601,
      ])
    }
    output.show(table.text)
    if let next = page.next { output.remark("more: --after \(next.argument)") }
  }
}

/// A user as JSON: the columns of the table, and what they are.
struct UserLine: Encodable {
  enum CodingKeys: CodingKey {
    case message_type
  }

  let user: OnlineUser

  func encode(to encoder: any Encoder) throws {
    try user.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("user", forKey: .message_type)
  }
}

/// Which part of a list of users is shown.
struct PageOptions: ParsableArguments {
  /// The most rows that the app itself keeps in a list; `docs/rules.md#online-users`.
  static let mostRows = 250

  @Option(help: "How many users, 1 to \(mostRows).")
  var limit = 10

  @Option(
    help: ArgumentHelp("Go on behind a user, as the line 'more' names it.", valueName: "cursor"))
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
