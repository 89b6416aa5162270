import ArgumentParser
import Jobs
import Model
import Store

struct UsersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users",
    abstract: "Read and clear the local copy of the app's users, and erase people.",
    subcommands: [
      List.self, Show.self, Count.self, Exists.self, Latest.self, Clear.self, Erase.self,
    ])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List users, last seen first.",
      discussion: """
        Pages do not overlap while a sync runs: each starts after the last user shown. When more \
        users follow, the last line is `more: --after CURSOR`; with --json it is an object with \
        the message_type next_page, whose member after is the cursor.

        EXAMPLES:
          firetally users list --gender female --min-age 25 --limit 20
          firetally users list --filtered --json
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var filter: FilterOptions
    @OptionGroup var saved: SavedFilterOption
    @OptionGroup var place: PlaceOptions
    @OptionGroup var page: PageOptions

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readableStore()
      let found = try store.read { reader in
        try reader.users(
          matching: try place.narrowing(
            filter.question(global.profile, isFiltered: saved.filtered, in: reader)),
          after: page.after, limit: page.limit)
      }
      try UserTable.show(found, invocation.output)
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show everything stored about one user.",
      discussion: """
        EXAMPLES:
          firetally users show u-4711
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The user's id.")
    var id: String

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readableStore()
      guard let user = try store.read({ try $0.user(id: id) }) else {
        throw CommandError.noSuchUser(id: id)
      }
      guard !invocation.output.isJSON else {
        return try invocation.output.show(json: TypedLine("user", user))
      }
      var table = TextTable(["FIELD", "VALUE"])
      for column in UserColumn.ofUsers { table.add([column.descriptor.name, user.text(column)]) }
      invocation.output.show(table.text)
    }
  }

  struct Count: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "count", abstract: "Count users: all, or those that match.",
      discussion: """
        EXAMPLES:
          firetally users count --country Spain
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var filter: FilterOptions
    @OptionGroup var saved: SavedFilterOption
    @OptionGroup var place: PlaceOptions

    private struct JSONOutput: Encodable {
      let message_type = "user_count"
      let users: Int
    }

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readableStore()
      let count = try store.read { reader in
        try reader.usersCount(
          matching: try place.narrowing(
            filter.question(global.profile, isFiltered: saved.filtered, in: reader)))
      }
      guard invocation.output.isJSON else { return invocation.output.show(String(count)) }
      try invocation.output.show(json: JSONOutput(users: count))
    }
  }

  struct Exists: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "exists",
      abstract: "Check whether a user is in the local copy.",
      discussion: """
        Prints yes and exits with status 0, or prints no and exits with status 1.

        EXAMPLES:
          firetally users exists u-4711
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The user's id.")
    var id: String

    private struct JSONOutput: Encodable {
      let message_type = "user_exists"
      let userId: String
      let exists: Bool
    }

    func run() throws {
      let invocation = Invocation(global)
      let output = invocation.output
      let store = try invocation.openWorkspace().readableStore()
      let exists = try store.read { try $0.userExists(id: id) }
      if output.isJSON {
        try output.show(json: JSONOutput(userId: id, exists: exists))
      } else {
        output.show(exists ? "yes" : "no")
      }
      if !exists { throw StatusOnly(status: .failed) }
    }
  }

  struct Latest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "latest", abstract: "Print the newest last-seen time.",
      discussion: """
        EXAMPLES:
          firetally users latest
        """)

    @OptionGroup var global: GlobalOptions

    private struct JSONOutput: Encodable {
      let message_type = "latest_user"
      let lastSeenAt: Instant
    }

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readableStore()
      guard let latest = try store.read({ try $0.latestLastSeen() }) else {
        throw CommandError.noUsers
      }
      guard invocation.output.isJSON else { return invocation.output.show(latest.iso8601) }
      try invocation.output.show(json: JSONOutput(lastSeenAt: latest))
    }
  }
}

/// Whether the profile's saved filter narrows a list.
struct SavedFilterOption: ParsableArguments {
  @Flag(help: "Only users that match the saved filter; criteria are added to it.")
  var filtered = false
}

/// Where users are, as the app wrote it; compared exactly.
struct PlaceOptions: ParsableArguments {
  @Option(help: "Only users of this area.")
  var area: String?

  @Option(help: "Only users of this city.")
  var city: String?

  @Option(help: "Only users of this state.")
  var state: String?

  func narrowing(_ question: UsersQuery) -> UsersQuery {
    var question = question
    question.area = area
    question.city = city
    question.state = state
    return question
  }
}

extension OpenWorkspace {
  /// The database to read from; an error that says how to make one when there is none.
  func readableStore() throws -> Store {
    try readStore() ?? Store.open(path: workspace.databasePath, mode: .readOnly)
  }
}
