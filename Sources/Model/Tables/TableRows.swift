/// Rows of one table for SQLite, without a Swift string for each cell.
///
/// A text (UTF-8) or blob is a range of `bytes`, which the writer binds in place. This is the hot
/// path of a sync.
package struct TableRows: Sendable {
  package enum Cell: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
    case blob(Range<Int>)

    /// The cell's bytes; nil for NULL and numbers.
    fileprivate var range: Range<Int>? {
      switch self {
      case .null, .integer, .real: nil
      case .text(let range), .blob(let range): range
      }
    }

    /// The cell with its bytes moved to `end`, which advances past them.
    fileprivate func moved(to end: inout Int) -> Cell {
      guard let range else { return self }
      defer { end += range.count }
      let target = end..<end + range.count
      return if case .blob = self { .blob(target) } else { .text(target) }
    }
  }

  /// The bytes that texts and blobs point into.
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

  /// Reserves memory for more rows and more bytes of texts and blobs.
  package mutating func reserve(rows: Int, bytes: Int) {
    cells.reserveCapacity(cells.count + rows * width)
    self.bytes.reserveCapacity(self.bytes.count + bytes)
  }

  /// Appends a row of one cell per column, whose ranges point into `source`.
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

  /// Appends the next cell of a row, whose range points into `source`.
  ///
  /// A row counts when it has `width` cells.
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

  /// Appends the next cell of a row: a number; SQLite stores NaN as NULL.
  package mutating func append(real number: Double) { cells.append(.real(number)) }

  /// Appends the next cell of a row: a text in UTF-8.
  package mutating func append(text: UnsafeRawBufferPointer) {
    cells.append(.text(copy(text)))
  }

  /// Appends the next cell of a row: a text, outside the hot path.
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

  /// Removes the last row; its bytes stay until `removeAll`.
  ///
  /// - Precondition: there is a row.
  package mutating func removeLast() {
    cells.removeLast(width)
  }

  /// Removes the rows and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
  }
}

/// The rows of a child table that belong to the rows of another, in their order.
package struct ChildRows: Sendable {
  package var rows: TableRows
  /// The number of child rows up to and including those of each parent row.
  package private(set) var ends: [Int] = []

  package init(width: Int) {
    rows = TableRows(width: width)
  }

  package mutating func endRow() { ends.append(rows.count) }

  package func range(of row: Int) -> Range<Int> { (row == 0 ? 0 : ends[row - 1])..<ends[row] }

  /// Removes the child rows of the last parent row.
  ///
  /// - Precondition: there is a parent row.
  package mutating func removeLast() {
    ends.removeLast()
    while rows.count > ends.last ?? 0 { rows.removeLast() }
  }
}
