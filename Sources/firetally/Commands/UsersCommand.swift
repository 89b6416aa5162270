import ArgumentParser
import Foundation
import Jobs
import Model
import Store

struct UsersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users",
    abstract: "Read the local copy of the app's users.",
    subcommands: [List.self, Show.self, Count.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List users, the last seen first.",
      discussion: "Pages do not overlap while a sync runs: each goes on behind the last user shown."
    )

    /// The most rows that the app itself keeps in a list; `docs/rules.md#online-users`.
    static let mostRows = 250

    @OptionGroup var global: GlobalOptions
    @OptionGroup var filter: FilterOptions

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

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.desk().readableStore()
      let page = try store.read { reader in
        try reader.users(
          matching: try filter.question(global.profile, in: reader), after: after, limit: limit)
      }
      guard !invocation.output.isJSON else {
        for user in page.users { try invocation.output.show(json: user) }
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
      invocation.output.show(table.text)
      if let next = page.next { invocation.output.remark("more: --after \(next.argument)") }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show all that is stored of one user.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The user's id.")
    var id: String

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.desk().readableStore()
      guard let user = try store.read({ try $0.user(id: id) }) else {
        throw CommandError.noSuchUser(id: id)
      }
      guard !invocation.output.isJSON else { return try invocation.output.show(json: user) }
      var table = TextTable(["FIELD", "VALUE"])
      for (name, value) in Self.fields(of: user) { table.add([name, value]) }
      invocation.output.show(table.text)
    }

    /// In the order of the table's columns.
    private static func fields(of user: OnlineUser) -> [(String, String)] {
      [
        ("user_id", user.userId), ("user_name", user.name), ("user_image", user.image),
        ("user_gender", user.gender), ("user_country", user.country),
        ("user_language", user.language), ("user_age", user.age),
        ("user_device_id", user.deviceId), ("user_device_token", user.deviceToken),
        ("user_area", user.area), ("user_city", user.city), ("user_state", user.state),
        ("user_decent_time", String(user.decentTime)),
        ("user_last_time_seen", user.lastSeenAt.iso8601), ("isAd", String(user.isAd)),
      ]
    }
  }

  struct Count: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "count", abstract: "Count the users, or those that match.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var filter: FilterOptions

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.desk().readableStore()
      let count = try store.read { reader in
        try reader.usersCount(matching: try filter.question(global.profile, in: reader))
      }
      guard invocation.output.isJSON else { return invocation.output.show(String(count)) }
      try invocation.output.show(json: ["users": count])
    }
  }
}

extension Invocation.Desk {
  /// The database to read from; an error that says how to make one when there is none.
  func readableStore() throws -> Store {
    try Store.open(path: workspace.databasePath, mode: .readOnly)
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
