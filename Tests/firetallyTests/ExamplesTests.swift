import ArgumentParser
import Emulator
import Firestore
import Foundation
import Model
import Testing

@testable import firetally

/// Runs every example of every command's help.
@Suite struct ExamplesTests {
  /// Commands whose examples are not run, and why.
  private static let notRun = [
    "emulator": "runs until it is stopped; EmulatorCommandTests starts it",
    "profile locate": "asks a service on the network; ProfileLocateTests has one of its own",
  ]

  /// What has to be done before the examples of a command.
  private static let before = [
    "limits dismiss": ["limits check refresh"],
    "limits subscribe": ["limits check refresh"],
    "limits show": ["profile create ana"],
    "rating submit": ["profile set --user-id u-1"],
    "feedback tag": ["profile set --user-id u-1", "rating submit 1 --feedback 'It never opens.'"],
    "incidents unack": ["incidents ack 12"],
    "findings unack": ["findings ack runs-jobs-that-have-not-run-yet"],
    "feedback done": ["profile set --user-id u-1", "rating submit 1 --feedback 'It never opens.'"],
    "backup list": ["backup"], "load": orders + ["export Orders --to orders.ndjson.gz"],
    "sql": orders,
    "shard run": ["shard plan everyone --shards 2 --to everyone.plan.json"],
    "shard gather": shards, "shard export": shards,
    "verify": ["backup", "backup --to /mnt/usb/firetally"],
    "restore": ["backup", "backup --to /mnt/usb/firetally"],
  ]

  private static let orders = ["run orders --from exports/2026-11-28"]

  private static let shards =
    ["shard plan everyone --shards 2 --to everyone.plan.json"]
    + (1...2).map { "shard run everyone.plan.json --to shards --shard \($0)/2" }

  /// Statuses besides 0 that a command's examples may end with.
  ///
  /// `doctor` judges the machine, which may lack a crontab or the like; the folders of `overview`
  /// are no workspaces.
  private static let statuses: [String: Set<Int32>] = ["doctor": [1], "overview": [1]]

  @Test(arguments: LeafCommand.all)
  func `the examples of every command run`(leaf: LeafCommand) async throws {
    #expect(!leaf.examples.isEmpty, "\(leaf.name) has no EXAMPLES in its help")
    guard Self.notRun[leaf.name] == nil else { return }
    let workspace = try await ExampleWorkspace()
    for line in Self.before[leaf.name] ?? [] { try await workspace.run(line) }
    for example in leaf.examples {
      // The usual command of a group is called by the group's name.
      #expect(example.hasPrefix("firetally \(leaf.path[0])"), "\(example)")
      try await workspace.run(
        String(example.dropFirst("firetally ".count)), allowing: Self.statuses[leaf.name] ?? [])
    }
  }

  /// The lines of README.md for a shell.
  private static func readmeLines() throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let blocks = text.matches(of: /```sh\n([^`]+)```/).map { String($0.output.1) }
    return blocks.joined().split(separator: "\n").map { String($0.split(separator: "  #")[0]) }
  }

  @Test func `the commands of README run, on the app that it names`() async throws {
    let lines = try Self.readmeLines().filter { $0.hasPrefix("firetally ") }
    #expect(lines.count >= 8 && lines.contains { $0.contains("init /srv/") })
    // The sample's documents bear the example's bundle id.
    let workspace = try await ExampleWorkspace()
    for line in lines {
      let words = line.replacing("com.example.chat", with: "com.peppty.ChatApp")
        .replacing("chat-prod", with: "demo")
      // `check` opens the popup, and may be at the limit; `status` and `doctor` judge the machine.
      let mayJudge = ["doctor", "status"].contains { words.contains(" \($0)") }
      try await workspace.run(
        String(words.dropFirst("firetally ".count)), allowing: mayJudge ? [1] : [])
    }
  }

  @Test func `docs/commands.md lists every command in its group`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "docs/commands.md"), encoding: .utf8)
    for group in Firetally.configuration.groupedSubcommands {
      let part = page.split(separator: "\n### ").first { $0.hasPrefix("\(group.name)\n") }
      let rows = try #require(part).split(separator: "\n## ")[0].split(separator: "\n")
        .compactMap { $0.firstMatch(of: #/^\| (.+?) \| /#)?.output.1 }
      let named = Set(
        rows.flatMap { $0.matches(of: /`([a-z]+)/).map { String($0.output.1) } })
      let shown = group.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
      #expect(named == Set(shown.compactMap(\.commandName)), "\(group.name)")
    }
  }

  @Test func `whoever is excused from running is a command`() {
    let names = Set(LeafCommand.all.map(\.name))
    let excused = [
      Self.notRun.keys.map(\.self), Self.before.keys.map(\.self), Self.statuses.keys.map(\.self),
    ]
    for name in excused.joined() {
      #expect(names.contains(name), "\(name)")
    }
  }
}

