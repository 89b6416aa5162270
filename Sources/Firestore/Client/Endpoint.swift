import HTTP

/// Where a database is: the address of the server, and the database's name.
package struct Endpoint: Hashable, Sendable {
  package static let googleURL = "https://firestore.googleapis.com/v1"

  /// With the version, without a slash at its end, such as `https://firestore.googleapis.com/v1`.
  package var baseURL: String
  /// The root of the database's documents.
  package var root: ResourceName

  package init(
    baseURL: String = Endpoint.googleURL, project: String, database: String = "(default)"
  ) {
    self.baseURL = baseURL.withoutSlashesAtEnd
    root = ResourceName(project: project, database: database)
  }

  /// The base address that `FIRESTORE_EMULATOR_HOST` names; nil when it names none.
  ///
  /// See `docs/firestore.md#addresses`.
  package static func emulatorURL(in environment: [String: String]) -> String? {
    emulatorAddress(in: environment).map(baseURL(of:))
  }

  /// The base address of the server that has this one; slashes at its end do not matter.
  package static func baseURL(of address: String) -> String {
    address.withoutSlashesAtEnd + "/v1"
  }

  /// The same without the version, for other APIs of the same emulator.
  package static func emulatorAddress(in environment: [String: String]) -> String? {
    guard let host = environment["FIRESTORE_EMULATOR_HOST"], !host.isEmpty else { return nil }
    return host.contains("://") ? host : "http://\(host)"
  }

  /// The address of a resource, or of a method on it such as `:runQuery`.
  ///
  /// `query` holds names and values not yet encoded.
  func url(
    _ name: ResourceName, method: String = "", query: [(String, String)] = []
  ) -> String {
    let parameters = (query + [("prettyPrint", "false")]).map { name, value in
      "\(PercentEncoding.query(name))=\(PercentEncoding.query(value))"
    }
    return "\(baseURL)/\(name.encodedPath)\(method)?\(parameters.joined(separator: "&"))"
  }
}
