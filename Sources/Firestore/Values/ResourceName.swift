import HTTP

/// The name of a database's root, of a collection, or of a document in it.
///
/// See `docs/firestore.md#addresses`.
package struct ResourceName: Hashable, Sendable {
  package var project: String
  /// Usually the literal `(default)`.
  package var database: String
  /// Collection ids and document ids in turn; empty for the root of all documents.
  package private(set) var segments: [String]

  /// The root of the database's documents.
  package init(project: String, database: String = "(default)") {
    self.project = project
    self.database = database
    segments = []
  }

  /// Reads `projects/{project}/databases/{database}/documents[/...]`.
  package init(parsing text: String) throws(WireError) {
    let parts = ResourceName.ids(in: text)
    guard parts.count >= 5, parts[0] == "projects", parts[2] == "databases",
      parts[4] == "documents", !parts[1].isEmpty, !parts[3].isEmpty
    else {
      throw WireError(
        "`\(text)` is not a name such as projects/PROJECT/databases/(default)/documents/Users/ID")
    }
    self = try ResourceName(project: parts[1], database: parts[3]).appending(Array(parts[5...]))
  }

  /// Adds a relative path such as `Users/abc` or `Users`.
  package func appending(path: String) throws(WireError) -> ResourceName {
    try appending(ResourceName.ids(in: path))
  }

  /// Adds ids, none of which may hold a slash.
  package func appending(_ ids: [String]) throws(WireError) -> ResourceName {
    for (position, id) in ids.enumerated() where !ResourceName.isValid(id: id) {
      let isDocument = (segments.count + position) % 2 == 1
      guard !isDocument || !ResourceName.isNumeric(id: id) else { continue }
      throw WireError(
        "`\(id)` cannot be the id of a collection or a document: 1 to 1,500 bytes, no slash, "
          + "not `.`, `..` or `__...__`")
    }
    var copy = self
    copy.segments += ids
    return copy
  }

  /// What stands between the slashes of a name or a path, in its order; empty ones are kept.
  ///
  /// A slash is a byte: before a combining mark, which an id may begin with, Swift takes both for one
  /// character that is none.
  package static func ids(in path: some StringProtocol) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  package var isDocument: Bool { !segments.isEmpty && segments.count % 2 == 0 }

  package var isCollection: Bool { segments.count % 2 == 1 }

  /// The last id; nil for the root.
  package var id: String? { segments.last }

  /// What holds it: a document's collection, a collection's document or the root; nil for the root.
  package var parent: ResourceName? {
    guard !segments.isEmpty else { return nil }
    var copy = self
    copy.segments.removeLast()
    return copy
  }

  /// `projects/{project}/databases/{database}`.
  package var databaseName: String { "projects/\(project)/databases/\(database)" }

  /// The name with every part percent-encoded, as a URL's path holds it.
  package var encodedPath: String {
    let parts = ["projects", project, "databases", database, "documents"] + segments
    return parts.map(PercentEncoding.path).joined(separator: "/")
  }

  /// Whether `id` has the form `__id7__`, which Datastore gave to documents.
  private static func isNumeric(id: String) -> Bool {
    guard id.hasPrefix("__id"), id.hasSuffix("__"), id.utf8.count > 6 else { return false }
    return Int64(id.dropFirst(4).dropLast(2)) != nil
  }

  /// Whether Firestore takes `id` for a collection or a document; see `docs/firestore.md#limits`.
  package static func isValid(id: String) -> Bool {
    guard (1...1500).contains(id.utf8.count), !id.utf8.contains(UInt8(ascii: "/")) else {
      return false
    }
    let isReserved = id.utf8.count >= 4 && id.hasPrefix("__") && id.hasSuffix("__")
    return id != "." && id != ".." && !isReserved
  }
}

extension ResourceName: CustomStringConvertible {
  /// The name as documents carry it, not encoded.
  package var description: String {
    ([databaseName, "documents"] + segments).joined(separator: "/")
  }
}
