import Fixtures
import Foundation
import GRDB
import Model
import Platform
import StoreTesting
import Testing

@testable import Store

/// A database is in its place only when it is whole, and can be read where nothing can be written.
@Suite struct DatabaseFileTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.folder.path))
  }

  private func write(_ bytes: Data, _ name: String) throws {
    try bytes.write(to: folder.folder.appending(path: name))
  }

  /// Keeps readers from making what they share beside the database, as a read-only disk does.
  private static func keepShared(from path: String) throws {
    // SQLite follows no link there.
    try FileManager.default.createSymbolicLink(
      atPath: path + "-shm", withDestinationPath: "/nonexistent/shared")
  }

  @Test func `a draft that was cut is not whole, and the error blames the disk`() throws {
    try store.close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path))
    let draft = folder.folder.appending(path: "draft").path
    try write(whole, "draft")
    try DatabaseFile.checkWhole(draft, named: folder.path)
    let page = DatabaseFile.pageSize
    for length in [0, 1, page - 1, page, page + 1, whole.count / 2, whole.count - page] {
      try write(whole.prefix(length), "draft")
      let expected = StoreError.diskFailed(
        path: folder.path, reason: "it did not keep what was written to the new file")
      #expect(throws: expected, "\(length) bytes") {
        try DatabaseFile.checkWhole(draft, named: folder.path)
      }
    }
  }

  @Test func `drafts of makers that died go, those of living ones stay`() throws {
    let dead = try Process.run(URL(fileURLWithPath: "/bin/true"), arguments: [])
    dead.waitUntilExit()
    let path = folder.folder.appending(path: "other.sqlite").path
    let maker = DraftWriter(process: dead.processIdentifier)
    let abandoned = DatabaseFile.draftPath(for: path, maker: maker)
    let own = DatabaseFile.draftPath(for: path)
    for draft in [abandoned, abandoned + "-wal", own] {
      try write(Data(), URL(fileURLWithPath: draft).lastPathComponent)
    }
    let made = try Store.open(path: path)
    try made.close()
    #expect(!FileManager.default.fileExists(atPath: abandoned))
    #expect(!FileManager.default.fileExists(atPath: abandoned + "-wal"))
    #expect(FileManager.default.fileExists(atPath: own))
  }

  @Test func `a database without a log is read where no file can be made beside it`() throws {
    try store.merge([.numbered(1)])
    try store.close()
    try Self.keepShared(from: folder.path)
    let reader = try folder.open(.readOnly)
    #expect(try reader.read { try $0.usersCount() } == 1)
    #expect(throws: StoreError.self) { try folder.open().write { try $0.deleteAllUsers() } }
  }

  @Test func `changes that only the log has are read from a copy, which is gone at once`() throws {
    try store.merge([.numbered(1)])
    let other = try StoreFile()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder.path + suffix, toPath: other.path + suffix)
    }
    try Self.keepShared(from: other.path)
    let reader = try other.open(.readOnly)
    #expect(try reader.read { try $0.usersCount() } == 1)
    #expect(throws: StoreError.self) { try reader.write { try $0.deleteAllUsers() } }
    let files = FileManager.default
    // A test's own folder lies where copies are made.
    let place = other.folder.deletingLastPathComponent()
    let left = try files.contentsOfDirectory(atPath: place.path)
      .filter { files.fileExists(atPath: place.appending(path: "\($0)/copy.sqlite").path) }
    #expect(left.isEmpty)
  }

  @Test func `a path with signs of its own is read alone as well`() throws {
    let path = folder.folder.appending(path: "a?b#c%20 é.sqlite").path
    try Store.open(path: path).close()
    try Self.keepShared(from: path)
    #expect(try Store.open(path: path, mode: .readOnly).read { try $0.usersCount() } == 0)
  }

  /// Nobody has the database open, and its last change was long ago, whatever times the system
  /// tells apart.
  private func leaveAlone() throws {
    try store.close()
    let time = timespec(tv_sec: 1_000_000, tv_nsec: 500_000_000)
    try #require(utimensat(AT_FDCWD, folder.path, [time, time], 0) == 0)
  }

  /// Reads the users' number, with what happens once that was read for the first time.
  private func reading(
    _ path: String, meanwhile: () throws -> Void = {}
  ) throws -> (counts: [Int], last: Int) {
    var counts: [Int] = []
    let last = try Store.reading(path: path, fileTime: .morning) { reader in
      counts.append(try reader.read { try $0.usersCount() })
      if counts.count == 1 { try meanwhile() }
      return counts.last ?? -1
    }
    return (counts, last)
  }

  @Test func `a database that nobody writes is read without a file beside it`() throws {
    try store.merge([.numbered(1)])
    try leaveAlone()
    let before = try names()
    let (counts, last) = try reading(folder.path) {
      let during = try names()
      #expect(during == before)
    }
    #expect(counts == [1] && last == 1)
    #expect(try names() == before && before == ["firetally.sqlite"])
  }

  @Test(arguments: [true, false])
  func `what a writer commits while it is read is read by a second reading`(
    isOpen: Bool
  ) throws {
    try store.merge([.numbered(1)])
    try leaveAlone()
    var writer: Store?
    let (counts, last) = try reading(folder.path) {
      writer = try folder.open()
      try writer?.merge([.numbered(2)])
      if !isOpen { try writer?.close() }
    }
    #expect(counts == [1, 2] && last == 2)
    try writer?.close()
  }

  /// A change in the same tick of the clock would leave the same time.
  @Test(arguments: [(499_999, false), (500_000, false), (500_001, true)])
  func `a database that has changed in this moment is not taken for one that nobody writes`(
    microseconds: Int, isQuiet: Bool
  ) throws {
    try leaveAlone()
    let now = Instant(unixSeconds: 1_000_000) + .microseconds(microseconds)
    #expect((DatabaseFile.quietState(of: folder.path, at: now) != nil) == isQuiet)
  }

  @Test func `the last reader leaves nothing beside the database, one before it what it shares`()
    throws
  {
    try store.merge([.numbered(1)])
    try store.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path))
    var readers = try [folder.open(.readOnly), Store.openToRead(path: folder.path)]
    for left in [2, 1] {
      #expect(try readers.allSatisfy { try $0.read { try $0.usersCount() } == 1 })
      #expect(try names().count == 3)
      readers.removeLast()
      #expect(readers.count == left - 1)
    }
    #expect(try names() == ["firetally.sqlite"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == bytes)
  }

  @Test func `another file in its place is read by a second reading`() throws {
    try leaveAlone()
    let other = try TemporaryStore()
    try other.store.merge([.numbered(1)])
    try other.store.close()
    let (counts, _) = try reading(folder.path) {
      try #require(rename(other.path, folder.path) == 0)
    }
    #expect(counts == [0, 1])
  }

  @Test(arguments: [true, false])
  func `an error counts unless the database has changed meanwhile`(isChanged: Bool) throws {
    try leaveAlone()
    var calls = 0
    func read() throws -> Int {
      try Store.reading(path: folder.path, fileTime: .morning) { reader in
        calls += 1
        guard calls == 1 else { return try reader.read { try $0.usersCount() } }
        if isChanged { try folder.open().merge([.numbered(1)]) }
        throw StoreError.corrupt(path: folder.path, reason: "torn")
      }
    }
    if isChanged {
      let count = try read()
      #expect(count == 1 && calls == 2)
    } else {
      #expect(throws: StoreError.corrupt(path: folder.path, reason: "torn")) { try read() }
      #expect(calls == 1)
    }
  }

  @Test func `changes that only the log of a killed writer has are read, also by a link`() throws {
    try store.merge([.numbered(1)])
    let other = try StoreFile()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder.path + suffix, toPath: other.path + suffix)
    }
    let link = folder.folder.appending(path: "link.sqlite").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other.path)
    #expect(try reading(link).counts == [1])
    #expect(try reading(other.path).counts == [1])
    // They stay there: a reader brings nothing into the file.
    #expect(DatabaseFile.hasLog(path: other.path))
  }

  @Test func `a path without a database is told by a reading, too`() throws {
    let path = folder.folder.appending(path: "none").path
    #expect(throws: StoreError.missing(path: path)) { try reading(path) }
    #expect(throws: StoreError.folder(path: folder.folder.path)) {
      try reading(folder.folder.path)
    }
  }

  @Test func `emptying the log waits for no reader, and other writes wait as before`() throws {
    let reader = try folder.open()
    let took = try reader.read { snapshot in
      _ = try snapshot.usersCount()
      // The best of three: a busy disk may be slow once.
      return try (1...3).map { _ in
        try ContinuousClock().measure { try store.optimize() }
      }.min()
    }
    #expect(try #require(took) < .seconds(DatabaseFile.busyTimeoutSeconds))
    #expect(try store.write { try $0.reader.count("PRAGMA busy_timeout") } == 5_000)
  }
}
