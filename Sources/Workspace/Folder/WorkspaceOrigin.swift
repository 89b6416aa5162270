package import Model
package import Store

/// The project whose data a workspace holds, which prevents two projects in one database.
///
/// See `docs/jobs.md#whose-data`.
package struct WorkspaceOrigin: Equatable, Sendable {
  package static let demo = WorkspaceOrigin(project: "demo")

  package let project: String

  package init(project: String) {
    self.project = project
  }

  /// The message when Google would be asked for a demo's project: ids there have at least six
  /// letters.
  package static let isNobodys =
    "The project is 'demo', which nobody can have at Google: this workspace is a demo, or its "
    + "firetally.yml names no project of yours yet. `firetally status`, `findings`, `report` and "
    + "`sql` read what it holds. To load from a made-up app, start `firetally emulator --users 20` "
    + "and set FIRESTORE_EMULATOR_HOST=127.0.0.1:8080. For your own app, name your project as "
    + "firestore.project in firetally.yml."

  private static let markName = DatabaseInspection.projectName

  /// Returns the stored project; nil for a database without fetched data.
  package static func stored(in store: Store) throws -> WorkspaceOrigin? {
    try store.read { try $0.mark(named: markName) }.map(WorkspaceOrigin.init(project:))
  }

  /// Claims the database for this project; throws when it holds another project's data.
  ///
  /// The claim precedes the first data. The claim of a project that never stored anything, perhaps
  /// with a misspelled name, is replaced, and the state of its loads is deleted.
  package func claim(_ store: Store, at path: String) throws {
    guard try Self.stored(in: store) != self else { return }
    try store.write { writer in
      if let other = try other(in: writer) {
        guard try !writer.holdsFetchedData() else { throw refusal(of: other, at: path) }
        try writer.forgetLoads()
      }
      try writer.setMark(project, named: Self.markName)
    }
  }

  /// Throws when the database holds another project's data.
  package func check(_ store: Store, at path: String) throws {
    try store.read { reader in
      guard let other = try other(in: reader), try reader.holdsFetchedData() else { return }
      throw refusal(of: other, at: path)
    }
  }

  /// Whether the database is claimed for another project but holds none of its data.
  package func replacesOther(in store: Store) throws -> Bool {
    try store.read { try other(in: $0) != nil && !$0.holdsFetchedData() }
  }

  private func other(in source: some Readable) throws -> WorkspaceOrigin? {
    let stored = try source.mark(named: Self.markName).map(WorkspaceOrigin.init(project:))
    return stored == self ? nil : stored
  }

  private func refusal(of other: WorkspaceOrigin, at path: String) -> WorkspaceError {
    .otherProject(path: path, stored: other.project, asked: project)
  }
}

/// The mark of a workspace that `firetally demo` made, whose jobs nothing starts:
/// docs/emulator.md#the-demo.
extension Readable {
  package func isDemo() throws -> Bool { try mark(named: demoName) != nil }
}

extension Writer {
  /// Marks the workspace as a demo; a database of a real project never is.
  package func setDemo(at now: Instant) throws {
    try setMark(now.iso8601, named: demoName)
  }
}

/// The name of the mark with the time when a demo was made.
private let demoName: MarkName = "demo made at"
