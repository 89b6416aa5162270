import CryptoExtras
import Foundation
import Testing

@testable import Firestore

/// A credentials file in a folder of its own, which the test removes.
struct KeyFile: Sendable {
  static let privateKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

  let path: String
  private let folder: URL

  init(_ json: JSON, mode: Int = 0o600) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "firetally-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "key.json")
    try Data(json.serialized()).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    path = file.path
  }

  func remove() {
    #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) }
  }

  static func serviceAccount(tokenURL: String, adding more: [String: JSON] = [:]) throws -> JSON {
    var members: [String: JSON] = [
      "type": .string("service_account"), "project_id": .string("key-project"),
      "private_key_id": .string("kid-1"), "client_email": .string("bot@key-project.example"),
      "private_key": .string(try privateKey.get().pkcs8PEMRepresentation),
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
