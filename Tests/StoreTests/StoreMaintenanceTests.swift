import Foundation
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct StoreMaintenanceTests {
  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  @Test func `a backup is a whole database of its own`() throws {
    try store.merge((1...50).map { .numbered($0) })
    let copyPath = folder.path + ".backup"
    try store.backUp(to: copyPath)
    try store.merge([.numbered(51)])
    let attributes = try FileManager.default.attributesOfItem(atPath: copyPath)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let copy = try Store.open(path: copyPath, mode: .readOnly)
    #expect(try copy.read { try $0.usersCount() } == 50)
    #expect(!FileManager.default.fileExists(atPath: copyPath + "-wal"))
  }

  @Test func `a backup holds all runs but the one that makes it`() throws {
    let run = Run(
      job: "maintain", kind: "maintain", trigger: .scheduled, startedAt: Instant(unixSeconds: 0))
    let ids = try store.write { writer in try (0..<3).map { _ in try writer.begin(run) } }
    try store.backUp(to: folder.path + ".backup", withoutRun: ids[1])
    let copy = try Store.open(path: folder.path + ".backup", mode: .readOnly)
    let kept = try copy.read { try $0.runs(from: Instant(unixSeconds: 0)).compactMap(\.id) }
    #expect(kept.sorted() == [ids[0], ids[2]])
    #expect(try store.read { try $0.runs(from: Instant(unixSeconds: 0)).count } == 3)
  }

  @Test func `a backup does not replace a file`() throws {
    let copyPath = folder.path + ".backup"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: copyPath))
    #expect(throws: StoreError.self) { try store.backUp(to: copyPath) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: copyPath)) == Data("mine".utf8))
  }

  @Test func `a backup into a folder that is missing is an error with the path`() throws {
    let path = folder.path + "-missing/backup"
    #expect {
      try store.backUp(to: path)
    } throws: { error in
      String(describing: error).contains(path)
    }
  }

  @Test func `a sound database passes its check, and keeps its rows when it is optimized`() throws {
    try store.merge((1...50).map { .numbered($0) })
    try store.checkIntegrity()
    try store.optimize()
    try store.checkIntegrity()
    #expect(try store.read { try $0.usersCount() } == 50)
  }

  @Test func `damage inside a page is found`() throws {
    try store.merge((1...2_000).map { .numbered($0) })
    try store.optimize()
    try store.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path))
    let size = try file.seekToEnd()
    try file.seek(toOffset: size - 3 * 16_384)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 16_384))
    try file.close()
    let damaged = try folder.open()
    #expect {
      try damaged.checkIntegrity()
    } throws: { error in
      (error as? StoreError)?.isCorrupt == true
    }
  }
}
