import HTTP

/// The server's address and the name of a database on it.
package struct Endpoint: Hashable, Sendable {
  package static let googleURL = "https://firestore.googleapis.com/v1"

  /// With the version and without a trailing slash, such as `https://firestore.googleapis.com/v1`.
  package var baseURL: String
  /// The root of the database's documents.
  package var root: ResourceName

  package init(
    baseURL: String = Endpoint.googleURL, project: String, database: String = "(default)"
  ) {
    self.baseURL = baseURL.withoutTrailingSlashes
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

  /// The URL of a resource, or of a method on it such as `:runQuery`.
  ///
  /// `query` contains names and values that are not encoded yet.
  func url(
    _ name: ResourceName, method: String = "", query: [(String, String)] = []
  ) -> String {
    let parameters = (query + [("prettyPrint", "false")]).map { name, value in
      "\(PercentEncoding.query(name))=\(PercentEncoding.query(value))"
    }
    return "\(baseURL)/\(name.encodedPath)\(method)?\(parameters.joined(separator: "&"))"
  }
}
