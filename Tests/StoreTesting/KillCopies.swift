import Foundation
import GRDB
import Synchronization

@testable import Store

/// Copies of a database as a kill would leave it: one for each state on the disk that a statement
/// met.
package final class KillCopies: Sendable {
  private struct State {
    var last: [Data?] = []
    var copies: [[Data?]] = []
  }

  private let path: String
  private let state = Mutex(State())

  /// Begins to copy the store's files before each statement, until `end`.
  package init(of temporary: TemporaryStore) {
    path = temporary.path
    temporary.store.connection.inDatabase { database in
      database.trace(options: .statement) { [self] _ in copy() }
    }
  }

  package func end(of temporary: TemporaryStore) {
    temporary.store.connection.inDatabase { $0.trace() }
  }

  private func copy() {
    let files = ["", "-wal"].map { FileManager.default.contents(atPath: path + $0) }
    state.withLock { state in
      guard files != state.last else { return }
      state.last = files
      state.copies.append(files)
    }
  }

  /// Each state in a folder of its own, in their order, without the last one.
  package func databases() throws -> [TemporaryStore] {
    try state.withLock(\.copies).map { files in
      try TemporaryStore { path in
        for (suffix, data) in zip(["", "-wal"], files) {
          try data?.write(to: URL(filePath: path + suffix))
        }
      }
    }
  }
}
