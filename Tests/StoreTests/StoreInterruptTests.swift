import Fixtures
import Foundation
import StoreTesting
import Synchronization
import Testing

@testable import Store

@Suite struct StoreInterruptTests {
  /// Takes minutes.
  private static let query = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000)
    SELECT count(*) FROM n
    """

  @Test func `an interrupted statement is a cancellation, and undoes its transaction`() throws {
    let folder = try TemporaryFolder()
    let store = try Store.open(path: folder.path(of: "a.sqlite"))
    let timer = Interrupter(store)
    let time = ContinuousClock().measure {
      #expect(throws: CancellationError.self) {
        try store.write { writer in
          try writer.setMark("x", named: "y")
          _ = try writer.reader.count(Self.query)
        }
      }
    }
    timer.stop()
    #expect(time < .seconds(2))
    #expect(try store.read { try $0.mark(named: "y") } == nil)
  }
}

/// Interrupts a store every few milliseconds.
private final class Interrupter: Sendable {
  private let isStopped = Mutex(false)

  init(_ store: Store) {
    Thread.detachNewThread { [self] in
      while !isStopped.withLock(\.self) {
        usleep(5_000)
        store.interrupt()
      }
    }
  }

  func stop() { isStopped.withLock { $0 = true } }
}
