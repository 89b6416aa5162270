import ArgumentParser
import Jobs
import Model
import Store

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Show and change profiles: the app users whose sessions the workspace holds.",
    subcommands: [
      Show.self, List.self, Set.self, Create.self, ProfileLocateCommand.self, SignOut.self,
    ])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the profile.",
      discussion: """
        EXAMPLES:
          firetally profile show
        """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let snapshot = try invocation.limitSnapshot(try invocation.openWorkspace())
      let line = ProfileLine(snapshot.profile, MomentAllowance(snapshot.settings))
      guard !invocation.output.isJSON else { return try invocation.output.show(json: line) }
      var table = TextTable(["FIELD", "VALUE"])
      for (name, value) in line.fields { table.add([name, value ?? "-"]) }
      invocation.output.show(table.text)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the profiles, default first.",
      discussion: """
        EXAMPLES:
          firetally profile list
        """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readStore()
      var profiles = try store?.read { try $0.profiles() } ?? []
      if profiles.first?.name != Profile.defaultName { profiles.insert(Profile(), at: 0) }
      let lines = profiles.map { ProfileLine($0) }
      guard !invocation.output.isJSON else {
        for line in lines { try invocation.output.show(json: line) }
        return
      }
      var table = TextTable(["NAME", "DEFAULT", "TIER", "USER ID", "USERS REFRESHED"])
      for line in lines {
        table.add([
          line.name, line.isDefault ? "yes" : "-", line.tier.rawValue, line.userId ?? "-",
          line.usersRefreshedAt?.iso8601 ?? "never",
        ])
      }
      invocation.output.show(table.text)
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change the profile; an empty text clears a value.",
      discussion: """
        EXAMPLES:
          firetally profile set --user-id u-1 --city Madrid
          firetally profile set --city ""
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var options: ProfileOptions

    func validate() throws {
      guard !options.isEmpty else {
        throw ValidationError("Name what to change, such as --city or --tier.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let session = try invocation.session(opened, store: try opened.store())
      try session.store.write { writer in
        if let tier = options.tier { try session.setTier(tier, in: writer) }
        try session.updateProfile(in: writer) { options.apply(to: &$0) }
      }
    }
  }
}
