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
    for (position, id) in ids.enumerated() where !ResourceName.isValid(id: id) {
      let isDocument = (segments.count + position) % 2 == 1
      guard !isDocument || !ResourceName.isNumeric(id: id) else { continue }
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

  /// Whether `id` has the form `__id7__` of Datastore's numeric ids.
  private static func isNumeric(id: String) -> Bool {
    guard id.hasPrefix("__id"), id.hasSuffix("__"), id.utf8.count > 6 else { return false }
    return Int64(id.dropFirst(4).dropLast(2)) != nil
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
  /// Segments of the form `__id7__` come first, in numeric order; others compare by their bytes.
  package static func compare(_ left: String, _ right: String) -> Int {
    let (left, right) = (left.utf8, right.utf8)
    var (leftStart, rightStart) = (left.startIndex, right.startIndex)
    var (leftIndex, rightIndex) = (leftStart, rightStart)
    while leftIndex < left.endIndex, rightIndex < right.endIndex,
      left[leftIndex] == right[rightIndex]
    {
      let isSlash = left[leftIndex] == UInt8(ascii: "/")
      left.formIndex(after: &leftIndex)
      right.formIndex(after: &rightIndex)
      if isSlash { (leftStart, rightStart) = (leftIndex, rightIndex) }
    }
    let order = compareSegments(segment(left, from: leftStart), segment(right, from: rightStart))
    return order == 0 ? left.count - right.count : order
  }

  private typealias Bytes = Substring.UTF8View

  private static func segment(_ name: String.UTF8View, from start: String.Index) -> Bytes {
    name[start...].prefix { $0 != UInt8(ascii: "/") }
  }

  private static func compareSegments(_ left: Bytes, _ right: Bytes) -> Int {
    switch (number(left), number(right)) {
    case (let left?, let right?): return left < right ? -1 : left > right ? 1 : 0
    case (.some, nil): return -1
    case (nil, .some): return 1
    case (nil, nil):
      if left.elementsEqual(right) { return 0 }
      return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
  }

  private static func number(_ segment: Bytes) -> Int64? {
    guard segment.starts(with: "__id".utf8) else { return nil }
    let text = Substring(segment)
    return text.hasSuffix("__") ? Int64(text.dropFirst(4).dropLast(2)) : nil
  }
}
