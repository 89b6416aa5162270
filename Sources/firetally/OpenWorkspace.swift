import Foundation
import Jobs
import Model
import Store

/// A workspace and what its configuration says.
struct OpenWorkspace: Sendable {
  let workspace: Workspace
  let config: WorkspaceConfig
  /// The command's one instant.
  let now: Instant
  /// Is called with what happened to the database while it was opened.
  let note: @Sendable (String) -> Void
  /// Who acts, and has to be in the database; nil for anybody.
  var profile: String?

  var app: AppIdentity {
    AppIdentity(
      name: config.app.name, bundleId: config.app.bundleId,
      platform: config.app.platform.rawValue)
  }

  /// Whose clock schedules mean.
  var timeZone: TimeZone {
    guard let zone = TimeZone(identifier: config.timeZone) else {
      preconditionFailure("the time zone was checked when the configuration was read")
    }
    return zone
  }

  /// Opens the database, making it when there is none, and backing it up before a migration.
  ///
  /// - Throws: `JobsError` for a profile that was never created.
  func store() throws -> Store {
    if !FileManager.default.fileExists(atPath: workspace.databasePath) {
      try checkProfile(in: nil)
    }
    try workspace.makeFolders()
    let store = try workspace.openStore(at: now, note: note)
    try checkProfile(in: store)
    return store
  }

  func settings(in store: Store) throws -> Settings {
    try WorkspaceSettings.inForce(in: store, config: config)
  }

  /// The database to read from, of an older release as a migrated copy; nil when nothing was stored
  /// yet.
  ///
  /// - Throws: `JobsError` for a profile that was never created.
  func readStore() throws -> Store? {
    let store = try workspace.storeToRead(willCopy: tellCopy)
    try checkProfile(in: store)
    return store
  }

  /// Reads all that a command wants of the database before it prints, without a file beside it where
  /// nobody writes: docs/commands.md#readers.
  ///
  /// - Parameter body: is called once or twice, so it prints nothing; with nil when nothing was
  ///   stored yet. The store is only valid inside.
  /// - Returns: what `body` returned last.
  /// - Throws: `JobsError` for a profile that was never created, and what `body` throws.
  func reading<T>(_ body: (Store?) throws -> T) throws -> T {
    do {
      return try Store.reading(path: workspace.databasePath, willCopy: tellCopy) { store in
        try checkProfile(in: store)
        return try body(store)
      }
    } catch StoreError.missing {
      try checkProfile(in: nil)
      return try body(nil)
    }
  }

  private func tellCopy(ofSchema schema: Int) {
    note(
      "The database has schema \(schema), of an older firetally. It is read as a copy with schema "
        + "\(Store.schemaVersion); the next job brings the database there.")
  }

  /// The database to read from; an error that says how to make one when there is none.
  func readableStore() throws -> Store {
    try readStore() ?? Store.open(path: workspace.databasePath, mode: .readOnly)
  }

  private func checkProfile(in store: Store?) throws {
    guard let profile, profile != Profile.defaultName else { return }
    try JobsError.checkProfile(profile, among: try store?.read { try $0.profileNames() } ?? [])
  }

  /// The database to read from, or an empty one in memory when nothing was stored yet.
  func readStoreOrEmpty() throws -> Store { try readStore() ?? .inMemory() }
}

extension Workspace {
  /// The database to read from; nil when nothing was stored yet.
  ///
  /// `willCopy` is called with the schema of an older release before a copy of it is migrated.
  func storeToRead(willCopy: (Int) -> Void) throws -> Store? {
    do {
      return try Store.openToRead(path: databasePath, willCopy: willCopy)
    } catch StoreError.missing {
      return nil
    }
  }
}
