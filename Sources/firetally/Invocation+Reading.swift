import Foundation
import Jobs
import Store

extension Invocation.Desk {
  /// The database to read from; nil when nothing was stored yet.
  func readStore() throws -> Store? {
    do {
      return try Store.open(path: workspace.databasePath, mode: .readOnly)
    } catch StoreError.missing {
      return nil
    }
  }

  /// Gives the database to read from, or an empty one elsewhere when nothing was stored yet.
  func reading<Result>(_ body: (Store) async throws -> Result) async throws -> Result {
    if let store = try readStore() { return try await body(store) }
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
