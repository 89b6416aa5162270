import HTTP

/// The name of a database's root, of a collection, or of a document.
///
/// See `docs/firestore.md#addresses`.
package struct ResourceName: Hashable, Sendable {
  package var project: String
  /// Usually the literal `(default)`.
  package var database: String
  /// Alternating collection ids and document ids; empty for the root.
  package private(set) var segments: [String]

  /// The root of the database's documents.
  package init(project: String, database: String = "(default)") {
    self.project = project
    self.database = database
    segments = []
  }

  /// Reads `projects/{project}/databases/{database}/documents[/...]`.
  package init(parsing text: String) throws(WireError) {
    let parts = ResourceName.ids(in: text)
    guard parts.count >= 5, parts[0] == "projects", parts[2] == "databases",
      parts[4] == "documents", !parts[1].isEmpty, !parts[3].isEmpty
    else {
      throw WireError(
        "`\(text)` is not a name such as projects/PROJECT/databases/(default)/documents/Users/ID")
    }
    self = try ResourceName(project: parts[1], database: parts[3]).appending(Array(parts[5...]))
  }

  /// Appends a relative path such as `Users/abc` or `Users`.
  package func appending(path: String) throws(WireError) -> ResourceName {
    try appending(ResourceName.ids(in: path))
  }

  /// Appends ids; throws for an invalid id.
  package func appending(_ ids: [String]) throws(WireError) -> ResourceName {
    guard !ids.contains("") else {
      throw WireError("an id is empty: two slashes in a row, or a slash at the end")
    }
    for (position, id) in ids.enumerated() {
      let isDocument = (segments.count + position) % 2 == 1
      guard !ResourceName.isValid(id: id, ofDocument: isDocument) else { continue }
      throw WireError(
        "`\(id)` cannot be the id of a collection or a document: 1 to 1,500 bytes, no slash, "
          + "not `.`, `..` or `__...__`")
    }
    var copy = self
    copy.segments += ids
    return copy
  }

  /// The segments of a name or path, empty ones included.
  ///
  /// Splits at bytes: an id may begin with a combining mark, which Swift joins with the slash
  /// before it into one character.
  package static func ids(in path: some StringProtocol) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  package var isDocument: Bool { !segments.isEmpty && segments.count % 2 == 0 }

  package var isCollection: Bool { segments.count % 2 == 1 }

  /// The last id; nil for the root.
  package var id: String? { segments.last }

  /// A document's collection, or a collection's document or root; nil for the root.
  package var parent: ResourceName? {
    guard !segments.isEmpty else { return nil }
    var copy = self
    copy.segments.removeLast()
    return copy
  }

  /// `projects/{project}/databases/{database}`.
  package var databaseName: String { "projects/\(project)/databases/\(database)" }

  /// The name as the path of a URL, each segment percent-encoded.
  package var encodedPath: String {
    let parts = ["projects", project, "databases", database, "documents"] + segments
    return parts.map(PercentEncoding.path).joined(separator: "/")
  }

  /// Returns the number of an id of the form `__id7__`, as used by Datastore; nil for other ids.
  static func number(ofId id: String) -> Int64? {
    guard id.hasPrefix("__id"), id.hasSuffix("__"), id.utf8.count > 6 else { return nil }
    return Int64(id.dropFirst(4).dropLast(2))
  }

  /// Returns whether a document, or a collection, may have the id: only documents have numeric
  /// ones.
  package static func isValid(id: String, ofDocument isDocument: Bool) -> Bool {
    isValid(id: id) || (isDocument && number(ofId: id) != nil)
  }

  /// Returns whether the ids form a path below the root: alternating collections and documents.
  package static func isValid(path ids: [String]) -> Bool {
    ids.enumerated().allSatisfy { isValid(id: $1, ofDocument: $0 % 2 == 1) }
  }

  /// Whether Firestore accepts `id` for a collection or a document; see `docs/firestore.md#limits`.
  package static func isValid(id: String) -> Bool {
    guard (1...1500).contains(id.utf8.count), !id.utf8.contains(UInt8(ascii: "/")) else {
      return false
    }
    let isReserved = id.utf8.count >= 4 && id.hasPrefix("__") && id.hasSuffix("__")
    return id != "." && id != ".." && !isReserved
  }
}

extension ResourceName: CustomStringConvertible {
  /// The name without percent-encoding, as in documents.
  package var description: String {
    ([databaseName, "documents"] + segments).joined(separator: "/")
  }
}

