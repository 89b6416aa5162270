import ArgumentParser
import Foundation
import Testing

@testable import firetally

/// A command of the tree, by the words that call it.
struct LeafCommand: CustomTestStringConvertible {
  let path: [String]
  let type: any ParsableCommand.Type

  var name: String { path.joined(separator: " ") }
  var testDescription: String { name }

  /// The lines below `EXAMPLES:` of its help.
  var examples: [String] { HelpText.examples(of: type) }

  /// All of them, in the order of the help; those that are not displayed are left out.
  static let all = leaves(of: Firetally.self, path: [])

  private static func leaves(
    of type: any ParsableCommand.Type, path: [String]
  ) -> [LeafCommand] {
    let children = type.configuration.subcommands
    guard !children.isEmpty else { return [LeafCommand(path: path, type: type)] }
    let usual = type.configuration.defaultSubcommand.map { ObjectIdentifier($0) }
    return children.filter {
      $0.configuration.shouldDisplay || usual == ObjectIdentifier($0)
    }.flatMap {
      leaves(of: $0, path: path + [$0.configuration.commandName ?? ""])
    }
  }
}

@Suite struct HelpTextTests {
  private func help(_ words: [String]) async throws -> String {
    let result = try await BuiltProgram().run(words + ["--help"])
    #expect(result.status == 0)
    #expect(result.output.contains((["USAGE: firetally"] + words).joined(separator: " ")))
    return result.output
  }

  @Test func `a wrong value is answered with a usage of the command's own options`() async throws {
    let result = try await BuiltProgram().run("limits", "use", "refrsh")
    #expect(result.status == 64)
    #expect(result.errors.contains("\nUsage: firetally limits use"))
    #expect(!result.errors.contains("--workspace") && !result.errors.contains("--no-color"))
  }

  @Test(arguments: LeafCommand.all)
  func `help has the command's own options, one line of the common ones, and examples last`(
    leaf: LeafCommand
  ) async throws {
    let text = try await help(leaf.path)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.count { $0 == HelpText.commonLine } == 1, "\(text)")
    #expect(HelpText.commonLine.count <= 80)
    for name in ["-C, --workspace", "--no-color", "-h, --help", "--version", "[--workspace"] {
      #expect(!text.contains(name), "\(name)")
    }
    let examples = try #require(lines.firstIndex(of: HelpText.examplesHead), "\(text)")
    #expect(lines[(examples + 1)...].map { String($0.drop { $0 == " " }) } == leaf.examples)
    #expect(lines[(examples + 1)...].allSatisfy { $0.count < 80 })
    let common = try #require(lines.firstIndex(of: HelpText.commonLine))
    #expect(common < examples)
    if let own = lines.firstIndex(of: "OPTIONS:") { #expect(own < common) }
  }

  /// The answer to a wrong value has this line.
  @Test(arguments: LeafCommand.all)
  func `an option that takes a date or an instant shows how one is written`(
    leaf: LeafCommand
  ) async throws {
    let options = try await help(leaf.path).components(separatedBy: "\n  --")
    for option in options.dropFirst() where option.contains(/^\S+ <(date|instant)>/) {
      #expect(option.contains("2026-") || option.contains("unix seconds"), "\(option)")
    }
  }

  @Test func `the own options of a command are all there`() async throws {
    let text = try await help(["run"])
    for name in ["--all", "--due", "--with-needs", "--force", "--full", "--dry-run"] {
      #expect(text.contains("\n  \(name) "), "\(name)")
    }
    #expect(text.contains("Default: 10s on a terminal, else up to 10m."))
    #expect(text.contains("USAGE: firetally run [<options>] [<jobs> ...]"))
    #expect(try await help(["tier", "set"]).contains("USAGE: firetally tier set <tier>\n"))
    // The last line of an option may be that of a common one, too.
    #expect(try await help(["events", "list"]).contains("for example\n        "))
  }

  @Test func `help common explains every common option`() async throws {
    let text = try await BuiltProgram().run(["help", "common"]).output
    for name in [
      "-C", "--workspace", "--project", "--cacert", "--profile", "--now", "-q", "--quiet", "-v",
      "--verbose", "--log-format", "--json", "--no-color",
    ] {
      #expect(text.contains(name), "\(name)")
    }
    #expect(try await BuiltProgram().run(["common"]).output == text)
  }

  /// The commands that only lead to others; `backup` makes one itself.
  private static let groups = Firetally.configuration.subcommands.filter {
    !$0.configuration.subcommands.isEmpty
  }.map { $0.configuration.commandName ?? "" }

  @Test(arguments: groups)
  func `help of a group lists its commands, and ends with an example of each`(
    group: String
  ) async throws {
    let text = try await help([group])
    let lines = text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    let examples = try #require(lines.firstIndex(of: HelpText.examplesHead), "\(text)")
    #expect(try #require(lines.firstIndex(of: "SUBCOMMANDS:")) < examples)
    let shown = LeafCommand.all.filter { $0.path[0] == group }.compactMap(\.examples.first)
    #expect(Set(shown).isSubset(of: lines[(examples + 1)...]) || group == "backup", "\(text)")
    #expect(lines[(examples + 1)...].allSatisfy { $0.hasPrefix("firetally \(group)") })
  }

  @Test func `help of the program leaves out what explains the common options`() async throws {
    #expect(try await help([]).contains("SUBCOMMANDS:"))
    #expect(try await !help([]).contains("  common"))
  }

  @Test func `the program's help groups all commands, and has the common options in one line`()
    async throws
  {
    let text = try await help([])
    let heads = text.split(separator: "\n").filter { $0.hasSuffix(" SUBCOMMANDS:") }
    #expect(
      heads == [
        "SYNC SUBCOMMANDS:", "APP RULES SUBCOMMANDS:", "DATA SUBCOMMANDS:", "REPORTS SUBCOMMANDS:",
        "OPERATIONS SUBCOMMANDS:",
      ])
    let shown = Firetally.configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
    #expect(shown.count == 42)
    for name in shown.compactMap(\.commandName) {
      #expect(text.contains("\n  \(name) "), "\(name)")
    }
    #expect(text.contains("USAGE: firetally [--version] <subcommand>\n"))
    #expect(text.contains("\n  --version ") && text.contains("\n  -h, --help "))
    #expect(text.contains(HelpText.commonLine) && !text.contains("--workspace"))
    #expect(text.contains("See 'firetally help <subcommand>' for detailed help."))
  }
}
