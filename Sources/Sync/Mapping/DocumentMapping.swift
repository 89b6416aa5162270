package import Firestore
package import Model
package import Store

/// A mapping of scanned documents to rows of one table, or to reasons for leaving them out.
package protocol DocumentMapping: Sendable {
  /// The scanner that reads the needed fields of each document.
  var scanner: DocumentScanner { get }
  /// The number of cells of a row.
  var width: Int { get }
  /// The number of cells of a row of each child table; empty for a mapping without child tables.
  var childWidths: [Int] { get }
  /// The index of the scanned field that orders the pages; nil when the name orders them.
  var orderPosition: Int? { get }
  /// The cells of a row that may identify people.
  var personCells: PersonColumns { get }

  /// Appends the document as a row, or counts the reason for leaving it out.
  ///
  /// It runs for each document on the hot path of a sync: texts remain ranges of the page.
  func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows)

  /// Returns the time in a value of the order field, for a watermark; nil when it holds none.
  func time(of value: Value) -> Timestamp?
}

extension DocumentMapping {
  package var childWidths: [Int] { [] }

  package func time(of value: Value) -> Timestamp? {
    if case .timestamp(let time) = value { time } else { nil }
  }
}

/// The rows made from a page, and the documents that were left out.
package struct MappedRows: Sendable {
  package var rows: TableRows
  /// The rows of each child table; empty without child tables, and before the first row.
  package var children: [ChildRows] = []
  /// Documents left out, by reason.
  package private(set) var skipped: [String: Int] = [:]
  /// The keys that the left-out documents would have had as rows, one for each row.
  package private(set) var skippedKeys = TableRows(width: 1)
  /// Remarks on stored rows, counted by reason.
  package private(set) var notes: [String: Int] = [:]
  /// The paths at which a value was found; empty for mappings that do not record them.
  package var met = SeenFields()
  /// Whether each row represents its whole document: no row has a note, and each key is a document
  /// id.
  package private(set) var canSkipUnchanged = true

  /// Begins without rows, and reuses the memory of `rows`.
  package init(_ rows: consuming TableRows) {
    self.rows = rows
  }

  package var byteCount: Int { children.reduce(rows.bytes.count) { $0 + $1.rows.bytes.count } }

  /// Creates the child tables' rows, once.
  package mutating func beginChildren(_ widths: [Int]) {
    if children.isEmpty { children = widths.map(ChildRows.init) }
  }

  package mutating func removeLast() {
    rows.removeLast()
    for index in children.indices { children[index].removeLast() }
  }

  /// Counts a document that is left out and stores its key.
  package mutating func skip(_ reason: String, key: UnsafeRawBufferPointer) {
    skipped[reason, default: 0] += 1
    skippedKeys.append(text: key)
  }

  /// Counts a document that is left out and whose key must not be stored.
  package mutating func skip(_ reason: String) {
    skipped[reason, default: 0] += 1
  }

  /// Counts a remark on the last row.
  package mutating func note(_ reason: String) {
    notes[reason, default: 0] += 1
    canSkipUnchanged = false
  }

  /// Records that the key of the last row is the value of a field instead of the document's id.
  package mutating func noteKeyOfField() { canSkipUnchanged = false }
}

/// A mapping of scanned documents to rows with only a key.
package struct KeyMapping: Sendable {
  package let scanner: DocumentScanner
  /// The fields that a query has to select for the key.
  package let select: [FieldPath]
  package let orderPosition: Int?
  private let form: Form

  private enum Form {
    /// The first of the fields that holds a text, or else the last segment of the name.
    case id(fieldCount: Int)
    /// The path below the database.
    case path
  }

  /// Takes the key from the first of these top-level fields with a text, or else from the name.
  package init(fields: [String] = []) {
    scanner = DocumentScanner(fields: fields)
    select = fields.isEmpty ? [.documentName] : fields.map { FieldPath(segments: [$0]) }
    orderPosition = nil
    form = .id(fieldCount: fields.count)
  }

  /// Uses the path below the database as the key; pages are ordered by `field`, nil for the name.
  package init(pathsOrderedBy field: FieldPath?) {
    scanner = DocumentScanner(fields: field.map { [WantedField($0)] } ?? [], extent: .init())
    select = [field ?? .documentName]
    orderPosition = field == nil ? nil : 0
    form = .path
  }

  /// Returns the range of the key in the page; the first `fieldCount` scanned fields may hold it.
  ///
  /// A field with a value other than text ends the search: the key is then the last segment of the
  /// name.
  package static func key(
    of document: borrowing ScannedDocument, fieldCount: Int, in page: UnsafeRawBufferPointer
  ) -> Range<Int> {
    for position in 0..<fieldCount {
      switch document.fields[position] {
      case .missing, .null: continue
      case .string(let text): return text
      default: return id(of: document.name, in: page)
      }
    }
    return id(of: document.name, in: page)
  }

  /// Returns the range of the last segment of a document's name.
  package static func id(of name: Range<Int>, in page: UnsafeRawBufferPointer) -> Range<Int> {
    let slash = page[name].lastIndex(of: UInt8(ascii: "/"))
    return (slash.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound
  }

  /// Returns the range of the path below the database: the name after its fifth slash, or all of
  /// it.
  package static func path(of name: Range<Int>, in page: UnsafeRawBufferPointer) -> Range<Int> {
    var slashCount = 0
    for index in name where page[index] == UInt8(ascii: "/") {
      slashCount += 1
      if slashCount == 5 { return (index + 1)..<name.upperBound }
    }
    return name
  }
}

extension KeyMapping: DocumentMapping {
  package var width: Int { 1 }

  package var personCells: PersonColumns {
    if case .id = form { .id(0) } else { .all }
  }

  package func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows
  ) {
    collected.rows.append(.text(key(of: document, in: page)), from: page)
  }

  /// Returns the range in the page of the key that the document's row gets.
  func key(of document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer) -> Range<Int> {
    switch form {
    case .id(let count): Self.key(of: document, fieldCount: count, in: page)
    case .path: Self.path(of: document.name, in: page)
    }
  }
}

