/// Rows of the table `events`, without a Swift string for each cell.
///
/// A text cell is a range of `bytes`, UTF-8, which the writer binds in place. `EventRowEncoder`
/// fills the rows. This is the hot path of an import; `Event` is the same record everywhere else.
package struct EventRows: Sendable {
  /// A text as a range of `bytes`; a negative count is NULL.
  package struct Cell: Hashable, Sendable {
    package var start: Int32
    package var count: Int32

    package static let null = Cell(start: 0, count: -1)
  }

  /// The columns of the table `events`, but for `fingerprint` and `source`.
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

  /// The bytes that the cells point into.
  package private(set) var bytes: [UInt8] = []
  package private(set) var rows: [Row] = []
  /// For each row the hash that, with its microsecond, identifies the event; empty until `seal`.
  package private(set) var fingerprints: [Int64] = []

  package init() {}

  package var count: Int { rows.count }
  package var isEmpty: Bool { rows.isEmpty }

  /// The cell's text; nil for NULL.
  package func text(_ cell: Cell) -> String? {
    guard cell.count >= 0 else { return nil }
    return String(decoding: bytes[Int(cell.start)..<Int(cell.start + cell.count)], as: UTF8.self)
  }

  /// Appends a row and its bytes; the cells count from the start of `bytes`, `source` included.
  mutating func append(_ row: Row, from source: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: source)
    rows.append(row)
  }

  /// Sorts the rows by time and computes their fingerprints; no row may follow.
  ///
  /// Neighbours in time are neighbours in the table's indexes. Rows of one instant keep their
  /// order.
  package mutating func seal() {
    if zip(rows, rows.dropFirst()).contains(where: { $1.at.microseconds < $0.at.microseconds }) {
      rows.sort { $0.at.microseconds < $1.at.microseconds }
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

  /// Removes the rows that `isUnwanted` selects by their user id and parameters, a JSON object.
  ///
  /// - Precondition: the rows are sealed.
  /// - Returns: how many were removed.
  @discardableResult
  package mutating func remove(
    where isUnwanted: (
      _ userId: UnsafeRawBufferPointer, _ parameters: UnsafeRawBufferPointer
    ) -> Bool
  ) -> Int {
    precondition(fingerprints.count == rows.count, "only sealed rows can be removed")
    let kept = bytes.withUnsafeBytes { bytes in
      rows.indices.filter { index in
        !isUnwanted(rows[index].userId.text(in: bytes), rows[index].parameters.text(in: bytes))
      }
    }
    let removed = rows.count - kept.count
    guard removed > 0 else { return 0 }
    (rows, fingerprints) = (kept.map { rows[$0] }, kept.map { fingerprints[$0] })
    return removed
  }

  /// Removes the rows and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    fingerprints.removeAll(keepingCapacity: true)
  }
}

extension EventRows.Cell {
  /// The cell's bytes; none for NULL.
  fileprivate func text(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let end = Int(start) + max(0, Int(count))
    return UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<end])
  }
}

extension EventRows.Row {
  /// Name, user and parameters, which `EventRowEncoder` stores side by side, a separator after
  /// each.
  fileprivate func identity(in bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      rebasing: bytes[Int(name.start)...Int(parameters.start + parameters.count)])
  }
}
