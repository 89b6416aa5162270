import ArgumentParser
import Jobs
import Model
import Reports
import Rules
import Session
import Store

struct FilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "The criteria that the profile looks for users by.",
    subcommands: [Show.self, Set.self, Apply.self, Clear.self, Suggest.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the saved filter.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let profile = try invocation.session(desk, store: try desk.store()).profile()
      try FilterCommand.show(profile.filter, invocation.output)
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Change the saved filter by what is given; requests nothing.",
      discussion: """
        `--gender both`, `--no-nearby` and an empty text (`--country ""`, `--max-age ""`) take a \
        criterion away. The next `filter apply` or `refresh` goes by the saved filter; a run that \
        finds the users stale forgets it.
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var criteria: FilterOptions

    func validate() throws {
      guard !criteria.isEmpty else {
        throw ValidationError("Give at least one criterion, or use `firetally filter clear`.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      try invocation.session(desk, store: try desk.store()).saveFilter { profile, writer in
        try criteria.checked(
          onTopOf: profile.filter, profileCity: profile.city, in: writer)
      }
    }
  }

  struct Apply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "apply",
      abstract: "Fetch by the saved filter and what is given, under the filter limit.",
      discussion: """
        The users found become the only ones of the local copy, at once and with the last page. A \
        fetch that fails leaves users and filter as they were and costs nothing. At the limit it \
        ends with status 75 and the popup's text.
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var criteria: FilterOptions
    @OptionGroup var turn: LockOptions

    func run() async throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let store = try desk.store()
      // Criteria that make no sense need not wait for the lock.
      _ = try wanted(in: store)
      try await invocation.perform(desk, store: store, wait: turn.wait) {
        .filter(try wanted(in: store))
      }
    }

    /// The saved filter with what was given on top.
    private func wanted(in store: Store) throws -> UserFilter {
      try store.read { reader in
        let profile = try reader.profile(named: global.profile)
        return try criteria.checked(
          onTopOf: profile?.filter ?? .none, profileCity: profile?.city, in: reader)
      }
    }
  }

  struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear",
      abstract: "Forget the saved filter; the next run fetches the users anew.",
      discussion: "Requests nothing and leaves the users of the local copy as they are.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      try invocation.session(desk, store: try desk.store()).clearFilter()
    }
  }

  struct Suggest: ParsableCommand {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
      case country, language
    }

    static let configuration = CommandConfiguration(
      commandName: "suggest",
      abstract: "List the countries or languages that a text may mean, best first.",
      discussion: """
        Names that begin with the text come first, then those with a word that does, then those \
        that contain it; at most \(NameList.suggestionCount).
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "country or language.")
    var kind: Kind

    @Argument(help: "Part of the name, in any case.")
    var text: String

    func run() throws {
      guard !text.trimmed.isEmpty else { throw CommandError.emptyText(what: "part of a name") }
      let invocation = Invocation(global)
      let store = try invocation.desk().store()
      let names =
        switch kind {
        case .country: NameList.countries.adding(try store.read { try $0.countriesInUse() })
        case .language: NameList.languages.adding(try store.read { try $0.languagesInUse() })
        }
      for name in names.suggestions(for: text) {
        guard !invocation.output.isJSON else {
          try invocation.output.show(json: Suggestion(name: name))
          continue
        }
        invocation.output.show(VisibleText.line(name))
      }
    }
  }

  private static func show(_ filter: UserFilter, _ output: Output) throws {
    guard !output.isJSON else { return try output.show(json: Line(filter)) }
    var table = TextTable(["CRITERION", "VALUE"])
    for (name, value) in Line(filter).fields { table.add([name, value ?? "any"]) }
    output.show(table.text)
  }

  private struct Suggestion: Encodable {
    let message_type = "suggestion"
    let name: String
  }

  private struct Line: Encodable {
    let message_type = "filter"
    let gender: Gender?
    let country: String?
    let language: String?
    let minAge: Int?
    let maxAge: Int?
    let isNearbyOnly: Bool

    init(_ filter: UserFilter) {
      gender = filter.gender
      country = filter.country
      language = filter.language
      minAge = filter.minAge
      maxAge = filter.maxAge
      isNearbyOnly = filter.isNearbyOnly
    }

    var fields: [(String, String?)] {
      [
        ("gender", gender?.rawValue), ("country", country), ("language", language),
        ("min age", minAge.map(String.init)), ("max age", maxAge.map(String.init)),
        ("nearby", isNearbyOnly ? "yes" : nil),
      ]
    }
  }
}
