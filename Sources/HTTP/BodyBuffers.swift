import Synchronization

/// Emptied bodies that the next large answers are received into.
///
/// Memory that is given back to the system has to be cleared when it is asked for again: for pages of
/// a megabyte by the hundred, that is a tenth of the work.
package final class BodyBuffers: Sendable {
  /// A page that is scanned, and the next one on its way.
  private static let most = 2
  /// Bytes of a buffer that is worth keeping, at most.
  private static let largest = 8 << 20

  private let kept = Mutex<[[UInt8]]>([])

  package init() {}

  /// An empty array, with room where there is one.
  func take() -> [UInt8] { kept.withLock { $0.popLast() } ?? [] }

  /// Keeps the memory of a body that nobody else holds.
  package func keep(_ body: inout [UInt8]) {
    var buffer: [UInt8] = []
    swap(&buffer, &body)
    buffer.removeAll(keepingCapacity: true)
    guard (1...Self.largest).contains(buffer.capacity) else { return }
    kept.withLock { [buffer] kept in
      if kept.count < Self.most { kept.append(buffer) }
    }
  }
}
