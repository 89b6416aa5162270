import Crypto
import Fixtures
import Foundation
import Synchronization

@testable import Firestore

/// A credentials file in a folder of its own, which goes when the value does.
struct KeyFile: Sendable {
  let path: String
  private let folder: TemporaryFolder

  init(_ json: JSON, mode: Int = 0o600) throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "key.json")
    try folder.write(String(decoding: json.serialized(), as: UTF8.self), to: "key.json")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  static func serviceAccount(tokenURL: String, adding more: [String: JSON] = [:]) throws -> JSON {
    var members: [String: JSON] = [
      "type": .string("service_account"), "project_id": .string("key-project"),
      "private_key_id": .string("kid-1"), "client_email": .string("bot@key-project.example"),
      "private_key": .string(PublishedKey.pem),
      "token_uri": .string(tokenURL),
    ]
    members.merge(more) { $1 }
    return .object(members)
  }

  static func authorizedUser(tokenURL: String, adding more: [String: JSON] = [:]) -> JSON {
    var members: [String: JSON] = [
      "type": .string("authorized_user"), "client_id": .string("id"),
      "client_secret": .string("s&cret"), "refresh_token": .string("1//refresh"),
      "token_uri": .string(tokenURL),
    ]
    members.merge(more) { $1 }
    return .object(members)
  }
}

/// A clock that the test turns.
final class ManualClock: Sendable {
  private let time = Mutex(Stage.now)

  var now: Timestamp { time.withLock { $0 } }

  func advance(seconds: Int64) {
    time.withLock { $0.microseconds += seconds * 1_000_000 }
  }
}
