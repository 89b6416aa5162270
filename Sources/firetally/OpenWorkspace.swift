import Foundation
import Jobs
import Model
import Store
import Workspace

/// A workspace and what its configuration says.
struct OpenWorkspace: Sendable {
  let workspace: Workspace
  let config: WorkspaceConfig
  let now: Instant
  /// Is called with what happened to the database while it was opened.
  let note: @Sendable (String) -> Void
  /// Who acts, and has to be in the database; nil for anybody.
  var profile: String?

  var timeZone: TimeZone { TimeZone(checked: config.timeZone) }

  /// A time as lists show it, in time_zone: `2026-03-29 03:00:00 +02:00`.
  func clock(_ instant: Instant) -> String { ZonedTime(instant, in: timeZone).description }

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

  /// Reads all that a command wants of the database before it prints, without a file beside it
  /// where nobody writes: docs/commands.md#readers.
  ///
  /// `body` is called once or twice, so it prints nothing; with nil when nothing was stored yet.
  /// The store is only valid inside.
  ///
  /// - Throws: `JobsError` for a profile that was never created, and what `body` throws.
  func reading<T>(_ body: (Store?) throws -> T) throws -> T {
    do {
      return try Store.reading(
        path: workspace.databasePath, fileTime: Self.fileTime, willCopy: tellCopy
      ) { store in
        try checkProfile(in: store)
        return try body(store)
      }
    } catch StoreError.missing {
      try checkProfile(in: nil)
      return try body(nil)
    }
  }

  /// The time of a file that changes now, which moves every few milliseconds, and which no `--now`
  /// moves.
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