/// The paths of a mapping that led to a value in at least one document, null included; by position.
///
/// A path that ends at a value of another kind counts as seen: that value already has a note.
package struct SeenFields: Codable, Hashable, Sendable {
  /// The flags by position; empty before the first document.
  private var flags: [Bool] = []

  package var isEmpty: Bool { flags.isEmpty }

  /// Allocates the flags, once.
  package mutating func begin(_ count: Int) {
    if flags.isEmpty { flags = Array(repeating: false, count: count) }
  }

  /// Marks a path as seen; `begin` must have been called before.
  @inline(__always)
  package mutating func meet(_ position: Int) { flags[position] = true }

  /// Adds the paths seen in other documents of the same mapping.
  package mutating func merge(_ other: SeenFields) {
    begin(other.flags.count)
    for position in other.flags.indices where other.flags[position] { flags[position] = true }
  }

  package func contains(_ position: Int) -> Bool {
    flags.indices.contains(position) && flags[position]
  }
}

extension ScannedDocument {
  /// Returns whether the path of a wanted field leads to a value, or ends at one of another kind.
  @inline(__always)
  package func has(_ position: Int) -> Bool {
    if case .missing = fields[position] { !json(of: position).isEmpty } else { true }
  }
}

/// A mapping that leaves out rows about erased people.
struct ErasureMapping<Base: DocumentMapping>: DocumentMapping {
  let base: Base
  let erased: ErasedPeople

  var scanner: DocumentScanner { base.scanner }
  var width: Int { base.width }
  var childWidths: [Int] { base.childWidths }
  var orderPosition: Int? { base.orderPosition }
  var personCells: PersonColumns { base.personCells }

  func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows
  ) {
    let count = collected.rows.count
    base.add(document, in: page, to: &collected)
    guard collected.rows.count > count,
      erased.areNamed(inLastRowOf: collected.rows, cells: base.personCells)
        || collected.children.contains(where: erased.areNamed(inLastOf:))
    else { return }
    let key = erased.areNamed(inKeyOfLastRowOf: collected.rows) ? nil : collected.lastKey
    collected.removeLast()
    guard let key else { return collected.skip(ErasedPeople.countedAs) }
    key.withUnsafeBytes { collected.skip(ErasedPeople.countedAs, key: $0) }
  }

  func time(of value: Value) -> Timestamp? { base.time(of: value) }
}

extension MappedRows {
  fileprivate var lastKey: [UInt8]? {
    guard case .text(let range)? = rows.cells.suffix(rows.width).first else { return nil }
    return Array(rows.bytes[range])
  }
}

extension ErasedPeople {
  /// Returns whether a child row of the last parent row is about an erased person.
  fileprivate func areNamed(inLastOf children: ChildRows) -> Bool {
    children.range(of: children.ends.count - 1).contains {
      areNamed(inRow: $0, of: children.rows, cells: .all)
    }
  }
}

extension DocumentMapping {
  fileprivate func without(_ erased: ErasedPeople) -> any DocumentMapping {
    ErasureMapping(base: self, erased: erased)
  }
}

extension PullRequest {
  /// Returns the request with a mapping that leaves out erased people.
  package func withoutErased(in reader: some Readable) throws -> PullRequest {
    let erased = try reader.erasedPeople()
    guard !erased.isEmpty else { return self }
    var request = self
    request.mapping = mapping.without(erased)
    if let mapping = silentChanges?.mapping {
      request.silentChanges?.mapping = mapping.without(erased)
    }
    return request
  }
}
