import Fixtures
import Foundation
import GRDB
import Model
import Platform
import StoreTesting
import Testing

@testable import Store

@Suite struct StoreErrorTests {
  /// The error that opening throws; nil when it opens.
  private func opening(_ path: String, _ mode: Store.Mode = .readWrite) -> StoreError? {
    do {
      try Store.open(path: path, mode: mode).close()
      return nil
    } catch {
      return error as? StoreError
    }
  }

  @Test func `a missing file cannot be read, and is not made`() throws {
    let folder = try StoreFile()
    #expect(opening(folder.path, .readOnly) == .missing(path: folder.path))
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `a missing folder is named`() throws {
    let folder = try StoreFile()
    let path = folder.folder.appending(path: "none/firetally.sqlite").path
    let error = try #require(opening(path))
    #expect(error == .cannotOpen(path: path, reason: "no such file or directory"))
    #expect(error.description.contains(path))
    #expect(!error.isCorrupt)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.folder.path) == [])
  }

  @Test(.enabled(if: geteuid() != 0, "root writes everywhere"))
  func `a read-only folder is told as such`() throws {
    let folder = try StoreFile()
    chmod(folder.folder.path, 0o500)
    defer { chmod(folder.folder.path, 0o700) }
    let error = try #require(opening(folder.path))
    guard case .readOnly = error else { throw error }
    #expect(error.description.contains(folder.path))
  }

  @Test func `a text file is not a database, and is left as it is`() throws {
    let folder = try StoreFile()
    let text = Data(String(repeating: "not a database\n", count: 200).utf8)
    try text.write(to: URL(filePath: folder.path))
    let error = try #require(opening(folder.path))
    #expect(error == .notADatabase(path: folder.path))
    #expect(error.isCorrupt)
    #expect(error.description.contains("firetally restore latest"))
    #expect(try Data(contentsOf: URL(filePath: folder.path)) == text)
  }

  @Test func `a database with an overwritten page is corrupt`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.merge((0..<500).map { .numbered($0) })
    try store.close()
    let handle = try FileHandle(forUpdating: URL(filePath: folder.path))
    let size = try handle.seekToEnd()
    for page in stride(from: UInt64(16_384), to: size, by: 16_384) {
      try handle.seek(toOffset: page)
      try handle.write(contentsOf: Data(repeating: 0xa5, count: 512))
    }
    try handle.close()
    var caught: StoreError?
    do {
      _ = try folder.open().read { try $0.users(limit: 500) }
    } catch {
      caught = error as? StoreError
    }
    let error = try #require(caught)
    #expect(error.isCorrupt)
    #expect(error.description.contains("firetally restore latest"))
    #expect(error.description.contains(folder.path))
  }

  @Test func `an empty file is a new database`() throws {
    let folder = try StoreFile()
    try Data().write(to: URL(filePath: folder.path))
    #expect(opening(folder.path) == nil)
  }

