import Glibc

/// The state of one scan of an array, whose elements have a document, a read time, or both.
struct PageReader {
  typealias Each = (borrowing ScannedDocument, UnsafeRawBufferPointer) throws -> Void

  var cursor: ByteCursor
  var document: ScannedDocument
  /// The stored times to compare with; nil when all documents are to be read.
  var stored: DocumentScanner.StoredTime?
  /// Whether the document's `updateTime` was found.
  private var hasUpdateTime = false
  /// The position of the document's fields if they were not read; nil otherwise.
  private var unreadFields: Int?
  private var page = ScannedPage()
  private let table: FieldTable
  private let extent: DocumentScanner.Extent
  private let origin: DocumentOrigin?
  private var shapes: FieldShapes

  init(
    _ cursor: ByteCursor, _ table: FieldTable, fieldCount: Int, _ extent: DocumentScanner.Extent,
    _ origin: DocumentOrigin?
  ) {
    self.cursor = cursor
    self.table = table
    self.extent = extent
    self.origin = origin
    document = ScannedDocument(fieldCount: fieldCount)
    shapes = FieldShapes(heads: table.isPlain ? table.heads : [])
    if extent.hasCensus { page.census = FieldCensus() }
  }

  mutating func page(_ each: Each) throws -> ScannedPage {
    guard try cursor.next() == UInt8(ascii: "[") else { throw try notAnArray() }
    var lastName: Range<Int>?
    guard try cursor.enter(closing: UInt8(ascii: "]"), depth: 1) else {
      try cursor.expectEnd()
      throw StreamedResponse.noElements
    }
    repeat {
      guard try element() else { continue }
      page.documentCount += 1
      lastName = document.name
      try each(document, UnsafeRawBufferPointer(start: cursor.base, count: cursor.count))
    } while try cursor.another(closing: UInt8(ascii: "]"))
    try cursor.expectEnd()
    try readLastFields()
    page.lastName = lastName.map { String(decoding: cursor.bytes($0), as: UTF8.self) }
    return page
  }

  /// Reads the fields of the last document if they were not read: the next page may begin there.
  private mutating func readLastFields() throws {
    guard let unreadFields else { return }
    cursor.index = unreadFields
    try fields()
  }

  /// The error for an answer that is not an array; throws for invalid JSON.
  private func notAnArray() throws -> any Error {
    let json = try JSON(parsing: cursor.bytes(0..<cursor.count))
    return ErrorEnvelope(in: json) ?? WireError("is not an array")
  }

  /// Reads one element of the array; true when it contains a document.
  private mutating func element() throws -> Bool {
    guard try cursor.next() == UInt8(ascii: "{") else {
      try cursor.skipValue(depth: 1)
      throw WireError("an element of the answer is not an object")
    }
    var hasDocument = false
    guard try cursor.enter(closing: UInt8(ascii: "}"), depth: 2) else { return false }
    repeat {
      let key = try cursor.key()
      if cursor.holds(key, "document") {
        hasDocument = try documentMember()
      } else if cursor.holds(key, "readTime") {
        page.readTime = try timestamp().map(Timestamp.init(microseconds:)) ?? page.readTime
      } else if cursor.holds(key, "error") {
        try failIfEnvelope()
      } else if cursor.holds(key, "skippedResults") {
        page.skippedCount += try skippedCount()
      } else {
        try cursor.skipValue(depth: 2)
      }
    } while try cursor.another(closing: UInt8(ascii: "}"))
    return hasDocument
  }

  /// Reads the document at the cursor; false for null.
  private mutating func documentMember() throws -> Bool {
    switch try cursor.next() {
    case UInt8(ascii: "{"):
      resetDocument()
      if extent.hasDocument { try keepDocument() }
      try readDocument()
    case UInt8(ascii: "n"):
      try cursor.literal("null")
      return false
    default: throw WireError("is not an object", at: ["document"])
    }
    guard !document.name.isEmpty else { throw WireError("is missing", at: ["document", "name"]) }
    if let origin, !origin.holds(cursor.bytes(document.name)) { throw strayDocument }
    return true
  }

  private var strayDocument: WireError {
    DocumentOrigin.strayDocument(String(decoding: cursor.bytes(document.name), as: UTF8.self))
  }

  /// Copies the JSON of the document at the cursor, which does not move.
  private mutating func keepDocument() throws {
    let start = cursor.index
    try cursor.skipValue(depth: 2)
    _ = cursor.appendCanonical(start..<cursor.index, to: &document.json)
    cursor.index = start
  }

