import JobsTesting
import Fixtures
import Foundation
import Model
import Sync
import Testing

@testable import Workspace

struct ContactKeyTests {
  private let folder: TemporaryFolder
  private var workspace: Workspace { Workspace(root: folder.path) }

  init() throws {
    folder = try TemporaryFolder()
    try workspace.makeFolders()
  }

  @Test func `the first that asks makes the key, the others get the same`() throws {
    let made = try ContactKey.made(in: workspace)
    #expect(made.isNew)
    #expect(made.warnings(in: workspace).contains { $0.contains("keep a copy elsewhere") })
    let again = try ContactKey.made(in: workspace)
    #expect(!again.isNew && again.warnings(in: workspace).isEmpty)
    #expect(again.hash.hexadecimal == made.hash.hexadecimal)
    let mode = try FileManager.default.attributesOfItem(atPath: workspace.path(ContactKey.path))
    #expect(mode[.posixPermissions] as? Int == 0o600)
  }

  @Test func `two workspaces have two keys`() throws {
    let other = try TemporaryFolder()
    try Workspace(root: other.path).makeFolders()
    let keys = try [workspace, Workspace(root: other.path)].map {
      try ContactKey.made(in: $0).hash.hexadecimal
    }
    #expect(keys[0] != keys[1])
  }

  @Test(arguments: [
    ("", false), ("0123456789abcdef0123456789abcde\n", false),
    (" 0123456789abcdef0123456789abcdef\n", true), ("0123456789abcdef0123456789abcdef0", false),
    ("0123456789abcdef0123456789abcdeg", false),
  ])
  func `a file that holds no key is an error, and stays`(text: String, isKey: Bool) throws {
    try folder.write(text, to: ContactKey.path)
    let path = workspace.path(ContactKey.path)
    if isKey {
      #expect(try ContactKey.made(in: workspace).hash.hexadecimal == text.trimmed)
    } else {
      expectRefusal(.configuration, "\(path) holds no key of 32 hexadecimal digits. ") {
        try ContactKey.made(in: workspace)
      }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func `a key that others can read draws a warning`() throws {
    _ = try ContactKey.made(in: workspace)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: workspace.path(ContactKey.path))
    let warnings = try ContactKey.made(in: workspace).warnings(in: workspace)
    #expect(warnings.count == 1 && warnings[0].contains("can be read by others (mode 644)"))
  }
}
