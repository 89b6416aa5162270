import Firestore
import Fixtures
import Foundation
import Testing

@testable import Jobs

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
    try source.secret(in: workspace, environment: environment).revealed
  }

  @Test func `a secret comes from a variable or a file, without the white space around it`() throws
  {
    #expect(try secret(.environment(variable: "S"), ["S": " a b\n"]) == "a b")
    try folder.write("token\n", to: "secrets/token")
    #expect(try secret(.file(path: "secrets/token")) == "token")
    #expect(try secret(.file(path: "\(folder.path)/secrets/token")) == "token")
  }

  private func missing(_ place: String) -> String {
    "firetally.yml takes a secret from \(place), which is empty or not set. See docs/jobs.md#secrets."
  }

  @Test(arguments: ["", " \n\t"])
  func `an empty one is missing`(text: String) throws {
    expectRefusal(.configuration, missing("the environment variable S")) {
      try secret(.environment(variable: "S"), ["S": text])
    }
    try folder.write(text, to: "token")
    expectRefusal(.configuration, missing("\(folder.path)/token")) {
      try secret(.file(path: "token"))
    }
  }

  @Test func `a variable or file that is not there is an error that names it`() throws {
    expectRefusal(.configuration, missing("the environment variable S")) {
      try secret(.environment(variable: "S"))
    }
    let failure = FileFailure(action: "read", path: "\(folder.path)/none", code: ENOENT)
    #expect(throws: JobsError.file(failure)) { try secret(.file(path: "none")) }
  }

  @Test func `a file has at most 4096 bytes, white space included`() throws {
    try folder.write(String(repeating: "x", count: 4_095) + "\n", to: "token")
    #expect(try secret(.file(path: "token")).count == 4_095)
    try folder.write(String(repeating: "x", count: 4_096) + "\n", to: "token")
    let start = "firetally.yml takes a secret from \(folder.path)/token, which has more than 4096 "
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
