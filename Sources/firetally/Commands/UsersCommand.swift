import App
import ArgumentParser
import Jobs
import Model
import Operations
import Reports
import Store
import Workspace

struct UsersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users",
    abstract: "Read and clear the local copy of the app's users, and erase people.",
    group: [
      List.self, Show.self, Count.self, Exists.self, Latest.self, Clear.self, Erase.self,
    ])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the users that the saved filter finds, last seen first.",
      discussion: """
        Without a saved filter, and with --all, it lists everybody. Criteria that you give are \
        added to the saved filter; with --all they apply alone.

        Each page starts after the last user shown, so pages do not overlap while a sync runs. \
        When more users follow, the last line is `more: --after CURSOR`. With --json it is an \
        object of message_type next_page, with the cursor in the member after.
        """,
      examples: [
        "firetally users list --gender female --min-age 25 --limit 20",
        "firetally users list --all --json",
      ])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: UserSelection

    @Flag(help: "List everybody, whatever filter is saved.")
    var all = false

    @OptionGroup var page: PageOptions

    func validate() throws {
      guard !(all && selection.filtered) else {
        throw ValidationError("Give either --all or --filtered, not both.")
      }
    }

    func run() throws {
      let (invocation, opened, store) = try global.openReadable()
      let (query, found) = try store.read { reader in
        let query = try selection.query(global.profile, onTopOfSaved: !all, in: reader)
        return (query, try reader.users(matching: query, after: page.after, limit: page.limit))
      }
      try UserTable.print(found, opened, invocation.output)
      let conditions = query.filter.conditions(city: query.nearCity)
      guard !all, !conditions.isEmpty else { return }
      invocation.noticeOnTerminal(
        "Users with \(conditions.joined(separator: ", ")). --all lists everybody.")
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show everything stored about one user.",
      examples: ["firetally users show u-4711"])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The user's id.")
    var id: String

    func run() throws {
      let (invocation, store) = try global.readableStore()
      guard let user = try store.read({ try $0.user(id: id) }) else {
        if let at = try PersonErasure.erasedAt(id, in: store) {
          throw CommandError(
            .failed,
            "'\(id)' was erased at \(at.iso8601): loads leave this person out. See "
              + "docs/privacy.md#erase-a-person.")
        }
        throw CommandError(
          .failed,
          "There is no user '\(id)' in the local copy. See `firetally users list`, or fetch with "
            + "`firetally refresh`.")
      }
      let columns = UserColumn.ofUsers.map { column in
        OutputColumn<OnlineUser>(column.descriptor.name) { $0.text(column) }
      }
      try invocation.output.print(
        columns.fields(of: user).text, json: JSONObject(user, ["message_type": "user"]))
    }
  }

  struct Count: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "count", abstract: "Count users: all, or those that match.",
      examples: ["firetally users count --country Spain"])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: UserSelection

    func run() throws {
      let (invocation, store) = try global.readableStore()
      let count = try store.read { reader in
        try reader.usersCount(
          matching: try selection.query(
            global.profile, onTopOfSaved: selection.filtered, in: reader))
      }
      try invocation.output.print(
        String(count), json: ["message_type": "user_count", "users": count])
    }
  }

  struct Exists: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "exists",
      abstract: "Check whether a user is in the local copy.",
      discussion: """
        Prints yes and exits with status 0, or prints no and exits with status 1.
        """,
      examples: ["firetally users exists u-4711"])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The user's id.")
    var id: String

    func run() throws {
      let (invocation, store) = try global.readableStore()
      let exists = try store.read { try $0.userExists(id: id) }
      try invocation.output.print(
        exists ? "yes" : "no",
        json: ["message_type": "user_exists", "userId": id, "exists": exists])
      if !exists { throw StatusOnly(status: .failed) }
    }
  }

  struct Latest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "latest", abstract: "Print the newest last-seen time.",
      examples: ["firetally users latest"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let (invocation, store) = try global.readableStore()
      guard let latest = try store.read({ try $0.latestLastSeen() }) else {
        throw CommandError(
          .failed,
          "The local copy has no users yet. Fetch them with `firetally run --all` or "
            + "`firetally refresh`.")
      }
      try invocation.output.print(
        latest.iso8601, json: ["message_type": "latest_user", "lastSeenAt": latest])
    }
  }
}

/// The options that select users of the local copy.
struct UserSelection: ParsableArguments {
  @OptionGroup var filter: FilterOptions

  @Flag(help: "Only users that match the saved filter and the given criteria.")
  var filtered = false

  @Option(help: "Only users of this area.")
  var area: String?

