package import Firestore

/// Which moment of a database a request reads.
package enum Consistency: Sendable {
  case present
  case past(Timestamp)
  /// The moment of the transaction: its first read's or, when it only reads, its beginning.
  case transaction(TransactionID)
  /// A transaction that begins with this read.
  case beginning(TransactionMode)
}

package enum TransactionMode: Hashable, Sendable {
  case readWrite
  /// Reads the given moment or, with nil, that of its beginning.
  case readOnly(at: Timestamp?)
}

/// What a transaction goes by; opaque to clients, who see it as base64.
package struct TransactionID: Hashable, Sendable {
  /// Counts up from one transaction of the server to the next.
  let number: UInt64

  init(number: UInt64) { self.number = number }

  /// Nil for text that no server of this kind gave out.
  init?(_ text: String) {
    guard let bytes = Base64.decode(text), bytes.count == 9, bytes[0] == TransactionID.mark else {
      return nil
    }
    number = bytes[1...].reduce(0) { $0 << 8 | UInt64($1) }
  }

  var text: String {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    return Base64.encode([TransactionID.mark] + bytes)
  }

  private static let mark: UInt8 = 0x11
}
