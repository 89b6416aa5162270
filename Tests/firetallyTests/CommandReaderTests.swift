import ArgumentParser
import Testing

@testable import firetally

@Suite struct CommandReaderTests {
  /// Runs that can begin, and arguments behind `run` that look like something else.
  static let runs = [
    "run --all", "run --due -C /tmp --project demo", "run --all --json --now 2026-02-01T00:10:00Z",
    "run a b --with-needs --force", "run a --full --dry-run --lock-wait 10 -q", "run -- --all",
    "run run", "run help", "run users", "run a -v --profile=p", "run -- --help",
    "run a --log-format json --no-color",
  ]

  /// Other commands that can begin, with and without a group.
  static let commands = [
    "jobs", "status --json", "users list -C /tmp --json",
    "filter set --country Spain --gender male",
    "limits use refresh --now 2026-02-01T00:10:00Z", "rating record --sent 5 --profile p",
    "settings sync --json", "backup", "backup list", "runs", "runs show 7", "runs 7",
    "events import a.ndjson -q", "report usage --single-file", "users erase u1 --yes",
  ]

  /// Calls for help or for a version, and mistakes other than wrong words.
  static let others = [
    "", "run", "run --help", "run -h", "run --version", "run --all --help", "run --help-hidden",
    "run --all --version", "run --all --due", "run a --now yesterday", "run --all -C",
    "run a --lock-wait soon", "run --generate-completion-script zsh", "run a --profile",
    "run --experimental-dump-help", "help", "help run", "--help",
    "--generate-completion-script bash", "--generate-completion-script",
    "users --help", "limits", "run a --lock-wait -1", "rating record --sent -1",
    "---completion run -- positional@0 0 0", "run --forse --help",
  ]

  @Test("--version alone names release and libraries, and the commit where it is known")
  func version() throws {
    #expect(try CommandReader.command(in: ["--version"]) is VersionCommand)
    let text = VersionCommand.text(commit: "")
    #expect(
      text.wholeMatch(
        of: /firetally 0\.1\.0\nSQLite 3\.\d+\.\d+\nlibcurl\/.+\nlibxml2 2\.\d+\.\d+/) != nil)
    let stamped = VersionCommand.text(commit: "abc")
    #expect(stamped.hasPrefix("firetally 0.1.0 (commit abc)\n"))
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  @Test("a run that is read alone is the run that the whole program reads", arguments: runs)
  func run(text: String) throws {
    let alone = try #require(try CommandReader.command(in: Self.words(text)) as? RunCommand)
    let whole = try #require(try Firetally.parseAsRoot(Self.words(text)) as? RunCommand)
    #expect(String(reflecting: alone) == String(reflecting: whole))
    #expect(alone.jobs == whole.jobs)
    #expect(alone.global.workspace == whole.global.workspace)
  }

  @Test("a command that is read alone is the one that the whole program reads", arguments: commands)
  func command(text: String) throws {
    let alone = try CommandReader.command(in: Self.words(text))
    let whole = try Firetally.parseAsRoot(Self.words(text))
    #expect(type(of: alone) == type(of: whole))
    #expect(String(reflecting: alone) == String(reflecting: whole))
  }

  @Test("whatever is no command is answered by the whole program", arguments: others)
  func answer(text: String) throws {
    let answer = Self.answer { try CommandReader.command(in: Self.words(text)) }
    #expect(answer == Self.answer { try Firetally.parseAsRoot(Self.words(text)) })
    #expect(answer.text.isEmpty == false)
  }

  @Test(
    "no option that the parser knows is called unknown, whatever shell is there",
    arguments: ["--generate-completion-script", "--generate-completion-script=no-shell"])
  func completionScript(text: String) throws {
    #expect(try WrongWord.option(in: [text]) == nil)
  }

  private struct Answer: Equatable {
    let text: String
    let status: Int32
  }

  /// What the program prints instead of running a command of its own.
  private static func answer(_ parse: () throws -> any ParsableCommand) -> Answer {
    do {
      var command = try parse()
      try command.run()
      return Answer(text: "ran \(type(of: command))", status: 0)
    } catch {
      return Answer(
        text: Firetally.fullMessage(for: error), status: Firetally.exitCode(for: error).rawValue)
    }
  }

  @Test("the whole program's help of run does not name the program twice")
  func usage() {
    #expect(Firetally.helpMessage(for: RunCommand.self).contains("USAGE: firetally run ["))
  }
}
