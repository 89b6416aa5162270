import CCurl
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

  /// The size in bytes from which many streams have freed memory go back to the system.
  private static let returnedBytes: Int32 = 32 << 10

  private let kept = Mutex<[[UInt8]]>([])

  package init() {}

  /// An empty array; with reserved capacity when a buffer was kept.
  func take() -> [UInt8] { kept.withLock { $0.popLast() } ?? [] }

  /// Returns to the system the memory of bodies, and what else of the process's is free.
  package func removeAll() {
    let hadSome = kept.withLock { kept in
      defer { kept = [] }
      return !kept.isEmpty
    }
    if hadSome { firetally_return_free_memory() }
  }

  /// Takes the memory of a body, which must not be shared, and leaves the body empty.
  package func keep(_ body: inout [UInt8]) {
    var buffer: [UInt8] = []
    swap(&buffer, &body)
    buffer.removeAll(keepingCapacity: true)
    guard (1...Self.maximumCapacity).contains(buffer.capacity) else { return }
    let isOneOfMany = kept.withLock { [buffer] kept in
      guard kept.count < Self.maximumCount else { return true }
      kept.append(buffer)
      return false
    }
    if isOneOfMany { _ = Self.returnsMemory }
  }

  /// Has the C library keep no memory of pages; once, and for the whole process.
  ///
  /// Pages of many streams come and go on several threads, which would keep as much as all pages
  /// together.
  private static let returnsMemory: Void = firetally_return_memory(from: returnedBytes)
}
