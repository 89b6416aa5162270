import Firestore
import Fixtures
import Foundation
import JobsTesting
import Model
import Store
import SyncTesting
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

/// Erasing one person from a whole workspace, and keeping the person out.
struct PersonErasureTests {
  private static let id = "Erika4711"
  private static let jobs = [
    "users": "kind: sync-users\n",
    "orders": "kind: sync-collection\ncollection: Orders\ncolumns: {buyer: buyer TEXT}\n",
    "feedback": "kind: sync-feedback\n",
    "events": "kind: import-events\nfiles: [exports/*.ndjson]\n",
    "report": "kind: report\nneeds: [users, events]\n",
    "maintain": "kind: maintain\n",
  ]

  private struct Died: Error {}

  /// A workspace that has the person everywhere, with all jobs run.
  private func filled() async throws -> TestWorkspace {
    let workspace = try TestWorkspace(jobs: Self.jobs)
    let second = Instant.morning.unixSeconds
    workspace.firestore.put([
      "Users/\(Self.id)": ["User_name": .string("Erika"), "last_time_seen": .integer(second)],
      "Users/other": ["User_name": .string("Otto"), "last_time_seen": .integer(second - 1)],
      "Orders/a": ["buyer": .string(Self.id)], "Orders/b": ["buyer": .string("other")],
      "Feedback/com.example.app/Rating_Feedback/\(second)": [
        "userId": .string(Self.id), "feedback": .string("slow"), "timestamp": .integer(second),
        "rating": .integer(2),
      ],
    ])
    try workspace.write(Self.export, to: "exports/a.ndjson")
    try await workspace.run(.all)
    return workspace
  }

  private static let export =
    ["Erika4711", "other"].map { user in
      """
      {"event_name":"ios_refresh_performed","event_timestamp":1769846400000000,"user_id":"\(user)"}

      """
    }.joined() + "no event of \(id)\nno event of other\n"

  private func erasure(
    _ workspace: TestWorkspace, id: String = id,
    done: @escaping @Sendable (PersonErasure.Step) throws -> Void = { _ in }
  ) throws -> PersonErasure {
    PersonErasure(
      workspace.folder, try workspace.folder.jobs(), workspace.store, id: id, done: done)
  }

  @Test func `somebody who is nowhere is not found`() async throws {
    let workspace = try TestWorkspace(jobs: Self.jobs)
    let findings = try erasure(workspace).find()
    #expect(findings == PersonFindings())
    #expect(findings.isEmpty)
  }

  @Test(arguments: ["Orders", "Users", "User_name", "Erika", "a1", "no", "event", "%", " "])
  func `what is nobody's id is not found, wherever it stands as a word`(id: String) async throws {
    let workspace = try await filled()
    #expect(try erasure(workspace, id: id).find() == PersonFindings())
  }

