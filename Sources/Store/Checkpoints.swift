import Dispatch
import GRDB
import Synchronization

/// Copies what was committed from the log into the database file, on a thread of its own.
///
/// A checkpoint waits for the disk; for a load of many transactions it does so while the next ones
/// are made. What it leaves to do, the writer's own checkpoint does once the log is long; see
/// `docs/decisions/016-checkpoints-aside.md`.
package final class Checkpoints: Sendable {
  private enum State {
    case idle, running
    /// The writer has to come to the end of the log by itself, which it cannot while we read on.
    case leftToWriter
  }

  /// Pages of the log from which on the writer is left alone with it, 256 MiB.
  static let longestLog = 16_000

  private let database: DatabaseQueue
  private let queue = DispatchQueue(label: "firetally.checkpoints")
  private let state = Mutex(State.idle)

  init(path: String) throws {
    database = try DatabaseQueue(path: path)
  }

  /// Begins a checkpoint, unless one is running.
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
      // The writer's own checkpoint meets the same trouble, and reports it.
    }
    state.withLock { $0 = next }
  }

  /// Waits for the checkpoint that is running.
  func finish() throws {
    queue.sync {}
    try database.close()
  }
}

extension Store {
  /// Has checkpoints made aside while `body` runs, however it ends.
  package func withCheckpointsAside<T>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Checkpoints) async throws -> T
  ) async throws -> T {
    let aside = try makeCheckpointsAside()
    let result: T
    do {
      result = try await body(aside)
    } catch {
      try makeOwnCheckpoints(insteadOf: aside)
      throw error
    }
    try makeOwnCheckpoints(insteadOf: aside)
    return result
  }

  func makeCheckpointsAside() throws -> Checkpoints {
    try StoreError.translating(path: path) {
      try setCheckpointPages(Checkpoints.longestLog)
      return try Checkpoints(path: path)
    }
  }

  func makeOwnCheckpoints(insteadOf aside: Checkpoints) throws {
    try StoreError.translating(path: path) {
      try aside.finish()
      try setCheckpointPages(DatabaseFile.checkpointPages)
    }
  }

  private func setCheckpointPages(_ count: Int) throws {
    try connection.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA wal_autocheckpoint = \(count)")
    }
  }
}
