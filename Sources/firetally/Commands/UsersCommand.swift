import ArgumentParser
import Jobs
import Model
import Store

struct UsersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users",
    abstract: "Read the local copy of the app's users.",
    subcommands: [List.self, Show.self, Count.self, Exists.self, Latest.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List users, the last seen first.",
      discussion: "Pages do not overlap while a sync runs: each goes on behind the last user shown."
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var filter: FilterOptions
    @OptionGroup var place: PlaceOptions
    @OptionGroup var page: PageOptions

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.desk().readableStore()
      let found = try store.read { reader in
        try reader.users(
          matching: try place.narrowing(filter.question(global.profile, in: reader)),
          after: page.after, limit: page.limit)
      }
      try UserTable.show(found, invocation.output)
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
      guard !invocation.output.isJSON else {
        return try invocation.output.show(json: UserLine(user: user))
      }
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
    @OptionGroup var place: PlaceOptions

    private struct Line: Encodable {
      let message_type = "user_count"
      let users: Int
    }

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.desk().readableStore()
      let count = try store.read { reader in
        try reader.usersCount(
          matching: try place.narrowing(filter.question(global.profile, in: reader)))
      }
      guard invocation.output.isJSON else { return invocation.output.show(String(count)) }
      try invocation.output.show(json: Line(users: count))
    }
  }

  struct Exists: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "exists",
      abstract: "Say whether a user is in the local copy.",
      discussion: "Prints yes and ends with status 0, or prints no and ends with status 1.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The user's id.")
    var id: String

    private struct Line: Encodable {
      let message_type = "user_exists"
      let userId: String
      let exists: Bool
    }

    func run() throws {
      let invocation = Invocation(global)
      let output = invocation.output
      let store = try invocation.desk().readableStore()
      let exists = try store.read { try $0.userExists(id: id) }
      if output.isJSON {
        try output.show(json: Line(userId: id, exists: exists))
      } else {
        output.show(exists ? "yes" : "no")
      }
      if !exists { throw StatusOnly(status: .failed) }
    }
  }

  struct Latest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "latest", abstract: "Print when the user seen last was seen.")

    @OptionGroup var global: GlobalOptions

    private struct Line: Encodable {
      let message_type = "latest_user"
      let lastSeenAt: Instant
    }

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.desk().readableStore()
      guard let latest = try store.read({ try $0.latestLastSeen() }) else {
        throw CommandError.noUsers
      }
      guard invocation.output.isJSON else { return invocation.output.show(latest.iso8601) }
      try invocation.output.show(json: Line(lastSeenAt: latest))
    }
  }
}

/// Where users are, as the app wrote it; compared exactly.
struct PlaceOptions: ParsableArguments {
  @Option(help: "Only users of this area.")
  var area: String?

  @Option(help: "Only users of this city.")
  var city: String?

  @Option(help: "Only users of this state.")
  var state: String?

  func narrowing(_ question: UserQuestion) -> UserQuestion {
    var question = question
    question.area = area
    question.city = city
    question.state = state
    return question
  }
}

extension Invocation.Desk {
  /// The database to read from; an error that says how to make one when there is none.
  func readableStore() throws -> Store {
    try Store.open(path: workspace.databasePath, mode: .readOnly)
  }
}
