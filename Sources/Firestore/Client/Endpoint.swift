import HTTP

/// The server's address and the name of a database on it.
package struct Endpoint: Hashable, Sendable {
  package static let googleURL = "https://firestore.googleapis.com/v1"
  package static let googleIdentityURL = "https://identitytoolkit.googleapis.com/v1"

  /// With the version and without a trailing slash, such as `https://firestore.googleapis.com/v1`.
  package var baseURL: String
  /// The root of the database's documents.
  package var root: ResourceName
  /// Where Firebase Authentication's accounts are listed, with the version.
  package var identityURL: String

  package init(
    baseURL: String = Endpoint.googleURL, project: String, database: String = "(default)",
    identityURL: String = Endpoint.googleIdentityURL
  ) {
    self.baseURL = baseURL.withoutTrailingSlashes
    self.identityURL = identityURL.withoutTrailingSlashes
    root = ResourceName(project: project, database: database)
  }

  /// The base URL that `FIRESTORE_EMULATOR_HOST` names; nil when it is unset or empty.
  ///
  /// See `docs/firestore.md#addresses`.
  package static func emulatorURL(in environment: [String: String]) -> String? {
    emulatorAddress(in: environment).map(baseURL(of:))
  }

  /// The base URL of a server address, with or without trailing slashes.
  package static func baseURL(of address: String) -> String {
    address.withoutTrailingSlashes + "/v1"
  }

  /// The emulator's address without a version, for its other APIs; nil when none is named.
  package static func emulatorAddress(in environment: [String: String]) -> String? {
    guard let host = environment["FIRESTORE_EMULATOR_HOST"], !host.isEmpty else { return nil }
    return host.contains("://") ? host : "http://\(host)"
  }

  /// The base URL of accounts on the emulator that `FIREBASE_AUTH_EMULATOR_HOST` names, or else
  /// `FIRESTORE_EMULATOR_HOST`, so that a trial asks Google for nothing; nil without both.
  package static func identityEmulatorURL(in environment: [String: String]) -> String? {
    let host = environment["FIREBASE_AUTH_EMULATOR_HOST"].flatMap { $0.isEmpty ? nil : $0 }
    let address = host.map { $0.contains("://") ? $0 : "http://\($0)" }
    return (address ?? emulatorAddress(in: environment)).map {
      $0.withoutTrailingSlashes + "/identitytoolkit.googleapis.com/v1"
    }
  }

  /// The URL of a resource, or of a method on it such as `:runQuery`.
  ///
  /// `query` contains names and values that are not encoded yet.
  func url(
    _ name: ResourceName, method: String = "", query: [(String, String)] = []
  ) -> String {
    url(path: name.encodedPath + method, query)
  }

  /// The URL of the Admin API's list of the fields of all collections.
  func url(ofFieldsBy query: [(String, String)]) -> String {
    let database = ["projects", root.project, "databases", root.database]
    return url(
      path: database.map(PercentEncoding.path).joined(separator: "/")
        + "/collectionGroups/-/fields", query)
  }

  private func url(path: String, _ query: [(String, String)]) -> String {
    let parameters = (query + [("prettyPrint", "false")]).map { name, value in
      "\(PercentEncoding.query(name))=\(PercentEncoding.query(value))"
    }
    return "\(baseURL)/\(path)?\(parameters.joined(separator: "&"))"
  }
}