/// The order of document names: by segments, a parent before its children.
package enum NameOrder {
  /// Negative when `left` comes first, positive when `right` does, 0 when they are equal.
  ///
  /// Segments of the form `__id7__` come first, in numeric order, if `numericFirst`; others compare
  /// by their bytes.
  package static func compare(
    _ left: String, _ right: String, numericFirst: Bool = true
  ) -> Int {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { right in compare(left, right, numericFirst) }
    }
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  private static func compare(_ left: Bytes, _ right: Bytes, _ numericFirst: Bool) -> Int {
    let place = commonCount(left, right)
    if numericFirst {
      let start = (left[..<place].lastIndex(of: slash) ?? -1) + 1
      switch (number(left, from: start), number(right, from: start)) {
      case (let first?, let second?) where first != second: return first < second ? -1 : 1
      case (.some, nil): return -1
      case (nil, .some): return 1
      default: break
      }
    }
    // If one text ends first, it comes first: as a whole name or as a segment of it.
    guard place < left.count else { return place < right.count ? -1 : 0 }
    guard place < right.count else { return 1 }
    if left[place] == slash || right[place] == slash { return left[place] == slash ? -1 : 1 }
    return left[place] < right[place] ? -1 : 1
  }

  private static let slash = UInt8(ascii: "/")

  /// Returns the number of leading bytes that both share; names of one database share dozens of
  /// them.
  private static func commonCount(_ left: Bytes, _ right: Bytes) -> Int {
    let most = min(left.count, right.count)
    let (leftBytes, rightBytes) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
    var count = 0
    while count + 8 <= most,
      leftBytes.loadUnaligned(fromByteOffset: count, as: UInt64.self)
        == rightBytes.loadUnaligned(fromByteOffset: count, as: UInt64.self)
    {
      count += 8
    }
    while count < most, left[count] == right[count] { count += 1 }
    return count
  }

  /// The number of the segment that begins at `start`; nil for a segment of another form.
  private static func number(_ name: Bytes, from start: Int) -> Int64? {
    guard start + 4 <= name.count, name[start] == UInt8(ascii: "_"),
      name[start..<start + 4].elementsEqual("__id".utf8)
    else { return nil }
    let text = String(decoding: name[start...].prefix { $0 != slash }, as: UTF8.self)
    return text.hasSuffix("__") ? Int64(text.dropFirst(4).dropLast(2)) : nil
  }
}

/// The path of a field through a document's maps, one segment per level.
package struct FieldPath: Hashable, Sendable {
  /// At least one.
  package var segments: [String]

  package init(segments: [String]) {
    precondition(!segments.isEmpty, "a field path has at least one segment")
    self.segments = segments
  }

  /// The document's name, the last order of every query.
  package static let documentName = FieldPath(segments: ["__name__"])
}

/// The text form: segments separated by dots, quoted in back-ticks unless they are plain names.
///
/// See `docs/firestore.md#addresses`.
extension FieldPath: CustomStringConvertible {
  package init(parsing text: String) throws(WireError) {
    var rest = text.unicodeScalars[...]
    var segments = [try FieldPath.segment(&rest, of: text)]
    while let separator = rest.popFirst() {
      guard separator == "." else { throw FieldPath.malformed(text) }
      segments.append(try FieldPath.segment(&rest, of: text))
    }
    self.init(segments: segments)
  }

  package var description: String { segments.map(FieldPath.quoted).joined(separator: ".") }

  private typealias Scalars = Substring.UnicodeScalarView

  private static func segment(_ rest: inout Scalars, of text: String) throws(WireError) -> String {
    guard rest.first == "`" else {
      let plain = String(rest.prefix { $0 != "." })
      guard isPlain(plain) else { throw malformed(text) }
      rest = rest.dropFirst(plain.unicodeScalars.count)
      return plain
    }
    rest.removeFirst()
    return try quotedSegment(&rest, of: text)
  }

  private static func quotedSegment(
    _ rest: inout Scalars, of text: String
  ) throws(WireError) -> String {
    var segment = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "`":
        guard !segment.isEmpty else { throw malformed(text) }
        return String(segment)
      case "\\":
        guard let escaped = rest.popFirst(), escaped == "`" || escaped == "\\" else {
          throw malformed(text)
        }
        segment.append(escaped)
      default: segment.append(scalar)
      }
    }
    throw malformed(text)
  }

  private static func malformed(_ text: String) -> WireError {
    WireError(
      "`\(text)` is not a field path; names other than letters, digits and _ need back-ticks")
  }

  private static func quoted(_ segment: String) -> String {
    guard !isPlain(segment) else { return segment }
    var quoted = "`"
    for scalar in segment.unicodeScalars {
      if scalar == "`" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "`"
  }

  /// Returns whether it is an ASCII letter or `_`, followed by ASCII letters, digits and `_`.
  private static func isPlain(_ segment: String) -> Bool {
    guard let first = segment.utf8.first, !JSONNumber.isDigit(first) else { return false }
    return segment.utf8.allSatisfy { byte in
      JSONNumber.isDigit(byte) || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }
}

extension FieldPath {
  init(json: JSON) throws(WireError) {
    try self.init(parsing: json.text())
  }

  /// Reads `{"fieldPath": "a.b"}`.
  init(reference json: JSON) throws(WireError) {
    let members = try json.members()
    try members.allowOnly("fieldPath")
    self = try members.required("fieldPath", FieldPath.init(json:))
  }

  var referenceJSON: JSON { .object(["fieldPath": .string(description)]) }

  /// Reads a document mask, `{"fieldPaths": ["a.b"]}`; the key may be absent.
  package static func mask(json: JSON) throws(WireError) -> [FieldPath] {
    let members = try json.members()
    try members.allowOnly("fieldPaths")
    return try members.list("fieldPaths", FieldPath.init(json:))
  }

  package static func maskJSON(_ mask: [FieldPath]) -> JSON {
    .object(["fieldPaths": .array(mask.map { .string($0.description) })])
  }
}
