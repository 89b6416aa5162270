import GRDB
package import Model

/// The name of the mark with the key of the hashes.
private let keyName: MarkName = "erasure-key"

/// The name of the mark that exists while files of reports may still name an erased person.
private let unfinishedName: MarkName = "erasure-unfinished"

/// All tombstones of a database, with the key of their hashes.
package struct Erasures: Hashable, Sendable {
  package let key: String
  /// When each was erased, by hash.
  package let people: [Int64: Instant]

  package init(key: String, people: [Int64: Instant]) {
    self.key = key
    self.people = people
  }
}

/// The people whose data was erased, as keyed hashes of their ids; see
/// `docs/privacy.md#tombstones`.
package struct ErasedPeople: Sendable {
  /// The reason in the counts of a run.
  package static let countedAs = "erased"

  private let hash: KeyedHash
  private let hashes: Set<Int64>

  package static let none = ErasedPeople(KeyedHash(low: 0, high: 0), hashes: [])

  package init(_ hash: KeyedHash, hashes: Set<Int64>) {
    self.hash = hash
    self.hashes = hashes
  }

  package var isEmpty: Bool { hashes.isEmpty }

  /// Whether the text is the id of such a person.
  package func contains(_ id: UnsafeRawBufferPointer) -> Bool {
    !hashes.isEmpty && hashes.contains(Int64(bitPattern: hash.of(id)))
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
  package func areNamed(inLastRowOf rows: TableRows, cells: PersonColumns) -> Bool {
    areNamed(inRow: rows.count - 1, of: rows, cells: cells)
  }

  /// Whether a row is about such a person.
  package func areNamed(inRow row: Int, of rows: TableRows, cells: PersonColumns) -> Bool {
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

/// The tombstones of people; see `docs/privacy.md#tombstones`.
extension Readable {
  /// The hashes of the ids, in no order.
  package func erasedHashes() throws -> [Int64] {
    try reader.values("SELECT hash FROM erased_people")
  }

  /// All of them, to hold ids and rows against.
  package func erasedPeople() throws -> ErasedPeople {
    let hashes = try erasedHashes()
    guard !hashes.isEmpty, let key = try erasureKey().flatMap(KeyedHash.init(hexadecimal:)) else {
      return .none
    }
    return ErasedPeople(key, hashes: Set(hashes))
  }

  /// When this person was erased; nil for one who was not.
  package func erasedAt(hash: Int64) throws -> Instant? {
    try reader.instant("SELECT erased_at FROM erased_people WHERE hash = ?", [hash])
  }

  /// All of them, with their key and times; nil before the first erasure.
  package func erasures() throws -> Erasures? {
    guard let key = try erasureKey() else { return nil }
    let people: [(Int64, Instant)] = try reader.rows("SELECT hash, erased_at FROM erased_people") {
      ($0[0], Instant(microseconds: $0[1]))
    }
    return Erasures(key: key, people: Dictionary(uniqueKeysWithValues: people))
  }

  /// Whether an erasure has removed rows, and not yet the reports that were made from them.
  package func isErasureUnfinished() throws -> Bool {
    try mark(named: unfinishedName) != nil
  }

  /// The key of the hashes; nil before the first erasure.
  package func erasureKey() throws -> String? { try mark(named: keyName) }
}

extension Writer {
  package func setErasureKey(_ key: String) throws { try setMark(key, named: keyName) }

  /// Commit it with the rows that are erased, and take it back when the reports are gone.
  package func noteErasure(isUnfinished: Bool) throws {
    try setMark(isUnfinished ? "1" : nil, named: unfinishedName)
  }

  /// Remembers that a person was erased; a second time changes nothing.
  package func noteErased(hash: Int64, at now: Instant) throws {
    try run(
      "INSERT OR IGNORE INTO erased_people (hash, erased_at) VALUES (?, ?)",
      [hash, now.microseconds])
  }

  /// Takes over the tombstones of another database of this workspace, such as the one that a
  /// restored backup replaces.
  ///
  /// - Returns: false when this database has tombstones under another key; nothing changes then.
  package func adopt(_ erasures: Erasures) throws -> Bool {
    guard try erasureKey() == nil || erasureKey() == erasures.key else { return false }
    try setErasureKey(erasures.key)
    for (hash, at) in erasures.people { try noteErased(hash: hash, at: at) }
    return true
  }
}

extension Store {
  /// The tombstones in a database of any schema, also of a newer one; nil when it has none.
  ///
  /// - Throws: `StoreError` when the file is missing, is empty, or cannot be read.
  package static func erasures(ofFile path: String) throws -> Erasures? {
    try StoreError.translating(path: path) {
      try DatabaseFile.checkOrCreate(path: path, mode: .readOnly)
      let connection = try connected(path: path, mode: .readOnly) { connection in
        let schema = try connection.read { try Schema.foundVersion($0, path: path) }
        guard schema > 0 else { throw StoreError.missing(path: path) }
      }
      let erasures = try connection.read { database in
        try database.tableExists("erased_people") ? try Reader(database: database).erasures() : nil
      }
      try connection.close()
      return erasures
    }
  }

  /// Runs one transaction whose deleted rows are overwritten with zeros.
  package func erasing<T>(_ body: (Writer) throws -> T) throws -> T {
    try outsideTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
    return try write(body)
  }

  /// Builds the file again without what was deleted or overwritten at any time, and empties the
  /// log.
  ///
  /// - Returns: false when a reader kept the log from being emptied; the file itself is clean then.
  package func scrub() throws -> Bool {
    try outsideTransaction { database in
      try database.execute(sql: "PRAGMA secure_delete = ON; VACUUM")
      var isEmpty = false
      try DatabaseFile.withoutWaiting(database) {
        _ = try database.checkpoint(.truncate)
        isEmpty = true
      }
      return isEmpty
    }
  }
}
