import Foundation
import Jobs
import Model
import Store
import Workspace

/// A workspace with its configuration.
struct OpenWorkspace: Sendable {
  let workspace: Workspace
  let config: WorkspaceConfig
  let now: Instant
  /// Receives messages about the database while it is opened.
  let note: @Sendable (String) -> Void
  /// The acting profile, which must exist in the database; nil for any.
  var profile: String?

  var timeZone: TimeZone { TimeZone(checked: config.timeZone) }

  /// Returns a time for lists, in time_zone: `2026-03-29 03:00:00 +02:00`.
  func clock(_ instant: Instant) -> String { ZonedTime(instant, in: timeZone).description }

  /// Opens the database; creates it if it is missing, and backs it up before a migration.
  ///
  /// - Throws: `WorkspaceError` for an unknown profile.
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

  /// Opens the database for reading, an older release's as a migrated copy; nil when nothing was
  /// stored yet.
  ///
  /// - Throws: `WorkspaceError` for an unknown profile.
  func readStore() throws -> Store? {
    let store = try workspace.storeToRead(willCopy: tellCopy)
    try checkProfile(in: store)
    return store
  }

  /// Reads everything that a command needs from the database before it prints; creates no files
  /// beside the database unless another process writes: docs/commands.md#readers.
  ///
  /// `body` is called once or twice, so it must not print. Its store is nil when nothing was stored
  /// yet, and only valid inside. An older release's database is read as a migrated copy, unless
  /// `copiesOlder` is false.
  ///
  /// - Throws: `WorkspaceError` for an unknown profile, `StoreError.olderSchema` without a copy,
  ///   and what `body` throws.
  func reading<T>(copiesOlder: Bool = true, _ body: (Store?) throws -> T) throws -> T {
    do {
      return try Store.reading(
        path: workspace.databasePath, fileTime: Self.fileTime,
        willCopy: copiesOlder ? tellCopy : refuseCopy
      ) { store in
        try checkProfile(in: store)
        return try body(store)
      }
    } catch StoreError.missing {
      try checkProfile(in: nil)
      return try body(nil)
    }
  }

  /// The current time of the file system, which advances every few milliseconds and ignores
  /// `--now`.
  private static var fileTime: Instant {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    return Instant(unixSeconds: Int64(now.tv_sec)) + .microseconds(Int64(now.tv_nsec / 1_000))
  }

  private func tellCopy(ofSchema schema: Int) {
    note(
      "The database has schema \(schema), of an older firetally. This command reads a copy with "
        + "schema \(Store.schemaVersion); the next job upgrades the database.")
  }

  private func refuseCopy(ofSchema schema: Int) throws {
    throw StoreError.olderSchema(
      path: workspace.databasePath, version: schema, supported: Store.schemaVersion)
  }

  /// Opens the database for reading; throws an error with advice when there is none.
  func readableStore() throws -> Store {
    try readStore() ?? Store.open(path: workspace.databasePath, mode: .readOnly)
  }

  private func checkProfile(in store: Store?) throws {
    guard let profile, profile != Profile.defaultName else { return }
    try WorkspaceError.checkProfile(profile, among: try store?.read { try $0.profileNames() } ?? [])
  }

  /// Opens the database for reading, or an empty one in memory when nothing was stored yet.
  func readStoreOrEmpty() throws -> Store { try readStore() ?? .inMemory() }
}

extension Workspace {
  /// Opens the database for reading; nil when nothing was stored yet.
  ///
  /// `willCopy` receives the schema of an older release before a copy of the database is migrated.
  func storeToRead(willCopy: (Int) -> Void) throws -> Store? {
    do {
      return try Store.openToRead(path: databasePath, willCopy: willCopy)
    } catch StoreError.missing {
      return nil
    }
  }
}
