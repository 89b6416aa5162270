/// Values wanted in several forms, or for what is inside of them.
extension PageReader {
  /// Reads the value at the cursor in every form in which the table wants it; `depth` counts what is around it.
  ///
  /// Reading unescapes in place, so that a value is read once: its JSON is copied first, and a map is
  /// either searched or skipped.
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

  /// Copies the value at the cursor, which stays there.
  private mutating func keepJSON(at targets: [Int], depth: Int) throws {
    let start = cursor.index
    try cursor.skipValue(depth: depth)
    let range = cursor.appendMinified(start..<cursor.index, to: &document.fieldJSON)
    for target in targets { document.fieldRanges[target] = range }
    cursor.index = start
  }

  /// Consumes the value at the cursor.
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

  /// Reads what `{"mapValue": {"fields": {...}}}` at the cursor holds.
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

  /// Hands every key of the object at the cursor to `each`, which consumes the value.
  private mutating func members(
    depth: Int, each: (inout PageReader, Range<Int>) throws -> Void
  ) throws {
    guard try cursor.enter(closing: UInt8(ascii: "}"), depth: depth) else { return }
    repeat {
      let key = try cursor.key()
      try each(&self, key)
    } while try cursor.another(closing: UInt8(ascii: "}"))
  }
}