  private mutating func readDocument() throws {
    guard try cursor.enter(closing: UInt8(ascii: "}"), depth: 3) else { return }
    repeat {
      let key = try cursor.key()
      if cursor.holds(key, "fields") {
        if try !skipUnchanged() { try fields() }
      } else if cursor.holds(key, "name") {
        document.name = try name()
      } else if cursor.holds(key, "updateTime") {
        // It is unknown which of two times is the document's.
        guard !hasUpdateTime else {
          throw WireError("is given twice", at: ["document", "updateTime"])
        }
        hasUpdateTime = true
        document.updateTime = try timestamp()
      } else if extent.hasCreateTime, cursor.holds(key, "createTime") {
        document.createTime = try timestamp()
      } else {
        try cursor.skipValue(depth: 3)
      }
    } while try cursor.another(closing: UInt8(ascii: "}"))
  }

  /// Moves past the document's `updateTime` if it equals the stored one, without reading the fields
  /// at the cursor; otherwise returns false, and the cursor does not move.
  @inline(__always)
  private mutating func skipUnchanged() throws -> Bool {
    guard let stored, !document.name.isEmpty, !hasUpdateTime,
      let time = try stored(cursor.bytes(document.name))
    else { return false }
    let start = cursor.index
    guard let found = cursor.skipToUpdateTime(), found == time else {
      cursor.index = start
      return false
    }
    document.updateTime = found
    hasUpdateTime = true
    document.isUnchanged = true
    unreadFields = start
    return true
  }

  private mutating func resetDocument() {
    document.isUnchanged = false
    hasUpdateTime = false
    unreadFields = nil
    document.name = 0..<0
    document.updateTime = nil
    document.createTime = nil
    document.json.removeAll(keepingCapacity: true)
    resetFields()
  }

  @inline(__always)
  mutating func resetFields() {
    for position in document.fields.indices { document.fields[position] = .missing }
    guard !table.isPlain else { return }
    for position in document.fieldRanges.indices { document.fieldRanges[position] = 0..<0 }
    document.fieldJSON.removeAll(keepingCapacity: true)
  }

  private mutating func name() throws -> Range<Int> {
    guard try cursor.next() == UInt8(ascii: "\"") else {
      throw WireError("is not a string", at: ["document", "name"])
    }
    return try cursor.text()
  }

  /// Reads a timestamp outside of the fields; nil for null.
  private mutating func timestamp() throws -> Int64? {
    switch try cursor.next() {
    case UInt8(ascii: "\""):
      let text = try cursor.text()
      guard let microseconds = RFC3339.microseconds(cursor.bytes(text)) else { break }
      return microseconds
    case UInt8(ascii: "n"):
      try cursor.literal("null")
      return nil
    default: break
    }
    throw WireError("a time of the answer is not an RFC 3339 timestamp")
  }

  private mutating func skippedCount() throws -> Int {
    let start = cursor.index
    try cursor.skipValue(depth: 2)
    let json = try JSON(parsing: cursor.bytes(start..<cursor.index))
    return json == .null ? 0 : try StructuredQuery.count(json: json)
  }

  /// Throws the `ErrorEnvelope` at the cursor; ignores other values.
  private mutating func failIfEnvelope() throws {
    let start = cursor.index
    try cursor.skipValue(depth: 2)
    let json = try JSON(parsing: cursor.bytes(start..<cursor.index))
    guard let envelope = ErrorEnvelope(in: .object(["error": json])) else { return }
    throw envelope
  }

  private mutating func fields() throws {
    resetFields()
    switch try cursor.next() {
    case UInt8(ascii: "{"): break
    case UInt8(ascii: "n"): return try cursor.literal("null")
    default: throw WireError("is not an object", at: ["document", "fields"])
    }
    guard !extent.hasCensus, table.isPlain else { return try fields(of: table, depth: 4) }
    try plainFields()
  }

  /// Reads the fields at the cursor for a plain table: the hot path.
  @inline(__always)
  private mutating func plainFields() throws {
    guard try cursor.enter(closing: UInt8(ascii: "}"), depth: 4) else { return }
    var last = shapes.start
    repeat {
      let expected = shapes.following(last)
      if expected >= 0, let kind = shapes.kind(ofFieldAt: expected, in: &cursor) {
        document.fields[expected] = try cursor.field(of: kind, depth: 4)
        last = expected
      } else {
        last = try unexpectedField(after: last)
      }
    } while try cursor.another(closing: UInt8(ascii: "}"))
  }

  /// Reads a field that was not predicted; returns the position of the last wanted field.
  private mutating func unexpectedField(after last: Int) throws -> Int {
    let key = try cursor.key()
    let first = table.position(of: cursor.bytes(key))
    guard first >= 0 else {
      try cursor.skipValue(depth: 4)
      return last
    }
    shapes.expect(first, of: try cursor.kind(), after: last)
    let field = try cursor.field(depth: 4)
    var position = first
    while position >= 0 {
      document.fields[position] = field
      position = table.position(of: cursor.bytes(key), after: position)
    }
    return first
  }