  @Option(help: "Only users of this city.")
  var city: String?

  @Option(help: "Only users of this state.")
  var state: String?

  /// Returns the criteria as a query of the store, if they are valid for the profile.
  ///
  /// Areas, cities and states are compared exactly, as the app wrote them.
  func query(
    _ profileName: String, onTopOfSaved: Bool, in reader: Reader
  ) throws -> UsersQuery {
    let profile = try reader.profile(named: profileName)
    let saved = onTopOfSaved ? profile?.filter ?? .none : .none
    var query = UsersQuery(
      try filter.checked(onTopOf: saved, profileCity: profile?.city, in: reader),
      nearCity: profile?.city)
    (query.area, query.city, query.state) = (area, city, state)
    return query
  }
}

extension UsersCommand {
  struct Clear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear",
      abstract: "Clear the local users and the refresh time; the next run fetches the users again.",
      discussion: """
        All profiles share the local users: the next load of any profile fetches them again. Keeps \
        the saved filter, tier, limits and events. Makes no request. On a terminal it says what it \
        will remove and asks first; --yes skips the question.
        """,
      examples: ["firetally users clear --yes"])

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var turn: LockOptions

    func run() async throws {
      let (invocation, opened, session) = try global.openSession()
      func users(_ count: Int) -> String { NumberWords.counted(count, "user") }
      try invocation.confirm(
        "This removes \(users(try session.store.read { try $0.usersCount() })) of the local copy.",
        yes: yes)
      let lock = try await invocation.lock(opened, store: session.store, wait: turn)
      defer { lock.release() }
      let removed = try session.clearUsers(keepingFilter: true)
      try invocation.output.remark(
        "Cleared; \(users(removed)) removed.",
        json: [
          "message_type": "users_cleared", "profile": global.profile, "usersRemoved": removed,
        ])
    }
  }
}

/// A page of users as a table, or as one JSON object per line.
enum UserTable {
  private static let columns: [(head: String, column: UserColumn)] = [
    ("ID", .userId), ("NAME", .name), ("GENDER", .gender), ("AGE", .age), ("COUNTRY", .country),
    ("CITY", .city), ("LAST SEEN", .lastSeenAtSeconds),
  ]

  static func print(_ page: UserPage, _ opened: OpenWorkspace, _ output: Output) throws {
    let columns = columns.map { head, column in
      OutputColumn<OnlineUser>(head, isNumber: column == .age) { user in
        column == .lastSeenAtSeconds
          ? opened.clock(Instant(unixSeconds: user.lastSeenAtSeconds)) : user.text(column)
      }
    }
    try output.print(page.users, as: "user", columns, whole: { $0 })
    guard let next = page.next?.argument else { return }
    try output.print(
      "more: --after \(next)", json: ["message_type": "next_page", "after": next])
  }
}

struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search the local users by name, under the search limit.",
    discussion: """
      Finds names that contain the text, in any case, last seen first. Each command counts as one \
      search, also a next page with --after. At the limit it prints the popup and exits with \
      status 75.
      """,
    examples: ["firetally search ann"])

  @OptionGroup var global: GlobalOptions

  @Argument(help: "Part of the name.")
  var text: String

  @OptionGroup var page: PageOptions

  func run() throws {
    let name = text.trimmed
    guard !name.isEmpty else { throw CommandError.emptyName }
    let (invocation, opened, session) = try global.openSession()
    // The search precedes the use, so a failed search is not counted.
    let found = try session.store.read { reader in
      try reader.users(
        matching: UsersQuery(nameContaining: name), after: page.after, limit: page.limit)
    }
    let check = try session.use(.search, now: invocation.now)
    invocation.logUse(check)
    if invocation.output.isJSON { try invocation.output.print(json: check.line()) }
    guard check.result.canProceed else { throw CommandError.blocked(check) }
    PopupText.print(on: invocation.output)(check)
    try UserTable.print(found, opened, invocation.output)
  }
}

/// The options that select a part of a list of users.
struct PageOptions: ParsableArguments {
  /// The largest number of rows that the app itself keeps in a list; `docs/loads.md#online-users`.
  static let mostRows = 250

  @Option(parsing: .unconditional, help: "Number of users, 1 to \(mostRows).")
  var limit = 10

  @Option(
    help: ArgumentHelp("Start after this cursor, from the line 'more'.", valueName: "cursor"))
  var after: UserCursor?

  func validate() throws { try (1...Self.mostRows).check(limit, "--limit") }
}

extension UserCursor: ExpressibleByArgument {}
