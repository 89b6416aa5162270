import Fixtures
import Foundation
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct StoreTests {
  struct Stop: Error {}

  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  @Test func `a new file belongs to its owner alone, and so do its side files`() throws {
    try store.merge([.numbered(1)])
    for suffix in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + suffix)
      let permissions = attributes[.posixPermissions] as? Int
      #expect(permissions == 0o600, "\(suffix)")
    }
  }

  @Test func `making a database leaves nothing else in its folder`() throws {
    try store.close()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.folder.path)
        == ["firetally.sqlite"])
  }

  @Test func `a new file has WAL and pages of 16 KiB`() throws {
    try store.close()
    #expect(try SQLiteFile.text(folder.path, "PRAGMA journal_mode") == ["wal"])
    #expect(try SQLiteFile.integers(folder.path, "PRAGMA page_size") == [16_384])
  }

  @Test func `the writer waits five seconds, syncs at checkpoints and keeps foreign keys`() throws {
    try store.write { writer throws in
      #expect(try writer.reader.count("PRAGMA busy_timeout") == 5_000)
      #expect(try writer.reader.count("PRAGMA synchronous") == 1)
      #expect(try writer.reader.count("PRAGMA foreign_keys") == 1)
    }
  }

  @Test func `a durable change is synced, and the next one as before`() throws {
    struct Failure: Error {}
    #expect(try store.writeDurably { try $0.reader.count("PRAGMA synchronous") } == 2)
    #expect(throws: Failure.self) { try store.writeDurably { _ in throw Failure() } }
    #expect(try store.write { try $0.reader.count("PRAGMA synchronous") } == 1)
  }

  @Test func `what a throwing change did is undone, and its error passes unchanged`() throws {
    try store.merge([.numbered(1)])
    #expect(throws: Stop.self) {
      try store.write { writer in
        try writer.deleteAllUsers()
        try writer.setCursor(
          SyncCursor(value: "{}", startedAt: .morning), job: "online-users", key: "page")
        #expect(try writer.usersCount() == 0)
        throw Stop()
      }
    }
    try store.read { reader throws in
      #expect(try reader.usersCount() == 1)
      #expect(try reader.cursor(job: "online-users", key: "page") == nil)
    }
  }

  @Test func `a reader of another store sees the last commit while a writer is at work`() throws {
    try store.merge([.numbered(1)])
    let other = try folder.open(.readOnly)
    try store.write { writer in
      _ = try writer.upsert(TableRows([.numbered(2)]), into: .onlineUsers, at: .morning)
      #expect(try other.read { try $0.usersCount() } == 1)
    }
    #expect(try other.read { try $0.usersCount() } == 2)
  }

  @Test func `one read sees one state, whatever is committed meanwhile`() throws {
    try store.merge([.numbered(1)])
    let other = try folder.open()
    try other.read { reader in
      #expect(try reader.usersCount() == 1)
      try store.merge([.numbered(2)])
      #expect(try reader.usersCount() == 1)
    }
  }

  @Test func `a store opened to read finds a file that was closed cleanly`() throws {
    try store.merge([.numbered(1)])
    try store.close()
    #expect(!FileManager.default.fileExists(atPath: folder.path + "-wal"))
    let reader = try folder.open(.readOnly)
    #expect(try reader.read { try $0.usersCount() } == 1)
  }

  @Test func `two writers never lose a change`() async throws {
    let other = try folder.open()
    let stores = [store, other]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<40 {
        let store = stores[index % 2]
        group.addTask {
          try store.write { writer in
            var state = try writer.limitState(profile: "default", feature: .refresh)
            state.usage += 1
            try writer.setLimitState(state, profile: "default", feature: .refresh)
          }
        }
      }
      try await group.waitForAll()
    }
    let state = try store.read { try $0.limitState(profile: "default", feature: .refresh) }
    #expect(state.usage == 40)
  }
}
