import Foundation
import Model
import StoreTesting
import Testing

@testable import Store

struct DatabaseInspectionTests {
  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// A copy of the store, changed by a statement.
  private func copy(changed sql: String = "") throws -> String {
    let path = folder.path + ".copy"
    try store.backUp(to: path)
    if !sql.isEmpty { try SQLiteFile.execute(path, "PRAGMA foreign_keys = OFF; \(sql)") }
    return path
  }

  @Test func `a sound file has its schema, project and rows, and is left as it is`() throws {
    try store.merge((1...50).map { .numbered($0) })
    try store.write { try $0.setMark("demo", named: DatabaseInspection.projectName) }
    let path = try copy()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let inspection = try DatabaseInspection(ofFile: path)
    #expect(inspection.problems.isEmpty)
    #expect(inspection.schema == Schema.version)
    #expect(inspection.project == "demo")
    #expect(inspection.counts["OnlineUsers"] == 50)
    #expect(inspection.counts["events"] == 0)
    #expect(!inspection.counts.keys.contains { $0.hasPrefix("sqlite_") })
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `a row that refers to none is a problem`() throws {
    let path = try copy(
      changed: """
        INSERT INTO ratings (profile, user_id, gender, country, app_version, stars, at, tries,
          outbox_id) VALUES ('p', 'u', '', '', '', 2, 0, 0, 99)
        """)
    #expect(
      try DatabaseInspection(ofFile: path).problems
        == ["a row of ratings refers to a row of outbox that is missing"])
  }

  @Test func `damage inside a page is a problem, and nothing is counted`() throws {
    try store.merge((1...50).map { .numbered($0) })
    let path = try copy()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let size = try file.seekToEnd()
    try file.seek(toOffset: size - 3 * 16_384)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 16_384))
    try file.close()
    let inspection = try DatabaseInspection(ofFile: path)
    #expect(!inspection.problems.isEmpty)
    #expect(inspection.counts.isEmpty)
  }

  @Test func `a file that is no database of Firetally is an error`() throws {
    let path = folder.path + ".other"
    try Data("no database at all, but long enough to have a header".utf8)
      .write(to: URL(fileURLWithPath: path))
    #expect(throws: StoreError.self) { try DatabaseInspection(ofFile: path) }
    try FileManager.default.removeItem(atPath: path)
    try SQLiteFile.execute(path, "CREATE TABLE a (b)")
    #expect(throws: StoreError.foreignDatabase(path: path)) {
      try DatabaseInspection(ofFile: path)
    }
    try SQLiteFile.execute(path + "2", "VACUUM")
    #expect(throws: StoreError.foreignDatabase(path: path + "2")) {
      try DatabaseInspection(ofFile: path + "2")
    }
  }

  @Test func `the schema stands in the first hundred bytes`() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try copy())))
    #expect(DatabaseInspection.schema(inHeader: Array(bytes[..<100])) == Schema.version)
    #expect(DatabaseInspection.schema(inHeader: Array(bytes[..<99])) == nil)
    #expect(DatabaseInspection.schema(inHeader: []) == nil)
    var foreign = Array(bytes[..<100])
    foreign[68] = 0
    #expect(DatabaseInspection.schema(inHeader: foreign) == nil)
  }
}

/// What a restore does to the databases.
struct RestoredDatabaseTests {
  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  @Test func `whatever is not delivered may have arrived, wherever it was sent`() throws {
    let ids = try store.write { writer in
      try (0..<5).map { _ in
        try writer.enqueue(.feedback, profile: "p", payload: "{}", at: .init(unixSeconds: 1))
      }
    }
    let sent = Instant(unixSeconds: 50)
    try store.write { writer in
      for id in ids.dropFirst() { try writer.markSending(id: id, at: sent) }
      for id in ids.dropFirst() { try writer.setTarget("a/b", ofItem: id) }
      try writer.park(id: ids[2], until: nil, reason: "later", isAbsent: true)
      try writer.reject(id: ids[3], reason: "bad")
      try writer.markDelivered(id: ids[4], remoteName: "a/b", at: sent)
    }
    let path = folder.path + ".copy"
    try store.backUp(to: path)
    #expect(try RestoredDatabase.prepare(path, at: Instant(unixSeconds: 99)).markedItems == 4)
    #expect(
      !FileManager.default.fileExists(atPath: path + "-wal")
        && !FileManager.default.fileExists(atPath: path + "-shm"))
    #expect(
      try SQLiteFile.integers(path, "SELECT sending_since FROM outbox ORDER BY id")
        == [99, 50, 99, 50, 50].map { $0 * 1_000_000 })
    #expect(
      try SQLiteFile.text(path, "SELECT coalesce(target, '-') FROM outbox ORDER BY id")
        == ["-", "-", "-", "-", "a/b"])
    #expect(
      try SQLiteFile.text(path, "SELECT state FROM outbox ORDER BY id")
        == ["queued", "sending", "parked", "rejected", "delivered"])
  }

  @Test func `a sealed database has no log, and nobody reads it meanwhile`() throws {
    try store.merge((1...50).map { .numbered($0) })
    let path = folder.path
    try store.close()
    var wasRun = false
    try RestoredDatabase.withSealed(path) {
      wasRun = true
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
      #expect(throws: (any Error).self) { try SQLiteFile.integers(path, "PRAGMA user_version") }
    }
    #expect(wasRun)
    #expect(try folder.open().read { try $0.usersCount() } == 50)
  }

  @Test func `a database that is open elsewhere is busy, at once`() throws {
    _ = try store.read { try $0.usersCount() }
    #expect(throws: StoreError.busy(path: folder.path)) {
      try RestoredDatabase.withSealed(folder.path) { Issue.record("it is not alone") }
    }
    try store.merge([.numbered(1)])
  }

  @Test func `who opened the database before it was renamed cannot write to it`() throws {
    let path = folder.path
    try store.close()
    let other = path + ".new"
    try Store.open(path: other).close()
    try SQLiteFile.execute(other, "PRAGMA journal_mode = DELETE")
    try RestoredDatabase.withSealed(path) {}
    let late = try SQLiteHandle(path)
    try RestoredDatabase.withSealed(path) { #expect(rename(other, path) == 0) }
    #expect(throws: (any Error).self) {
      try late.execute("PRAGMA journal_mode = WAL; DELETE FROM marks; CREATE TABLE late (a)")
    }
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(try SQLiteFile.text(path, "SELECT name FROM sqlite_schema WHERE name = 'late'").isEmpty)
  }

  @Test func `a file that is no database is corrupt`() throws {
    let path = folder.path + ".other"
    try Data(repeating: 7, count: 4_096).write(to: URL(fileURLWithPath: path))
    #expect {
      try RestoredDatabase.withSealed(path) { Issue.record("it cannot be opened") }
    } throws: { error in
      (error as? StoreError)?.isCorrupt == true
    }
  }
}
