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
  /// - Throws: `JobsError.unknownProfile` for a profile that was never created.
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

  /// The database to read from; nil when nothing was stored yet.
  ///
  /// - Throws: `JobsError.unknownProfile` for a profile that was never created.
  func readStore() throws -> Store? {
    let store = try workspace.storeToRead()
    try checkProfile(in: store)
    return store
  }

  /// The database to read from; an error that says how to make one when there is none.
  func readableStore() throws -> Store {
    try readStore() ?? Store.open(path: workspace.databasePath, mode: .readOnly)
  }

  private func checkProfile(in store: Store?) throws {
    guard let profile else { return }
    try JobsError.checkProfile(profile, among: try store?.read { try $0.profileNames() } ?? [])
  }

  /// Gives the database to read from, or an empty one elsewhere when nothing was stored yet.
  func reading<Result>(_ body: (Store) async throws -> Result) async throws -> Result {
    if let store = try readStore() { return try await body(store) }
    return try await Self.withEmptyStore(body)
  }

  /// Gives an empty database elsewhere, and removes it.
  static func withEmptyStore<Result>(
    _ body: (Store) async throws -> Result
  ) async throws -> Result {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("firetally-\(UUID().uuidString)")
    try files.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    var outcome: Swift.Result<Result, any Error>
    do {
      let store = try Store.open(path: folder.appendingPathComponent("empty.sqlite").path)
      outcome = .success(try await body(store))
      try store.close()
    } catch {
      outcome = .failure(error)
    }
    try files.removeItem(at: folder)
    return try outcome.get()
  }
}

extension Workspace {
  /// The database to read from; nil when nothing was stored yet.
  func storeToRead() throws -> Store? {
    do {
      return try Store.open(path: databasePath, mode: .readOnly)
    } catch StoreError.missing {
      return nil
    }
  }
}
