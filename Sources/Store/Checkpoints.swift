import Dispatch
import GRDB
import Synchronization

/// Copies commits from the log into the database file, on a thread of its own.
///
/// A checkpoint waits for the disk; in a load of many transactions it does so during the next ones.
/// If it falls behind, the writer's own checkpoint finishes the work; see
/// `docs/decisions/016-checkpoints-aside.md`.
package final class Checkpoints: Sendable {
  private enum State {
    case idle, running
    /// The writer must reach the end of the log itself, which it cannot while this thread reads.
    case leftToWriter
  }

  /// The length of the log in pages at which only the writer makes checkpoints: 256 MiB.
  static let longestLog = 16_000

  /// KiB of the writer's page cache meanwhile: a load reads few pages twice.
  static let writerCacheKibibytes = 8_192

  private let database: DatabaseQueue
  private let queue = DispatchQueue(label: "firetally.checkpoints")
  private let state = Mutex(State.idle)

  init(path: String) throws {
    database = try DatabaseQueue(path: path)
  }

  /// Starts a checkpoint unless one is running.
  package func start() {
    let isDue = state.withLock { state in
      defer { state = state == .leftToWriter ? .idle : .running }
      return state == .idle
    }
    if isDue { queue.async { self.copy() } }
  }

  private func copy() {
    var next = State.leftToWriter
    do {
      let log = try database.inDatabase { try $0.checkpoint(.passive).walFrameCount }
      if log < Self.longestLog { next = .idle }
    } catch {
      // The writer's own checkpoint has the same problem, and reports it.
    }
    state.withLock { $0 = next }
  }

  /// Waits for the running checkpoint and closes the connection.
  func finish() throws {
    queue.sync {}
    try database.close()
  }
}

extension Store {
  /// Runs `body` with checkpoints on a background thread, and ends them even if it throws.
  package func withBackgroundCheckpoints<T>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Checkpoints) async throws -> T
  ) async throws -> T {
    let checkpoints = try beginBackgroundCheckpoints()
    let result: T
    do {
      result = try await body(checkpoints)
    } catch {
      try endBackgroundCheckpoints(checkpoints)
      throw error
    }
    try endBackgroundCheckpoints(checkpoints)
    return result
  }

  func beginBackgroundCheckpoints() throws -> Checkpoints {
    try StoreError.translating(path: path) {
      let checkpoints = try Checkpoints(path: path)
      try tune(
        checkpointPages: Checkpoints.longestLog, cacheKibibytes: Checkpoints.writerCacheKibibytes)
      return checkpoints
    }
  }

  func endBackgroundCheckpoints(_ checkpoints: Checkpoints) throws {
    try StoreError.translating(path: path) {
      try checkpoints.finish()
      try tune(
        checkpointPages: DatabaseFile.checkpointPages,
        cacheKibibytes: DatabaseFile.writerCacheKibibytes)
    }
  }

  private func tune(checkpointPages: Int, cacheKibibytes: Int) throws {
    try connection.writeWithoutTransaction {
      try $0.execute(
        sql: """
          PRAGMA wal_autocheckpoint = \(checkpointPages);
          PRAGMA cache_size = -\(cacheKibibytes);
          """)
    }
  }
}
