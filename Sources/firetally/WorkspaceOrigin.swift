import Firestore
import Store

/// Which project's data a workspace holds, so that two projects never mix in one database.
struct WorkspaceOrigin: Equatable {
  static let demo = WorkspaceOrigin(project: "demo")

  let project: String

  init(project: String) {
    self.project = project
  }

  init(of endpoint: Endpoint) {
    project = endpoint.root.project
  }

  private static let markName = "origin"

  /// Nil for a database that nothing was fetched into.
  static func stored(in store: Store) throws -> WorkspaceOrigin? {
    try store.read { try $0.mark(named: markName) }.map(WorkspaceOrigin.init(project:))
  }

  /// Takes the database for this project; an error when it is another's.
  func claim(_ store: Store, at path: String) throws {
    if try !owns(store, at: path) {
      try store.write { try $0.setMark(project, named: Self.markName) }
    }
  }

  /// Whether the database is taken for this project; an error when it is another's.
  @discardableResult
  func owns(_ store: Store, at path: String) throws -> Bool {
    guard let stored = try Self.stored(in: store) else { return false }
    guard stored == self else {
      throw CommandError.otherProject(path: path, stored: stored.project, asked: project)
    }
    return true
  }
}
