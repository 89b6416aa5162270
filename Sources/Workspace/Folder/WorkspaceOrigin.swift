package import Model
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

  /// What to say where a demo's project is asked of Google: ids there have six letters at least.
  package static let isNobodys =
    "The project is 'demo', which nobody can have at Google: this workspace is a demo, or its "
    + "firetally.yml names no project of yours yet. `firetally status`, `findings`, `report` and "
    + "`sql` read what it holds. To load from a made-up app, start `firetally emulator --users 20` "
    + "and set FIRESTORE_EMULATOR_HOST=127.0.0.1:8080. For your own app, name your project as "
    + "firestore.project in firetally.yml."

  private static let metadataName = DatabaseInspection.projectName

  /// Nil for a database that nothing was fetched into.
  package static func stored(in store: Store) throws -> WorkspaceOrigin? {
    try store.read { try $0.metadata(named: metadataName) }.map(WorkspaceOrigin.init(project:))
  }

  /// Claims the database for this project; an error when it holds another's data.
  ///
  /// It is claimed before the first data is stored. The claim of a project that never stored
  /// anything, perhaps a misspelled name, is replaced, and the state of its loads is deleted.
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

  /// Whether the database is claimed for another project but holds nothing of it.
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

/// A workspace that `firetally demo` has made, whose jobs nothing starts:
/// docs/emulator.md#the-demo.
extension Readable {
  package func isDemo() throws -> Bool { try metadata(named: demoName) != nil }
}

extension Writer {
  /// Remembers that the workspace is a demo; a database of a real project never is.
  package func setDemo(at now: Instant) throws {
    try setMetadata(now.iso8601, named: demoName)
  }
}

/// The name of the metadata that says when a demo was made.
private let demoName = "demo made at"
