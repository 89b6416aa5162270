package import Model

/// The people whose data was erased, as keyed hashes of their ids; see `docs/privacy.md#tombstones`.
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

  /// Whether a part of a document's path, such as `Users/u1/Posts/p1`, is such an id.
  package func areNamed(inPath path: UnsafeRawBufferPointer) -> Bool {
    path.split(separator: UInt8(ascii: "/")).contains {
      contains(UnsafeRawBufferPointer(rebasing: $0))
    }
  }

  /// Whether what stands between two double quotes is such an id, as in JSON.
  ///
  /// Ids that JSON has to escape are not found. O(bytes).
  package func areNamed(inJSON json: UnsafeRawBufferPointer) -> Bool {
    guard !hashes.isEmpty else { return false }
    var start: Int?
    var isEscaped = false
    for (index, byte) in json.enumerated() {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = start != nil
      } else if byte == UInt8(ascii: "\"") {
        guard let first = start else {
          start = index + 1
          continue
        }
        if contains(UnsafeRawBufferPointer(rebasing: json[first..<index])) { return true }
        start = nil
      }
    }
    return false
  }
}

extension ErasedPeople {
  /// Whether a word of free text is such an id, or a text of JSON in it is; see `WholeWord`.
  package func areNamed(inText text: String) -> Bool {
    guard !isEmpty else { return false }
    var text = text
    return text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      let words = bytes.split { !WholeWord.isOfWord($0) }
      return areNamed(inJSON: bytes)
        || words.contains { contains(UnsafeRawBufferPointer(rebasing: $0)) }
    }
  }

  /// Whether the last row is about such a person: its key is the id or has it in its path, or one
  /// of its texts is the id or has it as a text of JSON.
  package func areNamed(inLastRowOf rows: TableRows) -> Bool {
    areNamed(inRow: rows.count - 1, of: rows)
  }

  /// Whether a row is about such a person.
  package func areNamed(inRow row: Int, of rows: TableRows) -> Bool {
    let start = row * rows.width
    return rows.bytes.withUnsafeBytes { bytes in
      rows.cells[start..<start + rows.width].enumerated().contains { column, cell in
        guard case .text(let range) = cell else { return false }
        let text = UnsafeRawBufferPointer(rebasing: bytes[range])
        return contains(text) || areNamed(inJSON: text) || column == 0 && areNamed(inPath: text)
      }
    }
  }

  /// Whether the key of the last row names such a person.
  package func areNamed(inKeyOfLastRowOf rows: TableRows) -> Bool {
    guard let cell = rows.cells.suffix(rows.width).first, case .text(let range) = cell else {
      return false
    }
    return rows.bytes.withUnsafeBytes {
      areNamed(inPath: UnsafeRawBufferPointer(rebasing: $0[range]))
    }
  }
}
