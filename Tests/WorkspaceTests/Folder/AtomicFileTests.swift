import Fixtures
import Foundation
import Glibc
import Testing

@testable import Workspace

struct AtomicFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/page.html" }

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let full = FileCalls(
    write: { _, _ in
      errno = ENOSPC
      return -1
    }, sync: FileCalls.system.sync, rename: FileCalls.system.rename)
  private static let unsynced = FileCalls(
    write: FileCalls.system.write,
    sync: { _ in
      errno = EIO
      return -1
    }, rename: FileCalls.system.rename)
  private static let unrenamed = FileCalls(
    write: FileCalls.system.write, sync: FileCalls.system.sync,
    rename: { _, _ in
      errno = EROFS
      return -1
    })
  private static let halfFull = FileCalls(
    write: { number, buffer in
      if buffer.count > 3 { return Glibc.write(number, buffer.baseAddress, 3) }
      errno = ENOSPC
      return -1
    }, sync: FileCalls.system.sync, rename: FileCalls.system.rename)

  @Test(arguments: ["", "hello", SampleText(String(repeating: "x", count: 1_000_000))])
  func `a new file has the bytes, and nothing is left beside it`(sample: SampleText) throws {
    let text = sample.text
    try AtomicFile.write(Array(text.utf8), to: path)
    #expect(try folder.text(of: "page.html") == text)
    #expect(try folder.names() == ["page.html"])
  }

  @Test func `an old file is replaced whole, though it was longer`() throws {
    try folder.write("a much longer page", to: "page.html")
    try AtomicFile.write(Array("new".utf8), to: path)
    #expect(try folder.text(of: "page.html") == "new")
  }

  @Test func `only the owner may read it, unless a mode is given`() throws {
    try AtomicFile.write([1], to: path)
    #expect(try FileModeTests.bits(of: path) == 0o600)
    try AtomicFile.write([1], to: path, mode: #require(FileMode(octal: "0644")))
    #expect(try FileModeTests.bits(of: path) == 0o644)
  }

  @Test(
    arguments: [(full, ENOSPC), (halfFull, ENOSPC), (unsynced, EIO), (unrenamed, EROFS)])
  func `a failure at any step keeps the old file and leaves no other`(
    calls: FileCalls, code: Int32
  ) throws {
    try folder.write("old", to: "page.html")
    #expect(throws: WorkspaceError.file(FileFailure(action: "write", path: path, code: code))) {
      try AtomicFile.write(Array("new page".utf8), to: path, calls: calls)
    }
    #expect(try folder.text(of: "page.html") == "old")
    #expect(try folder.names() == ["page.html"])
  }

  @Test func `short and interrupted writes are carried on`() throws {
    let slow = FileCalls(
      write: { number, buffer in
        if Bool.random() {
          errno = EINTR
          return -1
        }
        return Glibc.write(number, buffer.baseAddress, min(buffer.count, 2))
      }, sync: FileCalls.system.sync, rename: FileCalls.system.rename)
    try AtomicFile.write(Array("interrupted".utf8), to: path, calls: slow)
    #expect(try folder.text(of: "page.html") == "interrupted")
  }

  @Test func `a missing folder and a file in its place are errors that name the file`() throws {
    try folder.write("x", to: "file")
    #expect(
      throws: WorkspaceError.file(
        FileFailure(action: "write", path: "\(folder.path)/no/a", code: ENOENT))
    ) {
      try AtomicFile.write([1], to: "\(folder.path)/no/a")
    }
    #expect(
      throws: WorkspaceError.file(
        FileFailure(action: "write", path: "\(folder.path)/file/a", code: ENOTDIR))
    ) {
      try AtomicFile.write([1], to: "\(folder.path)/file/a")
    }
  }

  @Test func `a folder in its place is an error, and nothing is left`() throws {
    try folder.write("x", to: "page.html/inner")
    #expect(throws: WorkspaceError.self) { try AtomicFile.write([1], to: path) }
    #expect(try folder.names() == ["page.html"])
  }

  @Test(.enabled("root may write anywhere") { geteuid() != 0 })
  func `a read-only folder is an error that says so`() throws {
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    #expect(throws: WorkspaceError.file(FileFailure(action: "write", path: path, code: EACCES))) {
      try AtomicFile.write([1], to: path)
    }
  }

  @Test func `making a file never touches one that is there`() throws {
    #expect(try AtomicFile.create(Array("first".utf8), at: path))
    #expect(try !AtomicFile.create(Array("second".utf8), at: path))
    #expect(try folder.text(of: "page.html") == "first")
    #expect(throws: WorkspaceError.self) { try AtomicFile.create([1], at: "\(folder.path)/no/a") }
  }

  @Test func `a reader never sees half a file`() async throws {
    let (path, pages) = (
      path,
      ["a", "b"].map {
        Array(repeating: UInt8(ascii: "\($0)".unicodeScalars.first ?? "a"), count: 200_000)
      }
    )
    try AtomicFile.write(pages[0], to: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for turn in 1...50 { try AtomicFile.write(pages[turn % 2], to: path) }
      }
      group.addTask {
        for _ in 1...200 {
          let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
          #expect(pages.contains(bytes))
        }
      }
      try await group.waitForAll()
    }
  }
}
