/// The people whose data was erased, as keyed hashes of their ids; see
/// `docs/privacy.md#tombstones`.
package struct ErasedPeople: Sendable {
  /// The reason in the counts of a run.
  package static let countedAs = "erased"

  private let hash: KeyedHash
  private let hashes: Set<UInt64>

  package static let none = ErasedPeople(KeyedHash(low: 0, high: 0), hashes: [])

  package init(_ hash: KeyedHash, hashes: Set<UInt64>) {
    self.hash = hash
    self.hashes = hashes
  }

  package var isEmpty: Bool { hashes.isEmpty }

  /// Whether the text is the id of such a person.
  package func contains(_ id: UnsafeRawBufferPointer) -> Bool {
    !hashes.isEmpty && hashes.contains(hash.of(id))
  }

  package func contains(_ id: String) -> Bool {
    var id = id
    return id.withUTF8 { contains(UnsafeRawBufferPointer($0)) }
  }

  /// Whether a string of JSON names such a person; see `PersonMentions`.
  package func areNamed(inJSON json: UnsafeRawBufferPointer) -> Bool {
    !hashes.isEmpty && PersonMentions.isAny(inJSON: json) { contains($0.id) }
  }

  /// Whether a key or the value of a column names such a person; see `PersonMentions`.
  package func areNamed(inValue value: UnsafeRawBufferPointer) -> Bool {
    !hashes.isEmpty && PersonMentions.isAny(inValue: value) { contains($0.id) }
  }

  /// Whether a word of free text is such an id, or a text of JSON in it is; see `WholeWord`.
  package func areNamed(inText text: String) -> Bool {
    guard !isEmpty else { return false }
    var text = text
    return text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      return areNamed(inJSON: bytes) || WholeWord.isAny(in: bytes, where: contains)
    }
  }

  /// Whether the last row is about such a person.
  package func areNamed(inLastRowOf rows: TableRows, cells: PersonCells) -> Bool {
    areNamed(inRow: rows.count - 1, of: rows, cells: cells)
  }

  /// Whether a row is about such a person.
  package func areNamed(inRow row: Int, of rows: TableRows, cells: PersonCells) -> Bool {
    let start = row * rows.width
    return rows.bytes.withUnsafeBytes { bytes in
      rows.cells[start..<start + rows.width].enumerated().contains { position, cell in
        guard case .text(let range) = cell else { return false }
        let text = UnsafeRawBufferPointer(rebasing: bytes[range])
        return switch cells {
        case .id(let only): position == only && contains(text)
        case .all: areNamed(inValue: text)
        }
      }
    }
  }

  /// Whether the key of the last row names such a person.
  package func areNamed(inKeyOfLastRowOf rows: TableRows) -> Bool {
    guard let cell = rows.cells.suffix(rows.width).first, case .text(let range) = cell else {
      return false
    }
    return rows.bytes.withUnsafeBytes {
      areNamed(inValue: UnsafeRawBufferPointer(rebasing: $0[range]))
    }
  }
}
