/// Values that are read in several representations, or searched for inner fields.
extension PageReader {
  /// Reads the value at the cursor in every representation that the table wants.
  ///
  /// Reading unescapes in place, so a value is read only once: its JSON is copied before, and a map
  /// is either searched or skipped. `depth` counts the containers around the value.
  mutating func value(of key: Range<Int>, wantedBy table: FieldTable, depth: Int) throws {
    let first = table.position(of: cursor.bytes(key))
    guard first >= 0 else { return try cursor.skipValue(depth: depth) }
    if case .value(let target) = table.targets[first],
      table.position(of: cursor.bytes(key), after: first) < 0
    {
      return document.fields[target] = try cursor.field(depth: depth)
    }
    var values: [Int] = []
    var texts: [Int] = []
    var child: FieldTable?
    var position = first
    while position >= 0 {
      switch table.targets[position] {
      case .value(let target): values.append(target)
      case .json(let target): texts.append(target)
      case .inside(let index): child = table.children[index]
      }
      position = table.position(of: cursor.bytes(key), after: position)
    }
    if !texts.isEmpty { try keepJSON(at: texts, depth: depth) }
    let field = try read(isSearched: child, depth: depth, isWanted: !values.isEmpty)
    for target in values { document.fields[target] = field }
  }

  /// Copies the JSON of the value at the cursor, which does not move.
  private mutating func keepJSON(at targets: [Int], depth: Int) throws {
    let start = cursor.index
    try cursor.skipValue(depth: depth)
    let range = cursor.appendCanonical(start..<cursor.index, to: &document.fieldJSON)
    for target in targets { document.fieldRanges[target] = range }
    cursor.index = start
  }

  /// Consumes the value at the cursor, searching a map when `child` is given.
  private mutating func read(
    isSearched child: FieldTable?, depth: Int, isWanted: Bool
  ) throws -> ScannedField {
    if let child, try cursor.kind() == .map {
      try search(child, depth: depth)
      return .other(.map)
    }
    guard isWanted else {
      try cursor.skipValue(depth: depth)
      return .missing
    }
    return try cursor.field(depth: depth)
  }

  /// Reads the wanted fields of the `{"mapValue": {"fields": {...}}}` at the cursor.
  private mutating func search(_ table: FieldTable, depth: Int) throws {
    try members(depth: depth + 1) { reader, key in
      guard reader.cursor.holds(key, "mapValue"), try reader.cursor.next() == UInt8(ascii: "{")
      else { return try reader.cursor.skipValue(depth: depth + 1) }
      try reader.members(depth: depth + 2) { reader, key in
        guard reader.cursor.holds(key, "fields"), try reader.cursor.next() == UInt8(ascii: "{")
        else { return try reader.cursor.skipValue(depth: depth + 2) }
        try reader.fields(of: table, depth: depth + 3)
      }
    }
  }

  /// Calls `each` with every key of the object at the cursor; `each` must consume the value.
  private mutating func members(
    depth: Int, each: (inout PageReader, Range<Int>) throws -> Void
  ) throws {
    // Callers have checked the next byte, but perhaps not skipped the white space before it.
    _ = try cursor.next()
    guard try cursor.enter(closing: UInt8(ascii: "}"), depth: depth) else { return }
    repeat {
      let key = try cursor.key()
      try each(&self, key)
    } while try cursor.another(closing: UInt8(ascii: "}"))
  }
}
