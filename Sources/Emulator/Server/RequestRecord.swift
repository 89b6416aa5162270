package import Firestore

/// A request as it arrived.
package struct RequestRecord: Hashable, Sendable {
  /// As on the request line, in capitals.
  package var method: String
  /// The path and the query as they were sent, still encoded.
  package var target: String
  /// Names in lower case; the last of fields with the same name.
  package var headers: [String: String]
  package var body: [UInt8]

  package init(
    method: String, target: String, headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The target up to its `?`.
  package var path: String {
    String(target.prefix { $0 != "?" })
  }

  /// The body; an empty one counts as an object without members.
  package func json() throws -> JSON {
    body.isEmpty ? .object([:]) : try JSON(parsing: body)
  }
}
