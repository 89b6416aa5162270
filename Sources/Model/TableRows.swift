/// Rows of one table on their way into SQLite, without a Swift string per cell.
///
/// Every text and every blob is a range of `bytes`, which the writer binds in place; texts are
/// UTF-8. This is the hot path of a sync.
package struct TableRows: Sendable {
  package enum Cell: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
    case blob(Range<Int>)

    /// The bytes that the cell points to; nil for NULL and numbers.
    fileprivate var range: Range<Int>? {
      switch self {
      case .null, .integer, .real: nil
      case .text(let range), .blob(let range): range
      }
    }

    /// The cell of the same bytes copied to `end`, which moves behind them.
    fileprivate func moved(to end: inout Int) -> Cell {
      guard let range else { return self }
      defer { end += range.count }
      let target = end..<end + range.count
      return if case .blob = self { .blob(target) } else { .text(target) }
    }
  }

  /// What texts and blobs point into.
  package private(set) var bytes: [UInt8] = []
  /// Row after row, `width` cells each.
  package private(set) var cells: [Cell] = []
  /// Cells of a row; at least one.
  package let width: Int

  package init(width: Int) {
    precondition(width > 0, "a row has at least one cell")
    self.width = width
  }

  package var count: Int { cells.count / width }
  package var isEmpty: Bool { cells.isEmpty }

  package subscript(row: Int, column: Int) -> Cell {
    cells[row * width + column]
  }

  /// Makes room for so many rows with so many bytes of texts and blobs, so that nothing moves.
  package mutating func reserve(rows: Int, bytes: Int) {
    cells.reserveCapacity(cells.count + rows * width)
    self.bytes.reserveCapacity(self.bytes.count + bytes)
  }

  /// Appends one row; `row` has one cell per column, its ranges pointing into `source`.
  ///
  /// - Precondition: `row.count == width` and every range lies inside `source`.
  package mutating func append(_ row: Span<Cell>, from source: UnsafeRawBufferPointer) {
    precondition(row.count == width)
    var end = bytes.count
    cells.append(addingCapacity: width) { cells in
      for position in row.indices { cells.append(row[position].moved(to: &end)) }
    }
    bytes.append(addingCapacity: end - bytes.count) { bytes in
      bytes.withUnsafeMutableBufferPointer { buffer, count in
        let target = UnsafeMutableRawBufferPointer(buffer)
        for position in row.indices {
          guard let range = row[position].range else { continue }
          UnsafeMutableRawBufferPointer(rebasing: target[count...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[range]))
          count += range.count
        }
      }
    }
  }

  /// Appends the next cell of a row, a range of which points into `source`.
  ///
  /// A row counts once it has `width` cells.
  @inline(__always)
  package mutating func append(_ cell: Cell, from source: UnsafeRawBufferPointer) {
    switch cell {
    case .null, .integer, .real: cells.append(cell)
    case .text(let range):
      cells.append(.text(copy(UnsafeRawBufferPointer(rebasing: source[range]))))
    case .blob(let range):
      cells.append(.blob(copy(UnsafeRawBufferPointer(rebasing: source[range]))))
    }
  }

  /// Appends the next cell of a row: a number or NULL.
  package mutating func append(_ number: Int64?) {
    cells.append(number.map { .integer($0) } ?? .null)
  }

  /// Appends the next cell of a row: a text in UTF-8.
  package mutating func append(text: UnsafeRawBufferPointer) {
    cells.append(.text(copy(text)))
  }

  /// Appends the next cell of a row: a text, away from the hot path.
  package mutating func append(text: String) {
    cells.append(.text(copy(text.utf8)))
  }

  /// Appends the next cell of a row: a blob.
  package mutating func append(blob: [UInt8]) {
    cells.append(.blob(copy(blob)))
  }

  @inline(__always)
  private mutating func copy(_ source: some Sequence<UInt8>) -> Range<Int> {
    let start = bytes.count
    bytes.append(contentsOf: source)
    return start..<bytes.count
  }

  /// Takes the last row back; its bytes stay until `removeAll`.
  ///
  /// - Precondition: there is a row.
  package mutating func removeLast() {
    cells.removeLast(width)
  }

  /// Forgets the rows, keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
  }
}
