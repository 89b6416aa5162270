import Glibc
import HTTP
import Platform

/// A Google credentials file: a service account's key, a user's refresh token, or a configuration
/// for keyless access.
struct CredentialFile: Sendable {
  indirect enum KeyKind: Sendable {
    case serviceAccount(ServiceAccountKey)
    case authorizedUser(AuthorizedUser)
    case externalAccount(ExternalAccount)
    case workforceUser(WorkforceUser)
    case impersonated(ImpersonatedAccount)
  }

  var kind: KeyKind
  var project: String?
  var quotaProject: String?
  /// A warning about the file's permissions; nil when only its owner can read it.
  var warning: String?

  /// Reads the file; throws `CredentialsError`.
  init(path: String) throws {
    guard Self.isPath(path) else { throw CredentialsError.keyInsteadOfPath }
    try self.init(Self.bytes(of: path), path: path)
    warning = SecretFile.warning(about: "The credentials file \(path)", path: path)
  }

  /// Maximum size in bytes; a key has about 2 kB.
  private static let longestFile = 1 << 16

  private static func bytes(of path: String) throws(CredentialsError) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(RegularFile.Refusal) {
      bytes = try RegularFile.bytes(of: path, limit: longestFile)
    } catch {
      if let special = error.special { throw .specialFile(path: path, special) }
      throw failure(error.code, path)
    }
    guard let bytes else {
      throw .badFile(path: path, problem: "it has more than \(longestFile) bytes")
    }
    return bytes
  }

  private static func failure(_ code: Int32, _ path: String) -> CredentialsError {
    switch code {
    case ENOENT, ENOTDIR: .missingFile(path: path)
    case EISDIR: .folder(path: path)
    default: .unreadableFile(path: path, reason: SystemError.text(code))
    }
  }

  init(_ bytes: some Sequence<UInt8>, path: String) throws {
    let bytes = Array(bytes)
    guard let first = bytes.first(where: { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }) else {
      throw CredentialsError.emptyFile(path: path)
    }
    do {
      if let app = AppConfiguration(bytes) {
        throw CredentialsError.appConfiguration(path: path, app.name)
      }
      let members = try JSON(parsing: bytes).members()
      kind = try CredentialFile.kind(members, path: path)
      project = try members.text("project_id")
      for url in kind.secretURLs {
        guard try HTTPClient.isPlain(toAnotherMachine: url) else { continue }
        throw CredentialsError.plainTokenAddress(path: path, host: TokenEndpoint.host(url))
      }
      // As in Google's libraries, the member does not count in the file of a key.
      if case .serviceAccount = kind {} else { quotaProject = try members.text("quota_project_id") }
    } catch is JSONError where ![UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first) {
      throw CredentialsError.notJSON(path: path)
    } catch let error as JSONError {
      throw CredentialsError.badFile(path: path, problem: "it is \(error)")
    } catch let error as WireError {
      throw CredentialsError.badFile(path: path, problem: error.clause(about: "it"))
    } catch is HTTPError {
      throw CredentialsError.badFile(
        path: path, problem: "token_uri, or another address, is not an http or https URL")
    }
  }

  static func exists(path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether a text can be a path; a key that was entered instead of one must not be shown.
  static func isPath(_ text: String) -> Bool {
    !text.contains("\"") && !text.contains("PRIVATE KEY") && !text.contains(where: \.isNewline)
      && text.split(separator: "/").allSatisfy { $0.utf8.count <= Int(NAME_MAX) }
  }

  /// The account of the credentials in the file at `path`.
  func account(path: String) -> GoogleAccount { GoogleAccount(kind.account, source: path) }

  /// The credentials in the members of a file, or of a part of it.
  static func kind(_ members: [String: JSON], path: String) throws -> KeyKind {
    let type = try members.requiredText("type")
    if let domain = try members.text("universe_domain"), !CloudUniverse.isGoogle(domain) {
      throw CredentialsError.otherUniverse(place: path, domain: domain)
    }
    switch type {
    case "service_account": return .serviceAccount(try ServiceAccountKey(members, path: path))
    case "authorized_user": return .authorizedUser(try AuthorizedUser(members))
    case "external_account": return .externalAccount(try ExternalAccount(members, path: path))
    case "external_account_authorized_user": return .workforceUser(try WorkforceUser(members))
    case "impersonated_service_account":
      return .impersonated(try ImpersonatedAccount(members, path: path))
    default: throw CredentialsError.unsupportedType(path: path, type: type)
    }
  }
}

extension CredentialFile.KeyKind {
  /// The endpoints that secrets are sent to or received from.
  var secretURLs: [String] {
    switch self {
    case .serviceAccount(let key): [key.tokenURL]
    case .authorizedUser(let user): [user.tokenURL]
    case .externalAccount(let account):
      [account.tokenURL]
        + [account.impersonation?.url, account.source.address].compactMap(\.self)
    case .workforceUser(let user): [user.tokenURL]
    case .impersonated(let account): account.source.secretURLs + [account.impersonation.url]
    }
  }

  /// The account of the tokens.
  var account: GoogleAccount.AccountKind {
    switch self {
    case .serviceAccount(let key): .service(email: key.email)
    case .authorizedUser: .user
    case .externalAccount(let account):
      account.impersonation.map { .service(email: $0.email) }
        ?? .workload(principals: account.principals)
    case .workforceUser(let user): user.principals.map { .workforce(principals: $0) } ?? .user
    case .impersonated(let account): .service(email: account.impersonation.email)
    }
  }
}

/// The app's configuration files, which are easily confused with a key.
private struct AppConfiguration {
  let name: String

  /// Nil for other files.
  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.contains("\"project_info\""), text.contains("\"client\"") {
      name = "google-services.json"
    } else if text.contains("<plist"), text.contains("GOOGLE_APP_ID") {
      name = "GoogleService-Info.plist"
    } else {
      return nil
    }
  }
}
