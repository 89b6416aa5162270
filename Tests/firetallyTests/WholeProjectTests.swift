import Firestore
import Fixtures
import Foundation
import Jobs
import JobsTesting
import Model
import Operations
import Sync
import SyncTesting
import Testing
@testable import CollectionMapping
@testable import Workspace

/// A whole project in Google's emulator: inspected, copied by the drafted jobs while each page is
/// lost once, and exported by the command.
///
/// `FIRETALLY_PROJECT_DOCUMENTS=500 swift test --filter WholeProjectTests` is the full form.
@Suite(.enabled(if: GoogleEmulator.isInstalled, Comment(rawValue: GoogleEmulator.absence)))
struct WholeProjectTests {
  private static let size =
    ProcessInfo.processInfo.environment["FIRETALLY_PROJECT_DOCUMENTS"].flatMap { Int($0) } ?? 7

  private let workspace: TestWorkspace

  init() throws {
    workspace = try TestWorkspace(jobs: [:])
  }

  @Test func `what was drafted, copied and exported is what the server holds`() async throws {
    let project = "whole\(UInt32.random(in: 0...(.max)))"
    try await Backend.google.run(project) { client in
      let held = HeldProject(try await fill(client, project))
      let drafts = try await draft(client)
      #expect(drafts.count == 12)
      let database = DyingDatabase(client)
      try set("page_size: 3", in: drafts)
      try set("document: false", in: drafts)
      try await runAll(database, held)
      let deaths = database.deaths
      #expect(deaths > drafts.count)
      for options in try jobs().values { try await compare(options, held) }
      // A changed declaration: what was copied without whole documents gets them.
      try set("document: true", in: drafts)
      try await runAll(database, held)
      #expect(database.deaths > deaths)
      for options in try jobs().values { try await compare(options, held) }
    }
  }

  /// Fills the server, and returns what it holds then, by path.
  private func fill(
    _ client: FirestoreClient, _ project: String
  ) async throws -> [String: Document] {
    let documents = SampleProject.documents(Self.size).mapValues { fields in
      fields.mapValues { value in
        guard case .reference(let name) = value else { return value }
        return .reference(name.replacing("PROJECT", with: project))
      }
    }
    let paths = documents.keys.sorted()
    for start in stride(from: 0, to: paths.count, by: 100) {
      let batch = paths[start..<min(start + 100, paths.count)]
      try await client.put(documents.filter { batch.contains($0.key) })
    }
    // What the server holds decides: Google's emulator has no negative zero.
    var held: [String: Document] = [:]
    for start in stride(from: 0, to: paths.count, by: 50) {
      let batch = Array(paths[start..<min(start + 50, paths.count)])
      held.merge(try await client.documents(at: batch)) { _, last in last }
    }
    #expect(held.count == documents.count)
    return held
  }

  /// Drafts a job for each collection, as `inspect --write` does; the paths of the files.
  private func draft(_ client: FirestoreClient) async throws -> [String] {
    let context = try workspace.context(
      at: ManualClock(start: .morning), services: ScriptedServices(client).services())
    let request = try InspectionRequest(depth: 4)
    let findings = try await AdHocReads.perform(for: "inspect", maxReads: 100_000, context) {
      (try await Inspection(request, $0).run(), "Inspected.")
    }
    #expect(findings.stop == nil)
    let catalog = try workspace.folder.jobs()
    var taken = TakenNames(catalog)
    return try findings.collections.filter { $0.profile.documentCount > 0 }.map { collection in
      let draft = JobDraft(
        collection, besides: &taken, price: context.config.cost.price, day: "2026-01-31")
      let written = try draft.write(
        to: workspace.folder, catalog, of: collection, overwrites: false)
      #expect(written.outcome == .written)
      return written.path
    }
  }

  /// Sets a key in each job file.
  private func set(_ line: String, in files: [String]) throws {
    let key = line.prefix { $0 != ":" } + ":"
    for file in files {
      let path = URL(filePath: workspace.folder.path(file))
      let lines = try String(contentsOf: path, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      let text = (lines.filter { !$0.hasPrefix(key) } + [Substring(line), ""])
        .joined(separator: "\n")
      try workspace.write(text, to: file)
    }
  }

  /// The options of the drafted jobs, by the jobs' names.
  private func jobs() throws -> [String: SyncCollectionOptions] {
    let jobs = try workspace.folder.jobs().jobs.compactMap { job in
      (job.definition as? SyncCollectionOptions).map { (job.name, $0) }
    }
    return Dictionary(jobs) { first, _ in first }
  }

  /// Runs each job until it has ended well; after each run no document is half there.
  private func runAll(_ database: DyingDatabase, _ held: HeldProject) async throws {
    let services = ScriptedServices(database).services()
    var left = try jobs()
    for _ in 0..<(Self.size + 10) where !left.isEmpty {
      let reports = try await workspace.run(.named(left.keys.sorted()), services: services)
      for options in left.values { try await compareElements(options, held) }
      for report in reports where report.succeeded { left[report.run.job] = nil }
    }
    #expect(left.isEmpty, "jobs that never ended: \(left.keys.sorted())")
  }

  /// What `firetally export` writes of a table, object by object; nil where there is no table.
  private func exported(_ table: String) async throws -> [ExportedRow]? {
    let path = workspace.folder.path("output/\(table).ndjson")
    let result = try await BuiltProgram().run(
      "export", table, "--to", path, "-C", workspace.folder.root)
    guard result.status == 0 else {
      #expect(result.errors.contains("There is no table"), "\(result.errors)")
      return nil
    }
    return try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n")).map {
      ExportedRow(try JSON(parsing: Array($0)))
    }
  }

  /// Every stored document has as many child rows as its array or map has elements.
  private func compareElements(_ options: SyncCollectionOptions, _ held: HeldProject) async throws {
    guard !options.exploded.isEmpty, let parents = try await exported(options.table) else { return }
    for field in options.exploded {
      guard let children = try await exported(field.tableName) else { continue }
      let counts = Dictionary(children.map { ($0.path, 1) }, uniquingKeysWith: +)
      #expect(Set(counts.keys).isSubset(of: parents.map(\.path)), "\(field.tableName)")
      for row in parents {
        let expected = held.elements(of: row.path, field).count
        #expect(counts[row.path, default: 0] == expected, "\(field.tableName) \(row.path)")
      }
    }
  }

  /// Rows, child rows and whole documents hold what the server holds, field by field.
  private func compare(_ options: SyncCollectionOptions, _ held: HeldProject) async throws {
    let rows = try #require(try await exported(options.table))
    #expect(rows.map(\.path).sorted() == held.paths(of: options.source.collectionId))
    for row in rows {
      let document = try #require(held.documents[row.path])
      for difference in try row.differences(from: document, options) {
        Issue.record("\(options.table) \(row.path): \(difference)")
      }
    }
    for field in options.exploded {
      let children = try #require(try await exported(field.tableName))
      let expected = rows.flatMap { row in held.elements(of: row.path, field) }
      #expect(children.count == expected.count, "\(field.tableName)")
      for element in expected {
        let row = children.first { $0.path == element.path && $0[element.column] == element.key }
        let differences = try row?.differences(from: element.value, field.columns) ?? ["no row"]
        #expect(differences == [], "\(field.tableName) \(element.path) \(element.key)")
      }
    }
  }
}
