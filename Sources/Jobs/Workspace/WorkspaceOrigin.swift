package import Firestore
package import Store

/// Which project's data a workspace holds, so that two projects never mix in one database.
///
/// See `docs/jobs.md#whose-data`.
package struct WorkspaceOrigin: Equatable, Sendable {
  package static let demo = WorkspaceOrigin(project: "demo")

  package let project: String

  package init(project: String) {
    self.project = project
  }

  package init(of endpoint: Endpoint) {
    project = endpoint.root.project
  }

  private static let metadataName = DatabaseInspection.projectName

  /// Nil for a database that nothing was fetched into.
  package static func stored(in store: Store) throws -> WorkspaceOrigin? {
    try store.read { try $0.metadata(named: metadataName) }.map(WorkspaceOrigin.init(project:))
  }

  /// Takes the database for this project; an error when it holds another's data.
  ///
  /// What follows may store data of it, so it is taken before. A project of which nothing was ever
  /// stored, perhaps since its name was misspelled, gives way, with all that its loads remembered.
  package func claim(_ store: Store, at path: String) throws {
    guard try Self.stored(in: store) != self else { return }
    try store.write { writer in
      if let other = try other(in: writer) {
        guard try !writer.holdsFetchedData() else { throw refusal(of: other, at: path) }
        try writer.forgetLoads()
      }
      try writer.setMetadata(project, named: Self.metadataName)
    }
  }

  /// An error when the database holds another project's data.
  package func check(_ store: Store, at path: String) throws {
    try store.read { reader in
      guard let other = try other(in: reader), try reader.holdsFetchedData() else { return }
      throw refusal(of: other, at: path)
    }
  }

  /// Whether the database was taken for another project of which it holds nothing.
  package func replacesOther(in store: Store) throws -> Bool {
    try store.read { try other(in: $0) != nil && !$0.holdsFetchedData() }
  }

  private func other(in source: some Readable) throws -> WorkspaceOrigin? {
    let stored = try source.metadata(named: Self.metadataName).map(WorkspaceOrigin.init(project:))
    return stored == self ? nil : stored
  }

  private func refusal(of other: WorkspaceOrigin, at path: String) -> JobsError {
    .otherProject(path: path, stored: other.project, asked: project)
  }
}
