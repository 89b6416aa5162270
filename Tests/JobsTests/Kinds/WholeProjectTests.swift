import Firestore
import Fixtures
import Foundation
import JobsTesting
import Model
import Rules
import Store
import StoreTesting
import Sync
import SyncTesting
import Testing

@testable import Jobs

/// A whole project in Google's emulator: inspected, copied by the drafted jobs while each page is
/// lost once, and exported.
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
      let documents = try await fill(client, project)
      let drafts = try await draft(client)
      #expect(drafts.count == 12)
      let database = DyingDatabase(client)
      try set("page_size: 3", in: drafts)
      try await runAll(database, documents)
      let deaths = database.deaths
      #expect(deaths > drafts.count)
      for options in try jobs() { try await compareColumns(options, documents) }
      // A changed declaration: what was copied without whole documents gets them.
      try set("document: true", in: drafts)
      try await runAll(database, documents)
      #expect(database.deaths > deaths)
      for options in try jobs() {
        try await compareColumns(options, documents)
        try await compareDocuments(options, client)
      }
    }
  }

  private func fill(
    _ client: FirestoreClient, _ project: String
  ) async throws -> [String: [String: Value]] {
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
    var held: [String: [String: Value]] = [:]
    for start in stride(from: 0, to: paths.count, by: 50) {
      let batch = Array(paths[start..<min(start + 50, paths.count)])
      held.merge(try await client.documents(at: batch).mapValues(\.fields)) { _, last in last }
    }
    #expect(held.count == documents.count)
    return held
  }

  /// Drafts a job for each collection, as `inspect --write` does; the paths of the files.
  private func draft(_ client: FirestoreClient) async throws -> [String] {
    let context = try workspace.context(
      at: ManualClock(start: .morning), services: ScriptedServices(client).services())
    let request = try InspectionRequest(depth: 4)
    let findings = try await OneOffReads.perform(for: "inspect", maxReads: 100_000, context) {
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

  private func jobs() throws -> [SyncCollectionOptions] {
    try workspace.folder.jobs().jobs.compactMap { $0.definition as? SyncCollectionOptions }
  }

  /// Runs all jobs until all have ended well; after each run no document is half there.
  private func runAll(
    _ database: DyingDatabase, _ documents: [String: [String: Value]]
  ) async throws {
    let services = ScriptedServices(database).services()
    for _ in 0..<(Self.size + 10) {
      let reports = try await workspace.run(.all, services: services)
      for options in try jobs() { try compareElements(options, documents) }
      if reports.allSatisfy(\.succeeded) { return }
    }
    Issue.record("the jobs never ended")
  }
}

extension WholeProjectTests {
  /// Each row of a query as one text of JSON.
  private func rows(_ sql: String) throws -> [String] {
    try workspace.store.read { reader in
      var rows: [String] = []
      try reader.exportQuery(sql).forEachRow { cells in
        if case .text(let bytes)? = cells.first {
          rows.append(String(decoding: bytes, as: UTF8.self))
        }
      }
      return rows
    }
  }

  private func isThere(_ table: String) throws -> Bool {
    try workspace.store.read { try $0.storedTable(named: table) != nil }
  }

  /// Every stored document has as many child rows as its array or map has elements.
  private func compareElements(
    _ options: SyncCollectionOptions, _ documents: [String: [String: Value]]
  ) throws {
    for field in options.exploded where try isThere(field.tableName) {
      let counts = try rows(
        """
        SELECT document_path || char(9) || (SELECT count(*) FROM "\(field.tableName)" AS child
        WHERE child.document_path = parent.document_path) FROM "\(options.table)" AS parent
        """)
      for line in counts {
        let parts = line.split(separator: "\t")
        let value = documents[String(parts[0])].flatMap { Self.value($0, field.path) }
        #expect(Int(parts[1]) == Self.elementCount(value), "\(options.table) \(line)")
      }
    }
  }

  private static func elementCount(_ value: Value?) -> Int {
    switch value {
    case .array(let elements)?: elements.count
    case .map(let entries)?: entries.count
    default: 0
    }
  }

  private static func value(_ fields: [String: Value], _ path: ValuePath) -> Value? {
    var value = Value.map(fields)
    for key in path.selection?.segments ?? [] {
      guard case .map(let entries) = value, let next = entries[key] else { return nil }
      value = next
    }
    return value
  }

  /// Every column of a single value holds what the document holds.
  private func compareColumns(
    _ options: SyncCollectionOptions, _ documents: [String: [String: Value]]
  ) async throws {
    let paths = try rows("SELECT document_path FROM \"\(options.table)\" ORDER BY 1")
    #expect(paths == documents.keys.filter { Self.holds($0, options) }.sorted(), "\(options.table)")
    for column in options.columns {
      guard let path = column.path, column.kind != .plainJSON, column.form != .latitude,
        column.form != .longitude
      else { continue }
      let cells = try rows(
        """
        SELECT json_array(document_path, iif(typeof("\(column.name)") = 'blob',
        hex("\(column.name)"), "\(column.name)")) FROM "\(options.table)"
        """)
      for cell in cells {
        guard case .array(let parts) = try JSON(parsing: Array(cell.utf8)),
          case .string(let row) = parts[0]
        else { continue }
        let value = documents[row].flatMap { Self.value($0, path) }
        if column.kind == .json, case .string(let text) = parts[1] {
          let stored = try Value(json: JSON(parsing: Array(text.utf8)))
          #expect(stored == value, "\(options.table) \(row) \(column.name)")
          continue
        }
        #expect(parts[1] == Self.cell(value, column), "\(options.table) \(row) \(column.name)")
      }
    }
  }

  private static func holds(_ path: String, _ options: SyncCollectionOptions) -> Bool {
    let parts = path.split(separator: "/")
    return parts.dropLast().last.map(String.init) == options.source.collectionId
  }

  /// What a column should hold, told without the mapping.
  private static func cell(_ value: Value?, _ column: MappedColumn) -> JSON {
    switch value {
    case .string(let text)?: .string(text)
    case .reference(let name)?:
      .string(name.split(separator: "/").dropFirst(5).joined(separator: "/"))
    case .timestamp(let time)?:
      column.kind == .text ? .string(time.rfc3339) : .number("\(time.microseconds)")
    case .boolean(let flag)?: .number(flag ? "1" : "0")
    case .integer(let number)?:
      .number("\(number)\(column.kind == .real ? ".0" : "")")
    case .double(let number)?: .number("\(number)")
    case .bytes(let bytes)?:
      .string(
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
          .uppercased())
    default: .null
    }
  }

  /// The exported documents are those of the server, field by field.
  private func compareDocuments(
    _ options: SyncCollectionOptions, _ client: FirestoreClient
  ) async throws {
    let exported = try rows("SELECT document FROM \"\(options.table)\"").map {
      try Document(json: JSON(parsing: Array($0.utf8)))
    }
    let paths = try exported.map {
      try ResourceName(parsing: $0.name).segments.joined(separator: "/")
    }
    for start in stride(from: 0, to: paths.count, by: 50) {
      let range = start..<min(start + 50, paths.count)
      let held = try await client.documents(at: Array(paths[range]))
      for index in range { #expect(held[paths[index]] == exported[index], "\(paths[index])") }
    }
  }
}
