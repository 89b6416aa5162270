import Model
import Synchronization

/// Emptied rows whose memory the next pages are mapped into; see `BodyBuffers` for the reason.
final class RowBuffers: Sendable {
  /// The pages of a transaction, and of the one after it that is being collected.
  private static let most = 8
  /// Bytes of texts in a buffer that is worth keeping, at most.
  private static let largest = 4 << 20

  private let kept = Mutex<[TableRows]>([])

  /// No rows, with room where there is some.
  func take(width: Int) -> TableRows {
    let rows = kept.withLock { $0.popLast() }
    guard let rows, rows.width == width else { return TableRows(width: width) }
    return rows
  }

  /// Keeps the memory of the rows, which nobody else holds.
  func keep(_ rows: inout [TableRows]) {
    while var last = rows.popLast() {
      guard last.bytes.count <= Self.largest else { continue }
      last.removeAll()
      kept.withLock { [last] kept in
        if kept.count < Self.most { kept.append(last) }
      }
    }
  }
}