  @Test func `everything is found, and looking changes nothing`() async throws {
    let workspace = try await filled()
    let findings = try erasure(workspace).find()
    #expect(
      findings.rows.places == [
        .init("users", 1), .init("table Orders", 1), .init("events", 1), .init("feedback", 1),
      ])
    #expect(findings.rejectedLines.values.map(\.self) == [1])
    #expect(!findings.pages.isEmpty && findings.copies.count == 1)
    #expect(Array(findings.backups.values) == [.holds])
    #expect(findings.erasedAt == nil)
    #expect(try erasure(workspace).find() == findings)
    #expect(try erasure(workspace, id: "Unbekannt9").find() == PersonFindings())
  }

  @Test func `what is about others stays`() async throws {
    let workspace = try await filled()
    let other = try erasure(workspace, id: "other")
    let before = try other.find().rows
    #expect(try erasure(workspace).perform(at: .morning))
    #expect(try other.find().rows == before)
    let rejects = try FileContents.bytes(
      of: workspace.folder.path("data/rejects/events.txt"), limit: 1_000)
    #expect(String(decoding: rejects, as: UTF8.self).contains("no event of other"))
  }

  @Test func `nothing but backups holds the person afterwards`() async throws {
    let workspace = try await filled()
    #expect(try erasure(workspace).perform(at: .morning))
    let left = try erasure(workspace).find()
    #expect(left.isEmpty && left.erasedAt == .morning)
    #expect(Array(left.backups.values) == [.holds])
    let folder = workspace.folder.root
    let files = try #require(FileManager.default.enumerator(atPath: folder))
    for case let name as String in files {
      guard !name.hasPrefix("exports"), !name.hasPrefix("data/backups") else { continue }
      let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
      #expect(data.range(of: Data(Self.id.utf8)) == nil, "\(name)")
    }
  }

  @Test func `a database that a restore has replaced is looked into, too`() async throws {
    let workspace = try await filled()
    let kept = workspace.folder.databasePath + ".before-restore-2026-01-31T080000Z"
    try workspace.store.backUp(to: kept)
    let backups = try erasure(workspace).find().backups
    #expect(backups[kept] == .holds && backups.count == 2)
  }

  @Test func `exports that hold the id as a word are named, also after the erasure`() async throws {
    let workspace = try await filled()
    try workspace.write("{\"user_id\":\"Erika47110\"}\n", to: "exports/other.ndjson")
    let erasure = try erasure(workspace)
    #expect(try erasure.perform(at: .morning))
    let held = erasure.exports()
    #expect(held.map { $0.key.hasSuffix("/exports/a.ndjson") && $0.value == .holds } == [true])
  }

  @Test func `a backup that cannot be looked into may hold the person`() async throws {
    let workspace = try TestWorkspace(jobs: Self.jobs)
    let event = Event(name: "e", at: .morning, userId: Self.id)
    _ = try workspace.store.write { try $0.append([event], source: "test") }
    try workspace.write("packed", to: "data/backups/firetally-2026-01-30T080000Z.sqlite.gz")
    #expect(try erasure(workspace).find().backups.values.map(\.self) == [.unknown])
  }

  @Test(arguments: PersonErasure.Step.allCases)
  func `who dies after a step and runs again ends as if it had been done once`(
    step: PersonErasure.Step
  ) async throws {
    let workspace = try await filled()
    #expect(throws: Died.self) {
      try erasure(workspace) { if $0 == step { throw Died() } }.perform(at: .morning)
    }
    let between = try erasure(workspace).find()
    #expect(between.rows.total == 0 && between.erasedAt == .morning)
    #expect(try erasure(workspace).perform(at: .morning + .seconds(60)))
    let left = try erasure(workspace).find()
    #expect(left.isEmpty && left.erasedAt == .morning)
  }

  @Test func `where the list cannot be encrypted, all else is gone all the same`() async throws {
    let workspace = try await filled()
    try workspace.write(
      "app: {name: Chat, bundle_id: com.example.app}\nbackup: {encrypt: exit 3}\n",
      to: "firetally.yml")
    #expect(throws: WorkspaceError.self) { try erasure(workspace).perform(at: .morning) }
    let left = try erasure(workspace).find()
    #expect(left.isEmpty && left.erasedAt == .morning)
    #expect(try workspace.store.read { try $0.isErasureUnfinished() })
  }

  @Test func `later loads leave the person out, and count that`() async throws {
    let workspace = try await filled()
    #expect(try erasure(workspace).perform(at: .morning))
    try workspace.write(Self.export + "\n", to: "exports/a.ndjson")
    let reports = try await workspace.run(
      .all, at: .morning + .seconds(3_600), options: RunOptions(isForced: true, isFull: true))
    for name in ["users", "orders", "feedback", "events"] {
      let run = try #require(reports.first { $0.run.job == name }).run
      #expect(run.counts.skipped["erased"] == 1, "\(name) \(run.counts)")
    }
    let left = try erasure(workspace).find()
    #expect(left.isEmpty)
    #expect(try erasure(workspace, id: "other").find().rows.total == 3)
  }

  @Test func `mirrored feedback is not read again because somebody was erased`() async throws {
    let workspace = try await filled()
    #expect(try erasure(workspace).perform(at: .morning))
    let report = try #require(
      try await workspace.run(.named(["feedback"]), at: .morning + .seconds(3_600)).first)
    #expect(report.run.counts.skipped["erased", default: 0] <= 1)
    #expect(!report.run.warnings.contains { $0.contains("late") }, "\(report.run.warnings)")
  }

  @Test func `lines of logs that name the person go, also as JSON writes the id`() async throws {
    let workspace = try await filled()
    let id = #"o"neil/\1"#
    let event = Event(name: "e", at: .morning, userId: id)
    _ = try workspace.store.write { try $0.append([event], source: "test") }
    try workspace.write(
      #"warning: o"neil/\1 is odd"# + "\n" + #"{"message":"o\"neil\/\\1 is odd"}"# + "\nfine\n",
      to: "data/cron.log")
    let neil = try erasure(workspace, id: id)
    #expect(try neil.find().logLines == [workspace.folder.path("data/cron.log"): 2])
    #expect(try neil.perform(at: .morning))
    let left = try FileContents.bytes(of: workspace.folder.path("data/cron.log"), limit: 1_000)
    #expect(String(decoding: left, as: UTF8.self) == "fine\n")
    #expect(try neil.find().isEmpty)
  }

  @Test func `reports go whatever they hold, and new ones are not looked for again`() async throws {
    let workspace = try await filled()
    try workspace.write("Erika Female 21 Erik…", to: "output/users.txt")
    try workspace.write("Erika,\"Eri\"\"ka\"", to: "output/history/2026-01-31/users.csv")
    try workspace.write("mine", to: "output/notes.txt")
    let found = try erasure(workspace).find()
    #expect(found.pages.contains { $0.hasSuffix("/output/users.txt") } && found.copies.count == 1)
    #expect(try erasure(workspace).perform(at: .morning))
    let names = try FileContents.names(in: workspace.folder.outputFolder)
    #expect(names.filter { !["history", "tables"].contains($0) } == ["notes.txt"])
    for folder in ["history", "tables"] {
      #expect(try FileContents.names(in: workspace.folder.path("output/\(folder)")).isEmpty)
    }
    try await workspace.run(.named(["report"]), at: .morning + .seconds(3_600))
    #expect(try erasure(workspace).find().isEmpty)
  }

  @Test func `a job that names its own lists and folders is followed there`() async throws {
    let workspace = try TestWorkspace(jobs: [
      "events": "kind: import-events\nfiles: [exports/*.ndjson]\nrejects: bad.txt\n",
      "report": "kind: report\nneeds: [events]\noutput: pages\n",
    ])
    try workspace.write(Self.export, to: "exports/a.ndjson")
    try await workspace.run(.all)
    let findings = try erasure(workspace).find()
    #expect(findings.rejectedLines.keys.map { $0.hasSuffix("/bad.txt") } == [true])
    #expect(findings.pages.contains { $0.contains("/pages/") })
    #expect(try erasure(workspace).perform(at: .morning))
    #expect(try erasure(workspace).find().isEmpty)
  }
}

