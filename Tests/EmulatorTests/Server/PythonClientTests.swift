import Emulator
import Firestore
import Foundation
import Model
import Testing

/// Google's own Python client over REST, put to our server by `Python/client_suite.py`.
@Suite struct PythonClientTests {
  private static func script(_ name: String) -> String {
    URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Python/\(name).py").path
  }

  private static let isInstalled = has("google.cloud.firestore")
  private static let hasAdmin = has("firebase_admin")
  private static let hasDiscovery = has("googleapiclient")

  private static func has(_ module: String) -> Bool {
    do {
      let look = "import importlib.util as i, sys; sys.exit(not i.find_spec('\(module)'))"
      return try run(look, ["-c"]).status == 0
    } catch {
      return false
    }
  }

  private static let absence: Comment =
    "Google's Python client is not here: pip install google-cloud-firestore"

  @Test(.enabled(if: isInstalled, absence))
  func `Google's Python client gets what it expects`() async throws {
    let server = try await EmulatorServer.start()
    let outcome = try await Self.runAside("client_suite", server.address)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("ok a bulk writer gives each write its own end"))
    try await server.stop()
  }

  @Test(.enabled(if: hasAdmin, "Google's Admin SDK is not here: pip install firebase-admin"))
  func `Google's Admin SDK lists the accounts, whatever the page's size`() async throws {
    let server = try await EmulatorServer.start()
    let sample = SampleApp(users: 40, seed: 3, now: Instant(unixSeconds: 1_770_000_000))
    server.accounts.seed(sample.accounts(), project: "demo")
    let outcome = try await Self.runAside("accounts", server.address, "demo", "40")
    #expect(outcome.status == 0, "\(outcome.output)")
    let lines = outcome.output.split(separator: "\n").filter { $0.hasPrefix("user ") }
    #expect(lines.map(String.init) == Self.lines(of: sample.accounts()))
    try await server.stop()
  }

  @Test(
    .enabled(if: hasDiscovery, "It is not here: pip install google-api-python-client"),
    arguments: FirestoreEdition.allCases)
  func `the client of Google's discovery document gets what each edition gives`(
    edition: FirestoreEdition
  ) async throws {
    let server = try await EmulatorServer.start(edition: edition)
    let outcome = try await Self.runAside("editions", server.address, edition.rawValue)
    #expect(outcome.status == 0, "\(outcome.output)")
    // At the root of a database its patterns allow no query for partitions.
    let count = edition == .standard ? 53 : 54
    #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("ok ") } == count)
    try await server.stop()
  }

  /// What the script prints of accounts.
  private static func lines(of accounts: [JSON]) -> [String] {
    func text(_ json: JSON?) -> String {
      guard case .string(let text)? = json else { return "-" }
      return text
    }
    func flag(_ json: JSON?) -> String { json == .boolean(true) ? "True" : "False" }
    return accounts.sorted { text($0["localId"]) < text($1["localId"]) }.map { account in
      guard case .array(let infos)? = account["providerUserInfo"] else { return "no providers" }
      let claims = text(account["customAttributes"]).split(separator: "\"")
      return [
        "user", text(account["localId"]), text(account["createdAt"]), text(account["lastLoginAt"]),
        flag(account["emailVerified"]), flag(account["disabled"]),
        infos.map { text($0["providerId"]) }.joined(separator: ","),
        claims.count > 3 ? String(claims[3]) : "-",
      ].joined(separator: " ")
    }
  }

  /// Runs a script without holding a thread of the tests.
  private static func runAside(_ name: String, _ arguments: String...) async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try run(script(name), ["-B"], arguments) })
      }
    }
  }

  private struct Outcome: Sendable {
    let status: Int32
    let output: String
  }

  /// Runs Python with the options, the script and its arguments; waits for its end.
  private static func run(
    _ script: String, _ options: [String], _ arguments: [String] = []
  ) throws -> Outcome {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + options + [script] + arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }
}
