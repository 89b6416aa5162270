package import Firestore
package import Sync
package import Workspace

/// The path of a document or a collection as a person types or pastes it.
///
/// These forms are equal: `Users/abc`, `/Users/abc` as copied from the Firebase console, and a
/// document's full name, `projects/P/databases/D/documents/Users/abc`.
package struct TypedPath: Hashable, Sendable {
  /// The path below the database, without a slash at either end.
  package let path: String
  private let ids: [String]
  /// The database of a full name; nil for other forms.
  private let root: ResourceName?

  /// - Throws: `WorkspaceError.refused` for an invalid path.
  package init(parsing text: String) throws(WorkspaceError) {
    var ids = ResourceName.ids(in: text)
    if ids.count > 1, ids.first == "" { ids.removeFirst() }
    if ids.count > 1, ids.last == "" { ids.removeLast() }
    var root: ResourceName?
    if ids.count > 5, ids[0] == "projects", ids[2] == "databases", ids[4] == "documents" {
      root = ResourceName(project: ids[1], database: ids[3])
      ids.removeFirst(5)
    }
    guard ids != [""] else {
      throw .refused(
        .usage,
        "The path is empty: name a collection such as Users, or a document "
          + "such as Users/abc.")
    }
    do {
      _ = try ResourceName(project: "any").appending(ids)
    } catch {
      throw .refused(.usage, "'\(text)' is not a path: \(error.problem).")
    }
    self.ids = ids
    self.root = root
    path = ids.joined(separator: "/")
  }

  package var isDocument: Bool { ids.count.isMultiple(of: 2) }

  /// Returns the name in a database.
  ///
  /// - Throws: `WorkspaceError.refused` for the full name of a document in another database.
  package func name(in root: ResourceName) throws -> ResourceName {
    guard self.root.map({ $0 == root }) ?? true else {
      throw WorkspaceError.refused(
        .usage,
        "'\(path)' was named in \(self.root?.databaseName ?? ""), and this workspace reads "
          + "\(root.databaseName). Give the path alone, or name the other project with --project.")
    }
    return try root.appending(ids)
  }

  /// Returns the path if it is a document's.
  ///
  /// - Throws: `WorkspaceError.refused` for a collection's path.
  package func checkedAsDocument() throws(WorkspaceError) -> TypedPath {
    guard isDocument else {
      throw .refused(
        .usage,
        "'\(path)' is a collection: a document's path has an even number of parts, such as "
          + "\(path)/ID. `firetally query \(path)` reads the collection.")
    }
    return self
  }

  /// Returns the collection, or the collection group with that id.
  ///
  /// - Throws: `WorkspaceError.refused` for a document's path, and for a group with more than an
  ///   id.
  package func collection(isGroup: Bool = false) throws(WorkspaceError) -> CollectionSource {
    guard !isDocument else {
      throw .refused(
        .usage,
        "'\(path)' is a document: a collection's path has an odd number of parts, such as "
          + "\(path)/Orders. `firetally get \(path)` reads the document.")
    }
    guard !isGroup || ids.count == 1 else {
      throw .refused(
        .usage,
        "--group takes the id of the collections alone: '\(ids.last ?? "")', not '\(path)'.")
    }
    let parent = ids.dropLast().joined(separator: "/")
    return CollectionSource(
      collectionId: ids.last ?? "", parent: parent.isEmpty ? nil : parent, isGroup: isGroup)
  }
}
