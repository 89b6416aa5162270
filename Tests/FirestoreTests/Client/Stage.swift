import Fixtures
import HTTP
import Synchronization

@testable import Firestore

/// A scripted server and a client that asks it, whose pauses pass at once and are noted.
final class Stage: Sendable {
  static let http = HTTPClient()
  static let now = Timestamp(microseconds: 1_769_846_400_000_000)

  let server: ScriptedServer
  let client: FirestoreClient
  private let log = Pauses()

  /// The pauses between tries, in order.
  var pauses: [Duration] { log.all }

  var root: ResourceName { client.endpoint.root }

  convenience init(_ answers: ScriptedAnswer..., retry: RetryPolicy = .steady) throws {
    try self.init(answers, retry: retry)
  }

  convenience init(
    _ answers: [ScriptedAnswer], retry: RetryPolicy = .steady, credentials: Credentials? = nil
  ) throws {
    try self.init(
      server: try ScriptedServer(answers: answers), retry: retry, credentials: credentials)
  }

  init(
    server: ScriptedServer, retry: RetryPolicy = .steady, credentials: Credentials? = nil
  ) throws {
    self.server = server
    let emulator = CredentialSource(environment: ["FIRESTORE_EMULATOR_HOST": server.host])
    client = FirestoreClient(
      http: Stage.http, endpoint: Endpoint(baseURL: server.url + "/v1", project: "demo"),
      credentials: credentials ?? Credentials(emulator, http: Stage.http, now: { Stage.now }),
      retry: retry, now: { Stage.now }, sleep: { [log] in log.note($0) })
  }
}

/// Pauses that were asked for.
final class Pauses: Sendable {
  private let noted = Mutex<[Duration]>([])

  var all: [Duration] { noted.withLock { $0 } }

  func note(_ pause: Duration) { noted.withLock { $0.append(pause) } }
}

extension RetryPolicy {
  /// Google's numbers without jitter.
  static var steady: RetryPolicy { RetryPolicy(random: { 0.5 }) }
}

extension ScriptedAnswer {
  /// Google's error envelope.
  static func error(
    _ status: RPCStatus, _ message: String = "said so", headers: [(String, String)] = [],
    details: String = "[]"
  ) -> ScriptedAnswer {
    let text = """
      {"error":{"code":\(status.httpStatus),"message":"\(message)","status":"\(status.rawValue)",\
      "details":\(details)}}
      """
    return .response(status.httpStatus, headers: headers, text)
  }
}

/// How Firestore answers a query that nothing matches.
let emptyResult = #"[{"readTime":"2026-01-31T08:00:00Z"}]"#