  /// Reads the fields at the cursor, of the document or of a map in it.
  mutating func fields(of table: FieldTable, depth: Int) throws {
    guard try cursor.enter(closing: UInt8(ascii: "}"), depth: depth) else { return }
    repeat {
      let key = try cursor.key()
      if depth == 4 { try page.census?.count(cursor.bytes(key), cursor.kind()) }
      try value(named: cursor.bytes(key), wantedBy: table, depth: depth)
    } while try cursor.another(closing: UInt8(ascii: "}"))
  }
}

/// The last document of a page, found without scanning the page.
///
/// It shows early where the next page begins. It is a guess until the whole page was scanned; see
/// `docs/firestore.md#pages-ahead`.
package struct PageTail: Sendable {
  /// A valid answer with the last document and everything after it.
  package let answer: [UInt8]
  /// The number of documents that begin with the same bytes as the last one, at most all of them.
  package let documentCount: Int

  /// Nil when the answer does not end like a page of documents that Firestore writes.
  package init?(of page: [UInt8]) {
    let found: (answer: [UInt8], count: Int)? = page.withUnsafeBytes { bytes in
      guard let start = Self.lastDocument(in: bytes), let head = Self.head(in: bytes, at: start)
      else { return nil }
      let tail = UnsafeRawBufferPointer(rebasing: bytes[start...])
      return ([UInt8(ascii: "[")] + tail, Self.count(of: bytes[head], in: bytes))
    }
    guard let found else { return nil }
    answer = found.answer
    documentCount = found.count
  }

  /// Maximum length in bytes of the last document's JSON; a document is at most 1 MiB.
  private static let longestTail = 2 << 20

  /// Returns the position of the last `{"document"`.
  private static func lastDocument(in page: UnsafeRawBufferPointer) -> Int? {
    let end = max(0, page.count - longestTail)
    var position = page.count - 1
    while position >= end {
      if page[position] == UInt8(ascii: "{"), skip(#""document""#, in: page, after: position) != nil
      {
        return position
      }
      position -= 1
    }
    return nil
  }

  /// Returns the range from the document's brace to its first key.
  ///
  /// If the first key is the name, as Google writes it, the range extends to the collection, since
  /// the search for a longer head is faster.
  private static func head(in page: UnsafeRawBufferPointer, at start: Int) -> Range<Int>? {
    guard let brace = skip([#""document""#, ":", "{"], in: page, after: start) else { return nil }
    if let name = skip([#""name""#, ":", #""projects/"#], in: page, after: brace) {
      return start..<(end(ofSlashes: 3, in: page, after: name) ?? name) + 1
    }
    guard let quote = skip("\"", in: page, after: brace),
      let end = page[(quote + 1)...].firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    return start..<end + 1
  }

  /// The position of the slash number `count` after `start`; nil when it is not within 256 bytes.
  private static func end(
    ofSlashes count: Int, in page: UnsafeRawBufferPointer, after start: Int
  ) -> Int? {
    var slashCount = 0
    for position in (start + 1)..<min(start + 256, page.count) where page[position] == 0x2F {
      slashCount += 1
      if slashCount == count { return position }
    }
    return nil
  }

  /// The position of the last token's last byte when all tokens follow, with optional white space.
  private static func skip(
    _ tokens: [StaticString], in page: UnsafeRawBufferPointer, after start: Int
  ) -> Int? {
    var position: Int? = start
    for token in tokens { position = position.flatMap { skip(token, in: page, after: $0) } }
    return position
  }

  /// The position of the token's last byte when it follows, with optional white space.
  @inline(__always)
  private static func skip(
    _ token: StaticString, in page: UnsafeRawBufferPointer, after start: Int
  ) -> Int? {
    var position = start + 1
    while position < page.count, isBlank(page[position]) { position += 1 }
    let count = token.utf8CodeUnitCount
    guard position + count <= page.count else { return nil }
    for offset in 0..<count where page[position + offset] != token.utf8Start[offset] { return nil }
    return position + count - 1
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Counts with Horspool's search, which reads about every tenth byte.
  private static func count(
    of head: Slice<UnsafeRawBufferPointer>, in page: UnsafeRawBufferPointer
  ) -> Int {
    let head = UnsafeRawBufferPointer(rebasing: head)
    guard let needle = head.baseAddress, let text = page.baseAddress else { return 0 }
    let last = head.count - 1
    var shifts = [Int](repeating: head.count, count: 256)
    for offset in 0..<last { shifts[Int(head[offset])] = last - offset }
    var count = 0
    var end = last
    while end < page.count {
      if page[end - last] == head[0], memcmp(text + (end - last), needle, head.count) == 0 {
        count += 1
        end += head.count
      } else {
        end += shifts[Int(page[end])]
      }
    }
    return count
  }
}
