import ArgumentParser
import Fixtures
import Testing

@testable import firetally

@Suite struct RunArgumentsTests {
  /// Words as crontabs have them, and words that are wrong somewhere.
  private static let words = [
    "--all", "--due", "--with-needs", "--force", "--full", "--dry-run", "--lock-wait", "-C",
    "--workspace", "--project", "--cacert", "--profile", "--now", "-q", "--quiet", "-v", "-vv",
    "--verbose", "--log-format", "--json", "--no-color", "--", "-", "--help", "-h", "--workspace=w",
    "--al", "-qv", "--nothing", "online-users", "ratings", "/srv/chathub", "json", "text", "10",
    "-1", "2026-02-01T00:10:00Z", "", "run", "über",
  ]

  @Test("it knows every option of run", arguments: [RunCommand.self])
  func names(command: RunCommand.Type) throws {
    let asking: Set = [
      "-h", "--help", "--version", "--help-hidden", "--generate-completion-script",
      "--experimental-dump-help",
    ]
    #expect(RunArguments.names == Set(try WrongWord.options(of: command).keys).subtracting(asking))
  }

  @Test(
    "what cron calls is read without the parser",
    arguments: [
      "run --all", "run --due -q", "run online-users --force -C /srv --log-format json",
      "run a b --with-needs --lock-wait 10 --now 2026-02-01T00:10:00Z",
    ])
  func cron(text: String) throws {
    let arguments = text.split(separator: " ").map(String.init)
    let run = try #require(RunArguments.command(in: arguments))
    let parsed = try #require(try Firetally.parseAsRoot(arguments) as? RunCommand)
    #expect(String(reflecting: run) == String(reflecting: parsed))
  }

  @Test("every word, with and without a value, is read as the parser reads it", arguments: words)
  func word(word: String) {
    for arguments in [
      ["run", word], ["run", "a", word], ["run", "a", word, "10"], ["run", "a", word, "json"],
      ["run", "a", word, "2026-02-01T00:10:00Z"], ["run", "a", word, word], ["run", "a", word, ""],
    ] { check(arguments) }
  }

  @Test("whatever it reads, the parser reads in the same way", arguments: 1...20)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let count = Int.random(in: 0...5, using: &generator)
      check(["run"] + (0..<count).map { _ in Self.words.randomElement(using: &generator) ?? "" })
    }
  }

  /// A command is the parser's; what it leaves is the parser's to read.
  private func check(_ arguments: [String]) {
    guard let run = RunArguments.command(in: arguments) else { return }
    // `CommandReaderTests` compare this reading with the whole program's.
    let parsed = Result { try RunCommand.parseAsRoot(Array(arguments.dropFirst())) as? RunCommand }
    guard case .success(let parsed?) = parsed else {
      Issue.record("the parser refuses \(arguments)")
      return
    }
    #expect(String(reflecting: run) == String(reflecting: parsed), "\(arguments)")
  }

  @Test("other commands are the parser's", arguments: ["", "users", "Run", "run-all"])
  func others(command: String) {
    #expect(RunArguments.command(in: [command, "--all"]) == nil)
    #expect(RunArguments.command(in: []) == nil)
  }
}
