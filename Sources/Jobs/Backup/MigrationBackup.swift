import Foundation
package import Model
package import Store

extension Workspace {
  /// Opens the database to write, making it when there is none; see `docs/backup.md#upgrades`.
  ///
  /// A database with rows is backed up before its schema changes. When that fails, the schema stays
  /// as it is.
  ///
  /// - Parameters:
  ///   - now: the time that names the backup.
  ///   - note: is called with a sentence once the schema has changed.
  /// - Returns: the store.
  /// - Throws: `StoreError`, `JobsError.file`.
  package func openStore(at now: Instant, note: (String) -> Void) throws -> Store {
    let folder = BackupFolder(backupsFolder)
    var changes: [(schema: Int, backup: BackupManifest)] = []
    let store = try Store.open(path: databasePath) { migration in
      let maker = BackupMaker(
        in: folder, for: .migration, at: now,
        cipher: access(configurationPath, F_OK) == 0 ? BackupCipher(try config(), in: self) : .none)
      if let manifest = try maker.backUp(before: migration, of: databasePath) {
        changes.append((migration.schema, manifest))
      }
    }
    for change in changes {
      note(
        "The database was brought from schema \(change.schema) to \(Store.schemaVersion); a copy of "
          + "before is \(backupsFolder)/\(change.backup.file).")
    }
    guard !changes.isEmpty else { return store }
    do {
      // Only the copies before migrations, of which many upgrades would leave many.
      try folder.prune(keeping: RetentionPolicy(daily: 0), timeZone: "UTC", at: now)
    } catch {
      note("An old copy stays: \(error)")
    }
    return store
  }
}
