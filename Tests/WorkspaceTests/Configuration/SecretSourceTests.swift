import JobsTesting
import Firestore
import Fixtures
import Foundation
import Testing

@testable import Workspace

struct SecretSourceTests {
  private let folder: TemporaryFolder
  private let workspace: Workspace

  init() throws {
    folder = try TemporaryFolder()
    workspace = Workspace(root: folder.path)
  }

  private func secret(
    _ source: SecretSource, _ environment: [String: String] = [:]
  ) throws -> String {
    try source.secret(of: "moments.token", in: workspace, environment: environment).revealed
  }

  @Test func `a secret comes from a variable or a file, without the white space around it`() throws
  {
    #expect(try secret(.environment(variable: "S"), ["S": " a b\n"]) == "a b")
    try folder.write("token\n", to: "secrets/token")
    #expect(try secret(.file(path: "secrets/token")) == "token")
    #expect(try secret(.file(path: "\(folder.path)/secrets/token")) == "token")
  }

  private static let noVariable =
    "The environment variable that moments.token_env names is not set, or empty. The key takes a "
    + "name, never the secret itself: see docs/jobs.md#secrets."

  @Test(arguments: ["", " \n\t"])
  func `an empty one is missing`(text: String) throws {
    expectRefusal(.configuration, Self.noVariable) {
      try secret(.environment(variable: "S"), ["S": text])
    }
    try folder.write(text, to: "token")
    expectRefusal(.configuration, "The file that moments.token_file names is empty. ") {
      try secret(.file(path: "token"))
    }
  }

  @Test func `a variable or file that is not there is told by its key: it may be the secret`() {
    expectRefusal(.configuration, Self.noVariable) { try secret(.environment(variable: "S")) }
    let words =
      "The file that moments.token_file names cannot be read: no such file or directory. "
    expectRefusal(.configuration, words) { try secret(.file(path: "none")) }
  }

  @Test func `a file has at most 4096 bytes, white space included`() throws {
    try folder.write(String(repeating: "x", count: 4_095) + "\n", to: "token")
    #expect(try secret(.file(path: "token")).count == 4_095)
    try folder.write(String(repeating: "x", count: 4_096) + "\n", to: "token")
    let start = "The file that moments.token_file names has more than 4096 bytes. "
    expectRefusal(.configuration, start) {
      try secret(.file(path: "token"))
    }
  }

  @Test(arguments: [(0o600, false), (0o400, false), (0o640, true), (0o604, true)])
  func `a file that others may read draws a warning`(mode: Int, warns: Bool) throws {
    try folder.write("x", to: "token")
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: "\(folder.path)/token")
    #expect((SecretSource.file(path: "token").warning(in: workspace) != nil) == warns)
    #expect(SecretSource.environment(variable: "S").warning(in: workspace) == nil)
  }
}