  @Test func `another program's database is refused and left alone`() throws {
    let folder = try StoreFile()
    try SQLiteFile.execute(folder.path, "CREATE TABLE notes (text TEXT)")
    let error = try #require(opening(folder.path))
    #expect(error == .foreignDatabase(path: folder.path))
    #expect(
      try SQLiteFile.text(folder.path, "SELECT name FROM sqlite_schema WHERE type = 'table'")
        .contains("OnlineUsers") == false)
  }

  @Test func `a database of a newer program is refused in both modes`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.close()
    let newer = Schema.version + 1
    try SQLiteFile.execute(folder.path, "PRAGMA user_version = \(newer)")
    let expected = StoreError.newerSchema(
      path: folder.path, version: newer, supported: Schema.version,
      writer: ProgramVersion.current)
    #expect(opening(folder.path) == expected)
    #expect(opening(folder.path, .readOnly) == expected)
    #expect(try SQLiteFile.integers(folder.path, "PRAGMA user_version") == [Int64(newer)])
  }

  @Test(arguments: [
    (
      "9.0.0" as String?,
      "written by firetally 9.0.0; this one is firetally \(ProgramVersion.current) and knows "
        + "schemas up to 6. Install firetally 9.0.0 or newer. Or"
    ),
    (nil, "Install firetally as new as the one that wrote it. Or"),
    ("9.1.0-dev", "Install the build that wrote it, or a newer one: `firetally --version`"),
    (
      ProgramVersion.current,
      "written by a newer build of firetally \(ProgramVersion.current) than this one, which knows "
        + "schemas up to 6."
    ),
  ])
  func `a newer schema names the version that wrote it, where it is known`(
    writer: String?, words: String
  ) {
    let error = StoreError.newerSchema(path: "/w/db", version: 9, supported: 6, writer: writer)
    #expect(error.description.contains(words))
    #expect(error.description.contains("firetally backup list"))
  }

  @Test func `a newer schema without the table of names is refused all the same`() throws {
    let file = try StoreFile()
    try SQLiteFile.execute(
      file.path,
      """
      CREATE TABLE other (a);
      PRAGMA application_id = \(Schema.applicationId);
      PRAGMA user_version = \(Schema.version + 5);
      """)
    #expect(
      opening(file.path)
        == .newerSchema(
          path: file.path, version: Schema.version + 5, supported: Schema.version, writer: nil))
  }

  @Test func `a database of an older program is not migrated by a reader`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.close()
    try SQLiteFile.execute(folder.path, "PRAGMA user_version = 23")
    #expect(
      opening(folder.path, .readOnly)
        == .olderSchema(path: folder.path, version: 23, supported: Schema.version))
  }

  @Test(arguments: [1, 22, 24, 29])
  func `a database of a program between two releases is refused in both modes, untouched`(
    version: Int
  ) throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.close()
    try SQLiteFile.execute(folder.path, "PRAGMA user_version = \(version)")
    let expected = StoreError.unreleasedSchema(path: folder.path, version: version)
    #expect(opening(folder.path) == expected)
    #expect(opening(folder.path, .readOnly) == expected)
    #expect(try SQLiteFile.integers(folder.path, "PRAGMA user_version") == [Int64(version)])
    #expect(expected.description.contains("has schema \(version)"))
  }

  @Test func `a store opened to read refuses a change`() throws {
    let (folder, store) = try TemporaryStore.opened()
    let reader = try folder.open(.readOnly)
    #expect(throws: StoreError.readOnly(path: folder.path)) {
      try reader.write { try $0.save(Profile()) }
    }
    #expect(try store.read { try $0.profiles() } == [])
  }

  @Test func `a full disk undoes the change and leaves a store that still works`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.merge([.numbered(1)])
    #expect(throws: StoreError.diskFull(path: folder.path)) {
      try store.write { writer in
        let pages = try writer.reader.count("PRAGMA page_count")
        _ = try writer.reader.count("PRAGMA max_page_count = \(pages + 2)")
        _ = try writer.upsert(
          TableRows((0..<5_000).map { .numbered($0) }), into: .onlineUsers, at: .morning)
      }
    }
    #expect(try store.read { try $0.usersCount() } == 1)
    try store.merge([.numbered(2)])
    #expect(try store.read { try $0.usersCount() } == 2)
  }

  @Test func `a cell that no version writes is named with its table and column`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.write { try $0.save(Profile()) }
    try SQLiteFile.execute(folder.path, "UPDATE profiles SET tier = 'gold'")
    let expected = StoreError.unreadableCell(
      path: folder.path, table: "profiles", column: "tier", value: "gold")
    #expect(throws: expected) { try store.read { try $0.profiles() } }
  }

  @Test func `a folder is not opened as a file`() throws {
    let folder = try StoreFile()
    let path = folder.folder.path
    for mode in [Store.Mode.readWrite, .readOnly] {
      let error = opening(path, mode)
      #expect(error == .folder(path: path))
      #expect(error?.description == "\(path) is a folder; it must be a file. Move it away.")
    }
  }

  @Test func `a folder in the log's place is named`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.close()
    try FileManager.default.createDirectory(
      atPath: folder.path + "-wal", withIntermediateDirectories: false)
    #expect(opening(folder.path) == .folder(path: folder.path + "-wal"))
  }

  static let systemErrors: [(Int32, StoreError)] = [
    (EMFILE, .tooManyFiles(path: "/w/db")), (ENFILE, .tooManyFiles(path: "/w/db")),
    (ENOSPC, .diskFull(path: "/w/db")), (EDQUOT, .diskFull(path: "/w/db")),
    (EIO, .diskFailed(path: "/w/db", reason: "input/output error")),
    (EACCES, .readOnly(path: "/w/db")), (EROFS, .readOnly(path: "/w/db")),
    (ELOOP, .cannotOpen(path: "/w/db", reason: "too many levels of symbolic links")),
  ]

  @Test(arguments: systemErrors)
  func `a number of the system is told in our words`(code: Int32, expected: StoreError) {
    #expect(throws: expected) {
      try StoreError.translating(path: "/w/db") { throw SystemFailure(code: code) }
    }
  }

  static let codes: [(ResultCode, StoreError)] = [
    (.SQLITE_BUSY, .busy(path: "/w/db")), (.SQLITE_BUSY_SNAPSHOT, .busy(path: "/w/db")),
    (.SQLITE_LOCKED, .busy(path: "/w/db")), (.SQLITE_FULL, .diskFull(path: "/w/db")),
    (.SQLITE_READONLY_DBMOVED, .readOnly(path: "/w/db")),
    (.SQLITE_CORRUPT_VTAB, .corrupt(path: "/w/db", reason: "why")),
    (.SQLITE_NOTADB, .notADatabase(path: "/w/db")),
    (.SQLITE_CANTOPEN_ISDIR, .cannotOpen(path: "/w/db", reason: "why")),
    (.SQLITE_IOERR_WRITE, .diskFailed(path: "/w/db", reason: "why")),
    (.SQLITE_PROTOCOL, .failed(path: "/w/db", reason: "why", code: 15)),
  ]

  @Test(arguments: codes)
  func `what SQLite says is told in our words`(code: ResultCode, expected: StoreError) {
    #expect(throws: expected) {
      try StoreError.translating(path: "/w/db") {
        throw DatabaseError(resultCode: code, message: "why")
      }
    }
  }

  @Test func `a failure is not told in SQLite's words of a success`() {
    #expect(throws: StoreError.diskFailed(path: "/w/db", reason: "disk I/O error")) {
      try StoreError.translating(path: "/w/db") {
        throw DatabaseError(resultCode: .SQLITE_IOERR_WRITE, message: "not an error")
      }
    }
  }

  static let all: [StoreError] = [
    .missing(path: "/w/db"), .cannotOpen(path: "/w/db", reason: "why"),
    .folder(path: "/w/db"), .specialFile(path: "/w/db", .device),
    .notADatabase(path: "/w/db"), .foreignDatabase(path: "/w/db"),
    .corrupt(path: "/w/db", reason: "why"), .readOnly(path: "/w/db"), .diskFull(path: "/w/db"),
    .diskFailed(path: "/w/db", reason: "why"), .tooManyFiles(path: "/w/db"),
    .needsRecovery(path: "/w/db"),
    .busy(path: "/w/db"), .newerSchema(path: "/w/db", version: 9, supported: 6),
    .olderSchema(path: "/w/db", version: 1, supported: 6),
    .unreadableCell(path: "/w/db", table: "t", column: "c", value: "v"),
    .failed(path: "/w/db", reason: "why", code: 1),
  ]

  @Test(arguments: all)
  func `every message names the file and ends with what to do`(error: StoreError) {
    #expect(error.description.contains("/w/db"))
    #expect(error.description.hasSuffix("."))
    #expect(error.description.split(separator: ". ").count >= 2)
  }

  @Test func `each class of error is told apart`() {
    #expect(Self.all.filter(\.isCorrupt).count == 3)
    #expect(Self.all.filter(\.isTransient) == [.busy(path: "/w/db")])
  }
}
