import Fixtures
import Foundation
import Glibc
import JobsTesting
import Platform
import Testing

@testable import Jobs
@testable import Workspace

/// Pipes in the place of the workspace's files: reading one would wait for ever.
@Suite(.timeLimit(.minutes(1))) struct SpecialFileTests {
  private let folder: TemporaryFolder
  private let workspace: Workspace

  init() throws {
    folder = try TemporaryFolder()
    workspace = Workspace(root: folder.path)
    try folder.write("app: {name: Chat, bundle_id: com.example.app}\n", to: "firetally.yml")
  }

  private func pipe(_ name: String) throws -> String {
    let path = folder.path(of: name)
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try #require(mkfifo(path, 0o600) == 0)
    return path
  }

  private func failure(_ action: String, _ path: String) -> FileFailure {
    FileFailure(action: action, path: path, code: EINVAL, special: .namedPipe)
  }

  @Test func `a pipe named like a job is a broken job, and the others are read`() throws {
    try folder.write("kind: report", to: "jobs/b.yml")
    let path = try pipe("jobs/a.yml")
    let catalog = try workspace.jobs()
    #expect(catalog.jobs.map(\.name) == ["b"])
    #expect(
      catalog.error?.description
        == "jobs/a.yml:1: Cannot read \(path): it is a named pipe, not a file. Move it away, or "
        + "name a file.")
  }

  @Test func `a pipe in the place of firetally.yml is named`() throws {
    try FileManager.default.removeItem(atPath: folder.path(of: "firetally.yml"))
    let path = try pipe("firetally.yml")
    expectRefusal(.configuration, failure("read", path).description) {
      try workspace.config()
    }
  }

  @Test func `secrets, style sheets and keys of contacts are read from files alone`() throws {
    let path = try pipe("x")
    expectRefusal(.configuration, "The file that moments.token_file names is a named pipe") {
      try SecretSource.file(path: "x").secret(
        of: "moments.token", in: workspace, environment: [:])
    }
    #expect(throws: WorkspaceError.file(failure("read", path))) {
      try StyleSheetFile(name: "x", path: path).read()
    }
    #expect(throws: WorkspaceError.file(failure("read", path))) { try FileDigest(ofFile: path) }
  }

  @Test func `a pipe in the place of the lock or of the rejected lines is named`() async throws {
    let lock = try pipe("data/firetally.lock")
    await #expect(throws: WorkspaceError.file(failure("lock", lock))) {
      try await WorkspaceLock.acquire(
        workspace, for: .thisProcess(command: "t", since: .morning), wait: .zero, sleep: { _ in })
    }
    let rejects = try pipe("data/rejects/import.txt")
    #expect(throws: WorkspaceError.file(failure("read", rejects))) {
      try RejectsFile.count(of: "u", in: rejects)
    }
  }

  @Test func `exports that a pattern matches are regular files`() throws {
    _ = try pipe("exports/a.ndjson")
    try folder.write("{}", to: "exports/b.ndjson")
    let found = ExportFile.matching("exports/*", in: workspace).map(\.path)
    #expect(found == [folder.path(of: "exports/b.ndjson")])
  }
}
