/// Reads the elements of an array, or the entries of a map, from the JSON of one field.
package struct ElementScanner: Sendable {
  package enum Container: Hashable, Sendable {
    /// An array or a vector, which Firestore sends as a map.
    case array
    case map
  }

  /// An element, valid until the scan continues.
  package struct Element {
    /// The index from 0, in the order of the array; a map's entries are sorted by key.
    package var index: Int
    /// The range of a map's key; empty for an array.
    package var key: Range<Int>
  }

  private let table: FieldTable
  private let fieldCount: Int
  private let container: Container

  /// The name of the element itself in the table of fields.
  private static let element = "element"

  /// Scans for values inside each element; an empty path is the element itself.
  package init(_ container: Container, _ wanted: [WantedField]) {
    self.container = container
    fieldCount = wanted.count
    table = FieldTable(
      wanted.map { field in
        WantedField(ValuePath(steps: [.field(Self.element)] + field.path.steps), field.form)
      })
  }

  /// Calls `each` for every element, in order.
  ///
  /// `json` is the field's canonical JSON, which is unescaped in place. `each` receives the
  /// element, its wanted fields, and the bytes that their ranges point into. The result is nil for
  /// a container of the right kind and for null, otherwise the kind of the value. It throws the
  /// errors of `each`, and an error for JSON that no scan has accepted.
  package func scan(
    _ json: inout [UInt8],
    each: (Element, borrowing ScannedDocument, UnsafeRawBufferPointer) throws -> Void
  ) throws -> FieldKind? {
    try json.withUnsafeMutableBufferPointer { buffer in
      guard var cursor = ByteCursor(buffer) else { return nil }
      if container == .array { Self.enterVector(&cursor) }
      let kind = try cursor.kind()
      guard kind == (container == .array ? .array : .map) else {
        return kind == .null ? nil : kind
      }
      var reader = PageReader(cursor, table, fieldCount: fieldCount, .init(), nil)
      try reader.elements(named: Self.element, of: table, isMap: container == .map, each: each)
      return nil
    }
  }

  /// Moves to a vector's array; for other values, it does not move.
  private static func enterVector(_ cursor: inout ByteCursor) {
    let head: StaticString =
      #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":"#
    let count = head.utf8CodeUnitCount
    guard cursor.count > count, cursor.holds(0..<count, head) else { return }
    cursor.index = count
  }
}

extension PageReader {
  /// Reads every element of the container at the cursor as the field `name` of `table`.
  fileprivate mutating func elements(
    named name: String, of table: FieldTable, isMap: Bool,
    each: (ElementScanner.Element, borrowing ScannedDocument, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var index = 0
    let bytes = UnsafeRawBufferPointer(start: cursor.base, count: cursor.count)
    try inside(isMap ? "mapValue" : "arrayValue", isMap ? "fields" : "values") { reader in
      try reader.children(isMap: isMap) { reader, key in
        reader.resetFields()
        var name = name
        try name.withUTF8 {
          try reader.value(named: UnsafeRawBufferPointer($0), wantedBy: table, depth: 4)
        }
        try each(.init(index: index, key: key), reader.document, bytes)
        index += 1
      }
    }
  }
}
