/// Events on their way into the ledger, without a Swift string per cell.
///
/// Every text cell is a range of `bytes`, in UTF-8; the writer binds it in place. This is the hot
/// path of an import: `Event` is the same record for everything that is not. `EventDraft` fills it.
package struct EventRows: Sendable {
  /// A text as a range of `bytes`; a negative count is NULL.
  package struct Cell: Hashable, Sendable {
    package var start: Int32
    package var count: Int32

    package static let null = Cell(start: 0, count: -1)
  }

  /// The columns of the table `events` as they are stored.
  package struct Row: Hashable, Sendable {
    package var at: Instant
    package var name = Cell.null
    package var userId = Cell.null
    /// A JSON object; equal parameters make equal bytes.
    package var parameters = Cell.null
    package var country = Cell.null
    package var appVersion = Cell.null
    package var platform = Cell.null
    package var feature = Cell.null
    package var kind = Cell.null
    package var userType = Cell.null
    /// 1 to 5 when the event is a rating.
    package var stars: Int64?
  }

  /// What the cells point into.
  package private(set) var bytes: [UInt8] = []
  package private(set) var rows: [Row] = []
  /// What with its microsecond is an event's identity, for each row; empty until `seal`.
  package private(set) var fingerprints: [Int64] = []

  package init() {}

  package var count: Int { rows.count }
  package var isEmpty: Bool { rows.isEmpty }

  /// The cell's text; nil for NULL.
  package func text(_ cell: Cell) -> String? {
    guard cell.count >= 0 else { return nil }
    return String(decoding: bytes[Int(cell.start)..<Int(cell.start + cell.count)], as: UTF8.self)
  }

  /// Appends a row whose cells point into `source` as if it stood behind `bytes` already.
  mutating func append(_ row: Row, from source: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: source)
    rows.append(row)
  }

  /// Brings the rows into the order of time and computes their fingerprints; nothing follows then.
  ///
  /// Neighbours in time are neighbours in the ledger's indexes; rows of one instant stay in their order.
  package mutating func seal() {
    if zip(rows, rows.dropFirst()).contains(where: { $1.at < $0.at }) {
      rows.sort { $0.at < $1.at }
    }
    identify()
  }

  private mutating func identify() {
    fingerprints.removeAll(keepingCapacity: true)
    bytes.withUnsafeBufferPointer { bytes in
      let whole = rows.count & ~3
      for row in stride(from: 0, to: whole, by: 4) {
        let four = Fingerprint.of(
          rows[row].identity(in: bytes), rows[row + 1].identity(in: bytes),
          rows[row + 2].identity(in: bytes), rows[row + 3].identity(in: bytes))
        fingerprints += [four.0, four.1, four.2, four.3]
      }
      fingerprints += rows[whole...].map { Fingerprint.of($0.identity(in: bytes)) }
    }
  }

  /// Forgets the rows, keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    fingerprints.removeAll(keepingCapacity: true)
  }
}

extension EventRows.Row {
  /// Name, user and parameters, which `EventDraft` puts side by side with a separator after each.
  fileprivate func identity(in bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      rebasing: bytes[Int(name.start)...Int(parameters.start + parameters.count)])
  }
}
