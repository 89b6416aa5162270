import Dispatch
import Foundation
import Synchronization

/// What a source gives, read on a thread of its own, a few elements ahead of their consumer.
package final class ReadAhead<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var failure: (any Error)?
    var isGivenUp = false
  }

  private let state = Mutex(State())
  private let arrived = DispatchSemaphore(value: 0)
  private let room: DispatchSemaphore

  /// Creates a reader with a limit of elements that wait.
  package init(mostWaiting: Int = 3) { room = DispatchSemaphore(value: mostWaiting) }

  /// Begins to read; `open` is called on the thread, and what it returns until it gives nil.
  package func start(_ open: @escaping @Sendable () throws -> () throws -> Element?) {
    Thread.detachNewThread { self.read(open) }
  }

  /// The next element; nil after the last one.
  ///
  /// - Throws: what kept the source from being read to its end.
  package func next() throws -> Element? {
    arrived.wait()
    let element = try state.withLock { state -> Element? in
      guard state.elements.isEmpty else { return state.elements.removeFirst() }
      if let failure = state.failure { throw failure }
      return nil
    }
    if element != nil { room.signal() }
    return element
  }

  /// Lets the thread end; call it when no more elements are wanted.
  package func giveUp() {
    state.withLock { $0.isGivenUp = true }
    room.signal()
  }

  private func read(_ open: () throws -> () throws -> Element?) {
    do {
      let next = try open()
      while let element = try next() {
        room.wait()
        let goesOn = state.withLock { state in
          state.elements.append(element)
          return !state.isGivenUp
        }
        guard goesOn else { return }
        arrived.signal()
      }
    } catch {
      state.withLock { $0.failure = error }
    }
    arrived.signal()
  }
}
