import Fixtures
import Foundation
import Glibc
import Store
import StoreTesting
import Testing

@testable import Workspace

/// A draft takes the place of a regular file, and of nothing else.
struct DraftFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path(of: "rows.csv") }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `an old file stays until the draft is finished`() throws {
    try folder.write("old", to: "rows.csv")
    let draft = try DraftFile(for: path)
    try Array("new".utf8).withUnsafeBytes { try draft.write($0) }
    #expect(try folder.text(of: "rows.csv") == "old")
    try draft.finish()
    #expect(try folder.text(of: "rows.csv") == "new")
    #expect(try folder.names() == ["rows.csv"])
  }

  @Test(arguments: ["target.csv", "nowhere"])
  func `a link is refused, also one to a regular file, and stays with its target`(
    target: String
  ) throws {
    try folder.write("kept", to: "target.csv")
    #expect(symlink(folder.path(of: target), path) == 0)
    #expect {
      try DraftFile(for: path)
    } throws: {
      "\($0)" == "Cannot write \(path): it is a link. Name the file itself, or another one."
    }
    #expect(try folder.names() == (["rows.csv", "target.csv"]))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path).hasSuffix(target))
    #expect(try folder.text(of: "target.csv") == "kept")
  }

  @Test func `a pipe and a folder are refused`() throws {
    #expect(mkfifo(path, 0o600) == 0)
    try folder.write("x", to: "folder/inner")
    for name in ["rows.csv", "folder"] {
      let path = folder.path(of: name)
      #expect {
        try DraftFile(for: path)
      } throws: {
        "\($0)" == "Cannot write \(path): it is not a regular file. Name another one."
      }
    }
    #expect(try folder.names() == ["folder", "rows.csv"])
  }

  /// A mistyped path must not cost a workspace all that it holds.
  @Test func `a workspace's database is refused, by a draft and by a write, and stays`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: temporary.path))
    let calls: [() throws -> Void] = [
      { _ = try DraftFile(for: temporary.path) },
      { try AtomicFile.write([1], to: temporary.path) },
    ]
    for call in calls {
      #expect {
        try call()
      } throws: {
        "\($0)" == "Cannot write \(temporary.path): it is a database of firetally. "
          + "Name another file."
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: temporary.path)) == before)
  }

  @Test func `a database of another program is replaced`() throws {
    try SQLiteFile.execute(path, "CREATE TABLE t (a)")
    try DraftFile(for: path).finish()
    #expect(try folder.text(of: "rows.csv") == "")
  }
}
