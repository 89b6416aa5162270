/// The reading of values in several representations, and of their inner fields.
extension PageReader {
  /// Reads the value at the cursor in every representation that the table wants.
  ///
  /// Reading unescapes in place, so a value is read only once: its JSON is copied before, and a map
  /// is either searched or skipped. `depth` counts the containers around the value.
  mutating func value(
    named name: UnsafeRawBufferPointer, wantedBy table: FieldTable, depth: Int
  ) throws {
    let first = table.position(of: name)
    guard first >= 0 else { return try cursor.skipValue(depth: depth) }
    if case .value(let target) = table.targets[first], table.position(of: name, after: first) < 0 {
      return document.fields[target] = try cursor.field(depth: depth)
    }
    var values: [Int] = []
    var texts: [Int] = []
    var child: FieldTable.Inside?
    var position = first
    while position >= 0 {
      switch table.targets[position] {
      case .value(let target): values.append(target)
      case .json(let target): texts.append(target)
      case .inside(let index): child = table.children[index]
      }
      position = table.position(of: name, after: position)
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

  /// Consumes the value at the cursor, searching a map or an array when `child` is given.
  private mutating func read(
    isSearched child: FieldTable.Inside?, depth: Int, isWanted: Bool
  ) throws -> ScannedField {
    guard let child else {
      guard isWanted else {
        try cursor.skipValue(depth: depth)
        return .missing
      }
      return try cursor.field(depth: depth)
    }
    let kind = try cursor.kind()
    if kind != .map { markUnreachable(kind, insteadOf: .map, at: child.fields.allTargets) }
    if kind != .array { markUnreachable(kind, insteadOf: .array, at: child.elements.allTargets) }
    if kind == .map, child.fields.count > 0 {
      try search(child.fields, depth: depth)
      return .other(.map)
    }
    if kind == .array, child.elements.count > 0 {
      try searchElements(child.elements, depth: depth)
      return .other(.array)
    }
    return try cursor.field(depth: depth)
  }

  /// Marks targets whose paths lead through a value of another kind; null counts as missing.
  private mutating func markUnreachable(
    _ kind: FieldKind, insteadOf wanted: FieldKind, at targets: [Int]
  ) {
    guard kind != .null else { return }
    for target in targets { document.fields[target] = .unreachable(kind, wanted: wanted) }
  }

  /// Reads the wanted fields of the `{"mapValue": {"fields": {...}}}` at the cursor.
  private mutating func search(_ table: FieldTable, depth: Int) throws {
    try inside("mapValue", "fields", depth: depth) { reader in
      try reader.fields(of: table, depth: depth + 3)
    }
  }

  /// Reads the wanted elements of the `{"arrayValue": {"values": [...]}}` at the cursor.
  private mutating func searchElements(_ table: FieldTable, depth: Int) throws {
    var index = 0
    try inside("arrayValue", "values", depth: depth) { reader in
      try reader.children(isMap: false, depth: depth + 3) { reader, _ in
        var name = String(index)
        index += 1
        try name.withUTF8 {
          try reader.value(named: UnsafeRawBufferPointer($0), wantedBy: table, depth: depth + 3)
        }
      }
    }
  }

  /// Calls `body` at the content of the `{kind: {member: content}}` at the cursor, if it has
  /// content; `body` must consume it.
  mutating func inside(
    _ kind: StaticString, _ member: StaticString, depth: Int = 1,
    _ body: (inout PageReader) throws -> Void
  ) throws {
    let opening = member.utf8Start[0] == UInt8(ascii: "v") ? UInt8(ascii: "[") : UInt8(ascii: "{")
    try members(depth: depth + 1) { reader, key in
      guard reader.cursor.holds(key, kind), try reader.cursor.next() == UInt8(ascii: "{")
      else { return try reader.cursor.skipValue(depth: depth + 1) }
      try reader.members(depth: depth + 2) { reader, key in
        guard reader.cursor.holds(key, member), try reader.cursor.next() == opening
        else { return try reader.cursor.skipValue(depth: depth + 2) }
        try body(&reader)
      }
    }
  }

  /// Calls `each` with every element of the array at the cursor, or with every key of the object;
  /// `each` must consume the value.
  mutating func children(
    isMap: Bool, depth: Int = 4, each: (inout PageReader, Range<Int>) throws -> Void
  ) throws {
    guard !isMap else { return try members(depth: depth, each: each) }
    _ = try cursor.next()
    guard try cursor.enter(closing: UInt8(ascii: "]"), depth: depth) else { return }
    repeat { try each(&self, 0..<0) } while try cursor.another(closing: UInt8(ascii: "]"))
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
