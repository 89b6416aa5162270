/// The name of a database's root, of a collection or of a document, taken apart.
///
/// Two names are equal only byte for byte; `é` written as one or as two code points are two ids.
package struct ResourceName: Sendable, CustomStringConvertible {
  /// `projects/{project}/databases/{database}`.
  package let database: String
  /// Collection and document ids in turn, from the root down; empty for the root itself.
  package let path: [String]

  /// Reads `projects/{project}/databases/{database}/documents[/{collection}[/{id}]...]`.
  package init(parsing name: String) throws(Refusal) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 5, parts[0] == "projects", parts[2] == "databases",
      parts[4] == "documents", !parts[1].isEmpty, !parts[3].isEmpty
    else {
      throw .invalid(
        "Resource name \"\(name)\" is not of the form "
          + "projects/{project}/databases/{database}/documents/...")
    }
    try self.init(project: parts[1], database: parts[3], path: Array(parts[5...]))
  }

  package init(project: String, database: String, path: [String]) throws(Refusal) {
    for id in path { try ResourceName.check(id) }
    self.init(database: "projects/\(project)/databases/\(database)", checked: path)
  }

  private init(database: String, checked path: [String]) {
    self.database = database
    self.path = path
  }

  package var description: String {
    (["\(database)/documents"] + path).joined(separator: "/")
  }

  package var isRoot: Bool { path.isEmpty }
  package var isDocument: Bool { !isRoot && path.count.isMultiple(of: 2) }
  package var isCollection: Bool { !path.count.isMultiple(of: 2) }

  package func appending(_ id: String) throws(Refusal) -> ResourceName {
    try ResourceName.check(id)
    return ResourceName(database: database, checked: path + [id])
  }

  /// The collection that a document is in, or the document that a collection is under.
  var parent: ResourceName { ResourceName(database: database, checked: path.dropLast()) }

  /// Throws unless the name is that of a document.
  func requireDocument() throws(Refusal) {
    guard isDocument else {
      throw .invalid("\"\(self)\" is not the name of a document: it needs pairs of ids")
    }
  }

  /// The rules for ids of `docs/firestore.md#limits`.
  private static func check(_ id: String) throws(Refusal) {
    guard !id.isEmpty, id != ".", id != "..", id.utf8.count <= 1500, !id.utf8.contains(slash) else {
      throw .invalid("Resource id \"\(id)\" is invalid: empty, `.`, `..`, too long or with a `/`")
    }
    guard !(id.hasPrefix("__") && id.hasSuffix("__")) || id.hasPrefix("__id") else {
      throw .invalid("Resource id \"\(id)\" is invalid because it is reserved.")
    }
  }

  private static let slash = UInt8(ascii: "/")
}

extension ResourceName: Hashable {
  package static func == (left: ResourceName, right: ResourceName) -> Bool {
    left.database.utf8.elementsEqual(right.database.utf8)
      && left.path.elementsEqual(right.path) { $0.utf8.elementsEqual($1.utf8) }
  }
}
