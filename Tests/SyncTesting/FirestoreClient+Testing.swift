package import Emulator
package import Firestore
import Fixtures
import HTTP
import Model
import Sync
import Synchronization
import Testing

/// The server that a test talks to over HTTP.
package enum Backend: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case embedded, google

  /// The embedded one, and Google's emulator where it is installed.
  package static let present = GoogleEmulator.isInstalled ? allCases : [.embedded]

  package var testDescription: String { rawValue }

  /// Runs `body` with a client for a project of this name.
  package func run<T>(_ project: String, _ body: (FirestoreClient) async throws -> T) async throws
    -> T
  {
    switch self {
    case .google:
      return try await body(
        .speaking(to: try await GoogleEmulator.shared().address, project: project))
    case .embedded:
      return try await withServer { server, _ in
        try await body(.speaking(to: server.address, project: project))
      }
    }
  }
}

/// Runs `body` with a server of its own and a client for its project `demo`.
package func withServer<T>(
  attempts: Int = 5, _ body: (EmulatorServer, FirestoreClient) async throws -> T
) async throws -> T {
  let server = try await EmulatorServer.start()
  let result: Result<T, any Error>
  do {
    result = .success(try await body(server, .speaking(to: server.address, attempts: attempts)))
  } catch {
    result = .failure(error)
  }
  try await server.stop()
  return try result.get()
}

extension FirestoreClient {
  /// A client that does not sleep between its attempts.
  package static func speaking(
    to address: String, project: String = "demo", attempts: Int = 5
  ) -> FirestoreClient {
    let http = HTTPClient()
    let now: @Sendable () -> Timestamp = { Timestamp(microseconds: Instant.morning.microseconds) }
    let plan = CredentialSource(environment: ["FIRESTORE_EMULATOR_HOST": address])
    return FirestoreClient(
      http: http,
      endpoint: Endpoint(
        baseURL: "http://\(address)/v1", project: project,
        identityURL: "http://\(address)/identitytoolkit.googleapis.com/v1"),
      credentials: Credentials(plan, http: http, now: now),
      retry: RetryPolicy(attemptLimit: attempts, random: { 0.5 }), now: now, sleep: { _ in })
  }

  /// Stores the documents by their paths; replaces those that exist.
  package func put(_ documents: [String: [String: Value]]) async throws {
    let writes = try documents.map { path, fields in
      let name = try endpoint.root.appending(path: path)
      return Write(.update(Document(name: name.description, fields: fields), mask: nil))
    }
    _ = try await commit(writes)
  }

  /// What a collection holds, by document id.
  package func contents(of collection: String) async throws -> [String: [String: Value]] {
    let ids = try await documentIds(in: try root.appending(path: collection), count: 300)
    let found = try await documents(at: ids.map { "\(collection)/\($0)" })
    return Dictionary(found.values.map { ($0.id, $0.fields) }) { _, last in last }
  }
}

extension [String: Value] {
  /// A user as the app writes one, seen so many seconds before the morning of the tests.
  package static func user(_ id: String, seenAgo seconds: Int64, _ others: [String: Value] = [:])
    -> Self
  {
    let seen = Instant.morning - .seconds(seconds)
    let fields: Self = [
      "User_id": .string(id), "User_name": .string("Name of \(id)"), "User_age": .string("30"),
      "User_gender": .string("Female"), "User_country": .string("Chile"),
      "user_city": .string("Lima"),
      "last_time_seen": .timestamp(Timestamp(microseconds: seen.microseconds)),
    ]
    return fields.merging(others) { _, other in other }
  }
}

extension [String: [String: Value]] {
  /// `user-1` to `user-N` in `Users`, the first one seen last.
  package static func users(_ count: Int) -> Self {
    Dictionary(
      uniqueKeysWithValues: (1...count).map { number in
        ("Users/user-\(number)", .user("user-\(number)", seenAgo: Int64(number) * 60))
      })
  }
}
