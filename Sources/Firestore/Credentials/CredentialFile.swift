import Foundation

/// A credentials file of Google's: a service account's key, or a user's refresh token.
struct CredentialFile: Sendable {
  enum Kind: Sendable {
    case serviceAccount(ServiceAccountKey)
    case authorizedUser(AuthorizedUser)
  }

  var kind: Kind
  var project: String?
  var quotaProject: String?
  /// A sentence about the file's permissions; nil when nobody else may read it.
  var warning: String?

  /// Reads the file; throws `CredentialsError`.
  init(path: String) throws {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw CredentialsError.unreadableFile(
        path: path, reason: (error as NSError).localizedDescription)
    }
    try self.init(bytes, path: path)
    warning = SecretFile(path: path).warning(about: "The credentials file \(path)")
  }

  init(_ bytes: some Sequence<UInt8>, path: String) throws {
    do {
      let members = try JSON(parsing: bytes).members()
      kind = try CredentialFile.kind(members, path: path)
      project = try members.optional("project_id") { json throws(WireError) in try json.text() }
      quotaProject = try members.optional("quota_project_id") { json throws(WireError) in
        try json.text()
      }
    } catch let error as JSONError {
      throw CredentialsError.badFile(path: path, problem: error.description)
    } catch let error as WireError {
      throw CredentialsError.badFile(path: path, problem: error.description)
    }
  }

  static func exists(path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private static func kind(_ members: [String: JSON], path: String) throws -> Kind {
    let type = try members.required("type") { json throws(WireError) in try json.text() }
    switch type {
    case "service_account": return .serviceAccount(try ServiceAccountKey(members, path: path))
    case "authorized_user": return .authorizedUser(try AuthorizedUser(members))
    default: throw CredentialsError.unsupportedType(path: path, type: type)
    }
  }
}
