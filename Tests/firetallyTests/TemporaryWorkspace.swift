import Emulator
import Firestore
import Fixtures
import Foundation
import HTTP
import Model
import Operations
import Store
import Testing
import Workspace

/// A workspace in a folder of its own, beside an embedded Firestore with a made-up app.
final class TemporaryWorkspace: Sendable {
  let server: EmulatorServer

  private let temporary: TemporaryFolder

  /// 2026-01-31T08:00:00Z, the morning that the tests live in.
  static let morning = Instant.morning

  init(users: Int = 60, edition: FirestoreEdition = .standard) async throws {
    temporary = try TemporaryFolder()
    server = try await EmulatorServer.start(edition: edition)
    let sample = SampleApp(users: users, seed: 7, now: Self.morning)
    try server.documents.seed(sample.documents(in: "projects/demo/databases/(default)"))
    _ = try WorkspaceTemplate.write(to: Workspace(root: temporary.path))
  }

  var folder: URL { temporary.url }

  var program: BuiltProgram {
    BuiltProgram(environment: ["FIRESTORE_EMULATOR_HOST": server.address])
  }

  /// Runs the program in the workspace at an instant, the morning unless told.
  func run(_ arguments: String..., at now: Instant = morning) async throws
    -> BuiltProgram.Result
  {
    try await run(arguments, at: now)
  }

  func run(
    _ arguments: [String], at now: Instant = morning
  ) async throws -> BuiltProgram.Result {
    try await program.run(arguments + ["-C", folder.path, "--now", now.description])
  }

  /// Runs it as a process of its own.
  func start(_ arguments: [String], at now: Instant = morning) throws -> Running {
    try program.start(arguments + ["-C", folder.path, "--now", now.description])
  }

  func write(_ text: String, to path: String) throws {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// Adds `firetally.yml: settings:` with these lines, to be called once.
  func set(_ settings: String) throws { try add("settings:\n  \(settings)") }

  /// Adds these lines to `firetally.yml`.
  func add(_ lines: String) throws {
    let path = folder.appendingPathComponent("firetally.yml")
    let text = try String(contentsOf: path, encoding: .utf8)
    try Data("\(text)\n\(lines)\n".utf8).write(to: path)
  }

  func store() throws -> Store {
    try Store.open(
      path: folder.appendingPathComponent("data/firetally.sqlite").path, mode: .readOnly)
  }

  /// Ids in `OnlineUsers`, sorted.
  func userIds() throws -> [String] {
    try store().read { try $0.users(limit: 10_000).users.map(\.userId).sorted() }
  }

  /// Requests for pages of users that the server has seen.
  var userRequests: Int {
    server.requests.filter { $0.path.hasSuffix("documents:runQuery") }.count
  }

  /// What was delivered, document by document.
  func deliveredFeedback() throws -> [Document] {
    let root = ResourceName(project: "demo")
    return server.documents.documents(
      in: try root.appending(path: "Feedback/com.peppty.ChatApp/Rating_Feedback"))
  }
}

extension FirestoreClient {
  /// A client of the server that the environment names, beside the program's own.
  convenience init(project: String, environment: [String: String]) throws {
    let http = HTTPClient()
    let plan = CredentialSource(choice: nil, environment: environment)
    let morning = Timestamp(microseconds: TemporaryWorkspace.morning.microseconds)
    self.init(
      http: http,
      endpoint: Endpoint(
        baseURL: try #require(Endpoint.emulatorURL(in: environment)), project: project,
        database: "(default)"),
      credentials: Credentials(plan, http: http, now: { morning }), now: { morning })
  }
}
