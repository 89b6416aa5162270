import App
import ArgumentParser
import Firestore
import Jobs
import Model
import Reports
import Store
import Workspace

struct FilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Show and change the saved user filter.",
    group: [
      Show.self, Set.self, Preview.self, Apply.self, Clear.self, Suggest.self,
    ])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the saved filter.",
      examples: ["firetally filter show"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let (invocation, session) = try global.readSession()
      let filter = try session.store.read { try $0.validFilter(of: try session.profile(in: $0)) }
      let criteria: [OutputColumn<UserFilter>] = [
        OutputColumn("gender", "gender") { $0.gender?.rawValue },
        OutputColumn("country", "country") { $0.country },
        OutputColumn("language", "language") { $0.language },
        OutputColumn("min age", "minAge") { $0.minAge },
        OutputColumn("max age", "maxAge") { $0.maxAge },
        OutputColumn(
          "nearby", "isNearbyOnly", value: { $0.isNearbyOnly },
          cell: { $0.isNearbyOnly ? "yes" : nil }),
      ]
      try invocation.output.print(
        criteria.fields(of: filter, head: "CRITERION", none: "any").text,
        json: .compact(criteria.object(of: filter, as: "filter")))
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Change the saved filter; makes no request.",
      discussion: """
        `--gender both`, `--no-nearby` and an empty text (`--country ""`, `--max-age ""`) remove a \
        criterion. `users list` uses the saved filter at once. The next `filter apply` or \
        `refresh` fetches by it. A run that finds the users stale clears it.
        """,
      examples: ["firetally filter set --gender female --min-age 25"])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var criteria: FilterOptions

    func validate() throws {
      guard !criteria.isEmpty else {
        throw ValidationError("Give at least one criterion, or use `firetally filter clear`.")
      }
    }

    func run() throws {
      let (_, _, session) = try global.openSession()
      try session.saveFilter { profile, writer in
        try criteria.checked(onTopOf: profile.filter, profileCity: profile.city, in: writer)
      }
    }
  }

  struct Apply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "apply",
      abstract: "Fetch users by the saved filter, under the filter limit.",
      discussion: """
        The options change the saved filter. Replaces all local users once the last page has \
        arrived. A fetch that fails changes nothing and counts no use. At the limit it prints the \
        popup and exits with status 75.
        """,
      examples: ["firetally filter apply --gender male --max-age 40"])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var criteria: FilterOptions
    @OptionGroup var turn: LockOptions

    func run() async throws {
      let (invocation, opened) = try global.openWorkspace()
      let store = try opened.store()
      // Invalid criteria fail before the lock is acquired.
      _ = try wanted(in: store)
      try await invocation.perform(opened, store: store, wait: turn) {
        try wanted(in: store)
      }
    }

    private func wanted(in store: Store) throws -> UserFilter {
      try store.read { try criteria.onTopOfSaved(global.profile, in: $0) }
    }
  }

  struct Preview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "preview",
      abstract: "Show how many users `filter apply` would find, its price and its index.",
      discussion: """
        Counts instead of fetching. It is not a use of the filter limit, records no event, and \
        changes neither the filter nor the users. Ages are compared after a load, so with an age \
        criterion the number is an upper bound.

        Exit status: 0 success; 78 the index is missing, so `filter apply` would fail.
        """,
      examples: ["firetally filter preview --country Spain"])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var criteria: FilterOptions

    func run() async throws {
      let (invocation, opened) = try global.openWorkspace()
      let store = try opened.readStoreOrEmpty()
      let filter = try store.read { try criteria.onTopOfSaved(global.profile, in: $0) }
      let context = try invocation.context(opened, store: store, claimsDatabase: false)
      let estimator = JobEstimator(context)
      let plan = try await invocation.warningOfKeys(context) {
        var plan = WorkspaceEstimate(
          jobs: [], broken: [], filter: try await estimator.estimate(applying: filter),
          price: context.config.cost.price, budget: try estimator.budget(),
          ownReads: await context.services.firestore.traffic().billedReadCount)
        try await plan.learnPrice(of: estimator.database(), context)
        return plan
      }
      try plan.print(on: invocation.output)
      if plan.filter?.lacksIndex == true { throw StatusOnly(status: .configuration) }
    }
  }

  struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear",
      abstract: "Clear the saved filter; the next run fetches the users again.",
      discussion: """
        Makes no request and keeps the local users.
        """,
      examples: ["firetally filter clear"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let (_, _, session) = try global.openSession()
      try session.clearFilter()
    }
  }

  struct Suggest: ParsableCommand {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
      case country, language
    }

    static let configuration = CommandConfiguration(
      commandName: "suggest",
      abstract: "Suggest countries or languages for a text, best match first.",
      discussion: """
        Names that begin with the text come first, then names with such a word, then names that \
        contain it; at most \(NameList.suggestionCount). Historical languages come last.
        """,
      examples: ["firetally filter suggest country sp", "firetally filter suggest language po"])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The kind of name.")
    var kind: Kind

    @Argument(help: "Part of the name, in any case.")
    var text: String

    func run() throws {
      guard !text.trimmed.isEmpty else { throw CommandError.emptyName }
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readStoreOrEmpty()
      let names =
        switch kind {
        case .country: NameList.countries.adding(try store.read { try $0.countriesInUse() })
        case .language: NameList.languages.adding(try store.read { try $0.languagesInUse() })
        }
      for name in names.suggestions(for: text) {
        try invocation.output.print(
          VisibleText.line(name), json: ["message_type": "suggestion", "name": name])
      }
    }
  }
}
