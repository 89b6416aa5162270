import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing

@Suite struct DemoTests {
  private let temporary: TemporaryFolder
  private var folder: URL { temporary.url.appending(path: "demo") }

  init() throws {
    temporary = try TemporaryFolder()
  }

  private func runDemo(_ arguments: String...) async throws -> BuiltProgram.Result {
    try await BuiltProgram().run(
      ["demo", "--into", folder.path, "--users", "80", "--copies", "2"] + arguments)
  }

  @Test(arguments: [("0", 64), ("31", 64), ("none", 64)])
  func `copies are 1 to 30`(copies: String, status: Int32) async throws {
    let result = try await BuiltProgram().run(
      ["demo", "--into", folder.path, "--users", "25", "--copies", copies])
    #expect(result.status == status)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test
  func `the demo leaves a report, rows and delivered feedback, and can be begun anew`() async throws
  {
    let first = try await runDemo()
    #expect(first.status == 0, "\(first.errors)")
    let page = folder.appendingPathComponent("output/index.html")
    #expect(first.output.contains(page.path))
    #expect(try String(contentsOf: page, encoding: .utf8).contains("ChatHub"))
    let database = folder.appendingPathComponent("data/firetally.sqlite").path
    let store = try Store.open(path: database, mode: .readOnly)
    #expect(try store.read { try $0.usersCount() } > 50)
    #expect(try store.read { try $0.eventsCount() } > 500)
    #expect(try store.read { try $0.reviews(limit: 999).count } == 138)
    let ratings = folder.appendingPathComponent("output/ratings.txt")
    #expect(try String(contentsOf: ratings, encoding: .utf8).contains("Newest reviews"))
    let outbox = try store.read { try $0.outboxCounts() }
    #expect(Set(outbox.keys) == [.delivered, .parked])
    let parked = try store.read { try $0.outboxItems(in: [.parked], kind: .moment, limit: 9) }
    #expect(parked.map { $0.nextAttemptAt == nil } == [true, false])
    try expectExactReplay()
    if SchemaJudge.isThere {
      let findings = try String(
        contentsOf: folder.appending(path: "output/findings.json"), encoding: .utf8)
      let schema = try await BuiltProgram().run(["schema", "--findings"]).output
      let faults = try SchemaJudge.faults(of: [.init("demo", findings, true)], against: schema)
      #expect(faults.isEmpty, "\(faults)")
    }
    // Nothing starts its jobs, so that none is late a day after it.
    let later = (Instant(Date()) + .seconds(86_400)).description
    for command in [["status"], ["doctor", "--offline"]] {
      let result = try await BuiltProgram().run(
        command + ["-C", folder.path, "--now", later])
      for word in ["Late", "late:", "Overdue", "overdue", "Not started", "Nothing starts"] {
        #expect(!result.output.contains(word), "\(command) \(result.output)")
      }
    }
    let run = try await BuiltProgram().run("run", "--all", "-C", folder.path)
    #expect(run.errors.contains("nobody can have at Google"), "\(run.errors)")
    #expect(!run.errors.contains("GOOGLE_APPLICATION_CREDENTIALS"))
    try await expectOtherDays(at: later)
  }

  /// What the replay of the limits in force blocks is what was blocked.
  private func expectExactReplay() throws {
    let limits = folder.appending(path: "output/limits.txt")
    let whatIf = try String(contentsOf: limits, encoding: .utf8)
    // Of 80 people's thirty searches, one that the replay judges otherwise is three points.
    for feature in ["Refresh", "Filter", "Search"] {
      let error = try #require(
        whatIf.firstMatch(
          of: Regex("\(feature) +[±+−]([0-9.]+) points", as: (Substring, Substring).self)))
      #expect(try #require(Double(error.1)) < 4, "\(feature)")
    }
  }

  /// A demo of days later, with other people on the days that both have.
  private func expectOtherDays(at later: String) async throws {
    let exports = folder.appending(path: "data/exports")
    for name in ["2001-01-01.ndjson", "mine.txt"] {
      try Data().write(to: exports.appending(path: name))
    }
    let again = try await runDemo("--now", later, "--seed", "43")
    #expect(again.status == 0, "\(again.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: exports.path)
    #expect(!names.contains("2001-01-01.ndjson") && names.contains("mine.txt"))
    for name in names where name.hasSuffix(".ndjson") {
      let path = exports.appending(path: name).path
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
      let counts = try SQLiteFile.integers(
        folder.appending(path: "data/firetally.sqlite").path,
        "SELECT count(*) FROM events WHERE source = '\(path)'")
      #expect(counts == [Int64(lines)], "\(name)")
    }
  }

  @Test
  func `-C . fills the current folder; without it there is a folder of the demo's own`()
    async throws
  {
    let result = try await BuiltProgram().start(
      ["-C", ".", "demo", "--users", "25", "--copies", "1"], in: temporary.url
    ).wait()
    #expect(result.status == 0, "\(result.errors)")
    #expect(try temporary.names().contains("firetally.yml"))
    #expect(try !temporary.names().contains("firetally-demo"))
  }

  @Test func `the demo refuses a workspace of a real project`() async throws {
    _ = try await BuiltProgram().run("init", folder.path)
    let config = folder.appendingPathComponent("firetally.yml")
    let text = try String(contentsOf: config, encoding: .utf8)
    try Data(text.replacing("project: demo", with: "project: my-app").utf8).write(to: config)
    let before = try files()
    let result = try await runDemo()
    #expect(result.status == 78)
    #expect(result.errors.contains("my-app"))
    #expect(try files() == before)
  }

  /// Every path of the workspace, without what SQLite keeps beside an open database.
  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
  }

  @Test func `the demo refuses a database that was filled without one`() async throws {
    _ = try await BuiltProgram().run("init", folder.path)
    _ = try await BuiltProgram().run("profile", "set", "--user-id", "me", "-C", folder.path)
    try FileManager.default.removeItem(at: folder.appending(path: "firetally.yml"))
    let before = try files()
    let result = try await runDemo()
    #expect(result.status == 78)
    #expect(try files() == before)
    #expect(result.errors.contains("belongs to you"))
    #expect(result.errors.contains("--into"))
  }
}