/// A workspace with users, with what the examples name.
private struct ExampleWorkspace {
  private let workspace: TemporaryWorkspace

  init() async throws {
    workspace = try await TemporaryWorkspace(users: 30)
    let root = "projects/demo/databases/(default)/documents"
    try workspace.server.documents.seed([
      Document(
        name: "\(root)/Users/u-4711",
        fields: ["User_name": .string("Annabel"), "last_time_seen": .integer(1_769_846_000)])
    ])
    try workspace.write(
      #"{"event_name":"ios_refresh_performed","event_timestamp":1769846400000000,"user_id":"u-4711"}"#
        + "\n", to: "export.ndjson")
    try workspace.write(
      #"{"event_name":"ios_refresh_performed","event_date":"20260131","#
        + #""event_timestamp":1769846400000000,"user_id":"u-4711"}"# + "\n", to: "corrected.ndjson")
    try workspace.write(
      #"{"at":1769846400,"user":"u1","feature":"refresh","verb":"use"}"# + "\n",
      to: "attempts.ndjson")
    try workspace.write(
      "kind: sync-collection\ncollection: Users\ntable: Everyone\ncolumns: {name: User_name TEXT}\n",
      to: "jobs/everyone.yml")
    try workspace.write(
      #"{"insertId":"a","timestamp":"2026-01-31T07:00:00Z","protoPayload":{"#
        + #""methodName":"google.firestore.v1.Firestore.RunQuery","#
        + #""resourceName":"projects/demo/databases/(default)"}}"# + "\n", to: "data_access.ndjson")
    try workspace.write("SELECT DISTINCT user_country FROM v_users\n", to: "countries.sql")
    try workspace.write(
      "kind: sync-collection\ncollection: Orders\ntable: Orders\ndocument: true\nhistory: true\n"
        + "columns: {state: state TEXT}\n", to: "jobs/orders.yml")
    try writeExport()
    try await run("run settings online-users")
  }

  /// The managed export of an hour before.
  private func writeExport() throws {
    let exports = workspace.folder.appending(path: "exports")
    try FileManager.default.createDirectory(at: exports, withIntermediateDirectories: true)
    let begin = TemporaryWorkspace.morning.microseconds - 3_600_000_000
    var writer = try ExportWriter(
      to: exports.appending(path: "2026-11-28").path, begin: Timestamp(microseconds: begin))
    try writer.add(
      Document(
        name: "projects/demo/databases/(default)/documents/Orders/1",
        fields: ["state": .string("paid")]))
    _ = try writer.finish(end: Timestamp(microseconds: begin + 1_000_000))
  }

  func run(_ line: String, allowing statuses: Set<Int32> = []) async throws {
    // What reads the output further is no part of the command.
    let command = line.components(separatedBy: " | ")[0]
    var words = Self.words(of: command).map(placed)
    // One kept copy of the demo's reports is made as each of the thirty is.
    if words.first == "demo" { words += ["--copies", "1"] }
    // Of two workspaces the last one counts.
    let result =
      words.contains("-C")
      ? try await workspace.program.run(words + ["--now", TemporaryWorkspace.morning.description])
      : try await workspace.run(words)
    // The sample has documents that cannot be kept, as real data does: partial is as good.
    let isFine = [0, 3].contains(result.status) || statuses.contains(result.status)
    #expect(isFine, "firetally \(line): \(result.status)\n\(result.output)\(result.errors)")
  }

  /// Files and folders of an example are the workspace's own, and its run is the first.
  private func placed(_ word: String) -> String {
    if ["123", "12"].contains(word) { return "1" }
    let endings = [".csv", ".yml", ".parquet", ".sql", ".sqlite", ".plan.json"]
    let isFile = word.contains(".ndjson") || endings.contains { word.hasSuffix($0) }
    if word.hasPrefix("/mnt/") { return workspace.folder.appending(path: "usb").path }
    if word.hasPrefix("/srv/") { return workspace.folder.appending(path: "srv").path }
    return isFile || word.hasPrefix("exports/") || ["trial", "shards", "lines"].contains(word)
      ? workspace.folder.appending(path: word).path : word
  }

  /// Splits as a shell does, as far as examples need it: white space and quotes.
  private static func words(of line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    var isWord = false
    for character in line {
      switch character {
      case quote: quote = nil
      case "\"" where quote == nil, "'" where quote == nil:
        quote = character
        isWord = true
      case " " where quote == nil:
        if isWord || !word.isEmpty { words.append(word) }
        (word, isWord) = ("", false)
      default: word.append(character)
      }
    }
    if isWord || !word.isEmpty { words.append(word) }
    return words
  }
}
