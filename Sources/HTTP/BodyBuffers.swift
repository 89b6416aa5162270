import Synchronization

/// Reuses the memory of response bodies for the next large responses.
///
/// The system clears memory before it hands it out again. For hundreds of pages of a megabyte each,
/// that is a tenth of the work.
package final class BodyBuffers: Sendable {
  /// One buffer for the page being scanned and one for the page on its way.
  private static let maximumCount = 2
  /// The largest buffer that is kept, in bytes.
  private static let maximumCapacity = 8 << 20

  private let kept = Mutex<[[UInt8]]>([])

  package init() {}

  /// An empty array; with reserved capacity when a buffer was kept.
  func take() -> [UInt8] { kept.withLock { $0.popLast() } ?? [] }

  /// Frees the memory of all kept bodies.
  package func removeAll() { kept.withLock { $0 = [] } }

  /// Takes the memory of a body, which must not be shared, and leaves the body empty.
  package func keep(_ body: inout [UInt8]) {
    var buffer: [UInt8] = []
    swap(&buffer, &body)
    buffer.removeAll(keepingCapacity: true)
    guard (1...Self.maximumCapacity).contains(buffer.capacity) else { return }
    kept.withLock { [buffer] kept in
      if kept.count < Self.maximumCount { kept.append(buffer) }
    }
  }
}
