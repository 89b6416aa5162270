import Fixtures
import Foundation
import Glibc
import Testing

@testable import Workspace

struct FileModeTests {
  /// The permission bits of a file or folder.
  static func bits(of path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0, "\(path)")
    return status.st_mode & 0o777
  }

  @Test(
    arguments: [
      ("0600", 0o600), ("600", 0o600), ("0640", 0o640), ("0o644", 0o644), ("0660", 0o660),
      ("0664", 0o664), ("0604", 0o604),
    ] as [(String, mode_t)])
  func `owners write, and others read as far as the mode says`(text: String, bits: mode_t) {
    #expect(FileMode(octal: text)?.bits == bits)
  }

  @Test(arguments: [
    "", "0", "64", "0400", "0200", "0700", "0666", "0646", "0620", "0755", "01640", "0o", "0688",
    "-640", "+640", "rw-", "00640", "0x1a0", " 0640",
  ])
  func `a mode that others could write or run by is none`(text: String) {
    #expect(FileMode(octal: text) == nil)
  }

  @Test(arguments: [("0600", 0o700), ("0640", 0o750), ("0664", 0o775)] as [(String, mode_t)])
  func `whoever may read the files may enter the folder`(text: String, bits: mode_t) {
    #expect(FileMode(octal: text)?.folderBits == bits)
  }

  @Test func `a folder is the owner's, and one that is there keeps its mode without another`()
    throws
  {
    let temporary = try TemporaryFolder()
    let path = temporary.path(of: "new")
    try FileContents.makeFolder(path)
    #expect(try Self.bits(of: path) == 0o700)
    chmod(path, 0o751)
    try FileContents.makeFolder(path)
    #expect(try Self.bits(of: path) == 0o751)
    try FileContents.makeFolder(path, mode: try #require(FileMode(octal: "0640")))
    #expect(try Self.bits(of: path) == 0o750)
  }

  @Test func `a draft and a created file are the owner's`() throws {
    let temporary = try TemporaryFolder()
    let draft = try DraftFile(for: temporary.path(of: "draft"))
    try draft.finish()
    #expect(try AtomicFile.create([1], at: temporary.path(of: "created")))
    for name in ["draft", "created"] {
      #expect(try Self.bits(of: temporary.path(of: name)) == 0o600, "\(name)")
    }
  }
}
