import Foundation
import Model
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
    #expect(!FileManager.default.fileExists(atPath: copyPath + ".part"))
  }

  @Test func `a backup replaces an unfinished one of the same name`() throws {
    let copyPath = folder.path + ".backup"
    try Data("left by a crash".utf8).write(to: URL(fileURLWithPath: copyPath + ".part"))
    try store.backUp(to: copyPath)
    try Store.open(path: copyPath, mode: .readOnly).checkIntegrity()
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
