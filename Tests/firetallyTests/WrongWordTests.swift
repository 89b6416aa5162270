import ArgumentParser
import Emulator
import Testing

@testable import firetally

/// Words of the command line that are no command and no option.
@Suite struct WrongWordTests {
  /// What was typed, and what is said of it.
  static let sentences = [
    (
      "run --forse",
      "There is no option '--forse'. Did you mean '--force'? See `firetally run --help`."
    ),
    (
      "run a --forse=1 --json",
      "There is no option '--forse'. Did you mean '--force'? See `firetally run --help`."
    ),
    (
      "run --al", "There is no option '--al'. Did you mean '--all'? See `firetally run --help`."
    ),
    (
      "run --project= settings report",
      "'--project=' has no value: write one behind '=', or leave '--project' out. A variable may be "
        + "unset."
    ),
    (
      "run settings --quiet=",
      "'--quiet=' has no value: write one behind '=', or leave '--quiet' out. A variable may be unset."
    ),
    (
      "-C= run settings",
      "'-C=' has no value: write one behind '=', or leave '-C' out. A variable may be unset."
    ),
    ("run -C. --all", "There is no option '-C.'. Did you mean '-C .'? See `firetally run --help`."),
    (
      "run --all -C/srv/chat",
      "There is no option '-C/srv/chat'. Did you mean '-C /srv/chat'? See `firetally run --help`."
    ),
    ("run -x", "There is no option '-x'. See `firetally run --help`."),
    (
      "users list --page 2", "There is no option '--page'. See `firetally users list --help`."
    ),
    ("users list -age 2", "There is no option '-age'. See `firetally users list --help`."),
    (
      "run -json", "There is no option '-json'. Did you mean '--json'? See `firetally run --help`."
    ),
    (
      "limits check --jsn",
      "There is no option '--jsn'. Did you mean '--json'? See `firetally limits check --help`."
    ),
    (
      "users list --city --ctiy",
      "There is no option '--ctiy'. Did you mean '--city'? See `firetally users list --help`."
    ),
    (
      "help nosuch", "There is no command 'nosuch'. `firetally --help` lists the commands."
    ),
    (
      "help limits chekc",
      "There is no command 'limits chekc'. Did you mean 'limits check'? "
        + "`firetally limits --help` lists the commands."
    ),
    (
      "rnu", "There is no command 'rnu'. Did you mean 'run'? `firetally --help` lists the commands."
    ),
    (
      "rnu --help",
      "There is no command 'rnu'. Did you mean 'run'? `firetally --help` lists the commands."
    ),
    (
      "-C /tmp --json rnu --all",
      "There is no command 'rnu'. Did you mean 'run'? `firetally --help` lists the commands."
    ),
    (
      "users lst",
      "There is no command 'users lst'. Did you mean 'users list'? "
        + "`firetally users --help` lists the commands."
    ),
    (
      "limits help",
      "There is no command 'limits help'. `firetally limits --help` lists the commands."
    ),
    (
      "--forse run",
      "There is no option '--forse'. Did you mean '--force'? See `firetally run --help`."
    ),
    (
      "--force run",
      "Write '--force' behind its command: `firetally run --force`. See `firetally run --help`."
    ),
    ("-C /tmp", "Name a command of `firetally`. `firetally --help` lists the commands."),
    (
      "limits --json",
      "Name a command of `firetally limits`. `firetally limits --help` lists the commands."
    ),
  ]

  @Test(arguments: sentences)
  func `a wrong word is told first, with the word that was meant`(row: (String, String)) throws {
    let arguments = row.0.split(separator: " ").map(String.init)
    let error = try #require(throws: CommandError.self) {
      try Firetally.command(in: arguments)
    }
    #expect(error.description == row.1)
    #expect(Failure(error).status == 64)
  }

  /// Every command that does something, as it is called.
  private static func calls(
    of command: any ParsableCommand.Type = Firetally.self, _ path: [String] = []
  ) -> [[String]] {
    let commands = command.configuration.subcommands
    guard !commands.isEmpty else { return [path] }
    return commands.flatMap { calls(of: $0, path + [$0.configuration.commandName ?? ""]) }
  }

  @Test func `every command says which of its options is none, whatever else is missing`() throws {
    let calls = Self.calls()
    #expect(calls.count > 40)
    for call in calls {
      let error = try #require(throws: CommandError.self) {
        try Firetally.command(in: call + ["--qiuet"])
      }
      let text = "There is no option '--qiuet'. Did you mean '--quiet'? "
      #expect(error.description == text + "See `firetally \(call.joined(separator: " ")) --help`.")
    }
  }

  @Test(arguments: [
    "run --all", "run -qv --all", "users list --city -", "run -- --forse", "help", "help run",
    "help limits check", "limits", "users list --limit abc", "run --lock-wait", "run --help",
    "status extra", "limits check", "--version", "-h", "run -- --project=", "query Users --where =",
    "limits check refresh --project=a=",
  ])
  func `what is right is not taken for a wrong word`(text: String) throws {
    let arguments = text.split(separator: " ").map(String.init)
    #expect(WrongWord.command(in: arguments) == nil)
    if !["help", "--version", "-h"].contains(where: text.hasPrefix) {
      #expect(WrongWord.option(in: arguments) == nil)
    }
  }

  @Test(arguments: [
    ["rnu", "--json"], ["--json", "help", "nosuch"], ["run", "--forse", "--json"],
    ["run", "online-usres", "--json"],
  ])
  func `for programs the sentence is an error object`(arguments: [String]) async throws {
    let workspace = try await TemporaryWorkspace(users: 0)
    let result = try await BuiltProgram().start(arguments, in: workspace.folder).wait()
    try await workspace.server.stop()
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix(#"{"code":64,"#), "\(result.errors)")
    #expect(result.errors.contains(#""message":"There is no "#))
    #expect(result.errors.contains(#""message_type":"error""#))
  }
}
