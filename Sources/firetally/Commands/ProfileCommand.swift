import ArgumentParser
import Jobs
import Model
import Session
import Store

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "The signed-in app users whose sessions the workspace holds.",
    subcommands: [
      Show.self, List.self, Set.self, Create.self, ProfileLocateCommand.self, SignOut.self,
    ])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the profile.",
      discussion: "One that was never made has the defaults.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let line = ProfileLine(try invocation.standing(try invocation.desk()).profile)
      guard !invocation.output.isJSON else { return try invocation.output.show(json: line) }
      var table = TextTable(["FIELD", "VALUE"])
      for (name, value) in line.fields { table.add([name, value ?? "-"]) }
      invocation.output.show(table.text)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the profiles, the default one first.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.desk().readStore()
      let lines = try store?.read { try $0.profiles() }.map(ProfileLine.init) ?? []
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
      commandName: "set", abstract: "Change what is given; an empty text clears it.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var options: ProfileOptions

    func validate() throws {
      guard !options.isEmpty else {
        throw ValidationError("Name what is to be changed, such as --city or --tier.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let session = try invocation.session(desk, store: try desk.store())
      try session.store.write { writer in
        if let tier = options.tier { try session.setTier(tier, in: writer) }
        try session.updateProfile(in: writer) { options.apply(to: &$0) }
      }
    }
  }
}