/// The kind `maintain` and what it keeps.
struct RetentionRunTests {
  private func removed(_ retention: String) async throws -> JobReport {
    let workspace = try TestWorkspace(jobs: ["maintain": "kind: maintain\n\(retention)"])
    try workspace.store.write { writer in
      for days in [399, 400, 401] {
        let event = Event(name: "e", at: .morning - .seconds(days * 86_400), userId: "u")
        try writer.append([event], source: "test")
      }
    }
    return try #require(try await workspace.run(.all).first)
  }

  @Test func `without the key nothing goes by age`() async throws {
    let report = try await removed("")
    #expect(report.run.counts.deleted == 0)
    #expect(report.summary.hasPrefix("0 corrupted users removed, database sound, backup "))
  }

  @Test func `what is older goes, and the run says how much`() async throws {
    let report = try await removed("retention: {events: 400d, runs: 90d}\n")
    #expect(report.run.counts.deleted == 1)
    #expect(report.summary.contains("1 events, 0 feedback, 0 runs removed by age"))
  }

  @Test(arguments: [
    ("events: 2d", true), ("events: 1d", false), ("events: 47h", false), ("runs: 3650d", true),
    ("runs: 3651d", false), ("feedback: 0d", false), ("feedback: 400", false),
    ("feedback: forever", false), ("event: 400d", false),
  ])
  func `ages have bounds and the form of all times`(text: String, isValid: Bool) throws {
    let source = SourceFile(
      path: "jobs/maintain.yml", text: "kind: maintain\nretention: {\(text)}\n")
    let read = { _ = try JobFiles.jobs(in: [source]) }
    if isValid { try read() } else { #expect(throws: (any Error).self) { try read() } }
  }

  @Test func `a plan says what would go`() throws {
    let options = RetentionOptions(events: .seconds(400 * 86_400), runs: .seconds(90 * 86_400))
    #expect(options.intention == "remove events older than 400d, runs older than 90d")
    #expect(RetentionOptions().intention == nil)
  }
}
