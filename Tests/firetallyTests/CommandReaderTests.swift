import ArgumentParser
import Foundation
import Model
import Testing

@testable import firetally

/// How the arguments become a command: `docs/commands.md`.
@Suite struct CommandReaderTests {
  private static func command(_ text: String) throws -> any ParsableCommand {
    try Firetally.command(in: text.split(separator: " ").map(String.init))
  }

  @Test(arguments: [
    (1, "more: --limit 10"), (999, "more: --limit 9990"), (1_000, "more: --limit 10000"),
    (1_001, "more: --limit 10000"), (9_999, "more: --limit 10000"), (10_000, "more"),
  ])
  func `a cut list names the next limit that can be asked for`(limit: Int, words: String) throws {
    #expect(try CountOption.parse(["--limit", "\(limit)"]).moreWords == words)
  }

  @Test func `--version names release and libraries, and the commit where it is known`() throws {
    for line in ["--version", "run --version", "--version run"] {
      let error = try #require(throws: (any Error).self) { try Self.command(line) }
      #expect(Firetally.exitCode(for: error) == .success)
      #expect(Firetally.fullMessage(for: error) == VersionText.current)
    }
    let text = VersionText.text("0.2.0", commit: "")
    #expect(
      text.wholeMatch(
        of: /firetally 0\.2\.0\nSQLite 3\.\d+\.\d+\nlibcurl\/.+\nlibxml2 2\.\d+\.\d+/) != nil)
    for version in ["0.2.0", "0.3.0-dev"] {
      let stamped = VersionText.text(version, commit: "abc")
      #expect(stamped.hasPrefix("firetally \(version) (commit abc)\n"))
    }
    #expect(
      VersionText.text("0.3.0-dev", commit: "")
        .hasPrefix("firetally 0.3.0-dev (commit unknown: built without make)\n"))
  }

  /// Many builds between two releases have one version: it must never be that of a release.
  @Test func `a version is that of a release in the changelog, or of the next one`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let changes = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(changes.firstMatch(of: /\n## \[(\d+\.\d+\.\d+)\]/)?.output.1)
    let unreleased = try #require(changes.firstMatch(of: /## \[Unreleased\]\n+(.*)\n/)?.output.1)
    if ProgramVersion.isOfDevelopment(ProgramVersion.current) {
      let next = ProgramVersion.current.dropLast("-dev".count)
      #expect(next.compare(newest, options: .numeric) == .orderedDescending)
      #expect(unreleased == "### On upgrading")
    } else {
      #expect(ProgramVersion.current == newest && unreleased.hasPrefix("## "))
    }
  }

  /// The options of every command before, inside and behind what calls it.
  @Test(arguments: [
    "-C /w --profile ana --json -vv limits use refresh",
    "limits -C /w --profile ana --json -vv use refresh",
    "limits use refresh -C /w --profile ana --json -vv",
    "--workspace=/w -v limits --profile=ana use -v --json refresh",
  ])
  func `options of every command may stand anywhere, and mean the same`(text: String) throws {
    let command = try #require(try Self.command(text) as? LimitsCommand.Use)
    #expect(command.global.workspace == "/w" && command.global.profile == "ana")
    #expect(command.global.json && command.global.tracesRequests && !command.global.quiet)
    #expect(command.feature == .refresh)
  }

  @Test func `a value that is given twice is the last one, wherever it stands`() throws {
    let run = try #require(try Self.command("-C /a run --all -C /b") as? RunCommand)
    #expect(run.global.workspace == "/b" && run.all)
  }

  @Test func `behind -- every word is the command's`() throws {
    let run = try #require(try Self.command("--json run settings -- --all -q") as? RunCommand)
    #expect(run.jobs == ["settings", "--all", "-q"])
    #expect(run.global.json && !run.global.quiet && !run.all)
  }

  @Test(arguments: [
    ("-C", "Missing value for '-C <dir>'"), ("run --all -C", "Missing value for '-C <dir>'"),
    ("--now yesterday run", "The value 'yesterday' is invalid for '--now <instant>'"),
    ("run a --now yesterday", "The value 'yesterday' is invalid for '--now <instant>'"),
    ("run --all -qx", "Unknown option '-x'"),
    ("-q -v run --all", "Give either --quiet or --verbose, not both."),
    ("users list --limit -5", "--limit takes 1 to 250."),
    ("run --all --due", "Give job names, --all or --due: only one of the three."),
  ])
  func `what is wrong with the options of every command is told by the parser, with 64`(
    line: String, message: String
  ) throws {
    let error = try #require(throws: (any Error).self) { try Self.command(line) }
    #expect(Firetally.message(for: error) == message)
    #expect(Failure(error).status == 64)
  }

  @Test(arguments: ["--generate-completion-script", "--generate-completion-script=no-shell"])
  func `no option that the parser knows is called unknown, whatever shell is there`(text: String) {
    #expect(WrongWord.option(in: [text]) == nil)
  }
}
