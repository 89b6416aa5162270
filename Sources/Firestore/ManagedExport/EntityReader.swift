import Model

/// A reader of an export's entities as documents in the form of the REST API, so that they are
/// processed like a page of a query; see `docs/managed-exports.md#values`.
///
/// It writes bytes and allocates nothing for a plain document.
struct EntityReader {
  typealias Malformed = ProtobufCursor.Malformed

  /// The deepest nesting of maps; Firestore allows 20.
  private static let mostLevels = 40

  /// The number of values of unknown kinds, by field and meaning.
  private(set) var unknownValues: [String: Int] = [:]
  /// The full name of the last entity that was read.
  private(set) var name: [UInt8] = []
  private var json = JSONBytes()
  private var segments: [Segment] = []
  /// The names of the fields whose maps are open.
  private var outerNames: [Range<Int>] = []
  /// The time that is written as each document's time of update.
  private let time: Timestamp

  /// One collection and one document of a path; a number stands for the id `__id7__`.
  private struct Segment {
    var collection = 0..<0
    var id: Range<Int>?
    var number: Int64 = 0
  }

  init(time: Timestamp) { self.time = time }

  /// Reads the name of the entity's document into `name`.
  mutating func readName(of entity: UnsafeRawBufferPointer) throws(Malformed) {
    var cursor = ProtobufCursor(entity)
    name.removeAll(keepingCapacity: true)
    while let field = try cursor.field() {
      guard field.number == 13, field.type == .bytes else {
        try cursor.skip(field.type)
        continue
      }
      try readKey(entity, try cursor.range())
      return
    }
    throw Malformed()
  }

  private mutating func readKey(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) throws(Malformed) {
    var cursor = ProtobufCursor(bytes, range)
    var (app, database) = (0..<0, 0..<0)
    segments.removeAll(keepingCapacity: true)
    while let field = try cursor.field() {
      switch (field.number, field.type) {
      case (13, .bytes): app = try cursor.range()
      case (14, .bytes):
        var path = ProtobufCursor(bytes, try cursor.range())
        while let field = try path.field() {
          guard field.number == 1, field.type == .groupStart else {
            try path.skip(field.type)
            continue
          }
          try readSegment(&path, collection: 2, number: 3, id: 4)
        }
      case (23, .bytes): database = try cursor.range()
      default: try cursor.skip(field.type)
      }
    }
    guard !segments.isEmpty else { throw Malformed() }
    writeName(bytes, app: app, database: database)
  }

  private mutating func readSegment(
    _ cursor: inout ProtobufCursor, collection: Int, number: Int, id: Int
  ) throws(Malformed) {
    var segment = Segment()
    while let field = try cursor.field() {
      switch (field.number, field.type) {
      case (collection, .bytes): segment.collection = try cursor.range()
      case (number, .varint): segment.number = Int64(bitPattern: try cursor.varint())
      case (id, .bytes): segment.id = try cursor.range()
      default: try cursor.skip(field.type)
      }
    }
    guard !segment.collection.isEmpty, segment.id?.isEmpty != true else { throw Malformed() }
    segments.append(segment)
  }

  /// Writes the full name that the segments represent; an application is `dev~PROJECT`.
  private mutating func writeName(
    _ bytes: UnsafeRawBufferPointer, app: Range<Int>, database: Range<Int>
  ) {
    let project = bytes[app].lastIndex(of: UInt8(ascii: "~")).map { $0 + 1..<app.upperBound }
    name.removeAll(keepingCapacity: true)
    name.append(contentsOf: "projects/".utf8)
    name.append(contentsOf: bytes[project ?? app])
    name.append(contentsOf: "/databases/".utf8)
    if database.isEmpty {
      name.append(contentsOf: "(default)".utf8)
    } else {
      name.append(contentsOf: bytes[database])
    }
    name.append(contentsOf: "/documents".utf8)
    for segment in segments {
      name.append(UInt8(ascii: "/"))
      name.append(contentsOf: bytes[segment.collection])
      name.append(UInt8(ascii: "/"))
      if let id = segment.id {
        name.append(contentsOf: bytes[id])
      } else {
        name.append(contentsOf: "__id\(segment.number)__".utf8)
      }
    }
  }
}

/// The document itself, after its name was read.
extension EntityReader {
  /// Appends `{"document":{...}}` with the name that `readName` has found.
  mutating func append(
    _ entity: UnsafeRawBufferPointer, to page: inout [UInt8]
  ) throws(Malformed) {
    swap(&json.bytes, &page)
    defer { swap(&json.bytes, &page) }
    outerNames.removeAll(keepingCapacity: true)
    json.add("{\"document\":{\"name\":")
    name.withUnsafeBytes { json.add(text: $0) }
    json.add(",\"fields\":")
    try appendFields(of: ProtobufCursor(entity), entity)
    json.add(",\"updateTime\":\"")
    json.add(time)
    json.add("\"}}")
  }

  /// A property as it is stored.
  private struct Property {
    var meaning = 0
    var name = 0..<0
    var isElement = false
    var value = 0..<0
  }

  /// The array or vector whose elements are being read one after the other.
  private struct OpenArray {
    var name: Range<Int>
    var isVector: Bool
  }

  private mutating func appendFields(
    of entity: ProtobufCursor, _ bytes: UnsafeRawBufferPointer, level: Int = 0
  ) throws(Malformed) {
    guard level <= Self.mostLevels else { throw Malformed() }
    var cursor = entity
    var open: OpenArray?
    var ended: [Range<Int>] = []
    json.add("{")
    var isFirst = true
    while let field = try cursor.field() {
      guard field.number == 14 || field.number == 15, field.type == .bytes else {
        try cursor.skip(field.type)
        continue
      }
      let property = try property(bytes, try cursor.range())
      let name = bytes[property.name]
      if let array = open {
        if property.isElement, bytes[array.name].elementsEqual(name) {
          json.add(",")
          try append(property, bytes, level: level)
          continue
        }
        json.close(isVector: array.isVector)
        ended.append(array.name)
        open = nil
      }
      // Elements of an array that are not adjacent would become two fields with one name.
      guard !ended.contains(where: { bytes[$0].elementsEqual(name) }) else { throw Malformed() }
      if !isFirst { json.add(",") }
      isFirst = false
      json.add(text: UnsafeRawBufferPointer(rebasing: name))
      json.add(":")
      if property.isElement {
        open = OpenArray(name: property.name, isVector: property.meaning == 31)
        json.open(isVector: property.meaning == 31)
      }
      try append(property, bytes, level: level)
    }
    if let open { json.close(isVector: open.isVector) }
    json.add("}")
  }

  private func property(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) throws(Malformed) -> Property {
    var cursor = ProtobufCursor(bytes, range)
    var property = Property()
    while let field = try cursor.field() {
      switch (field.number, field.type) {
      case (1, .varint): property.meaning = Int(truncatingIfNeeded: try cursor.varint())
      case (3, .bytes): property.name = try cursor.range()
      case (4, .varint): property.isElement = try cursor.varint() != 0
      case (5, .bytes): property.value = try cursor.range()
      default: try cursor.skip(field.type)
      }
    }
    return property
  }

  /// The content of a stored value; the last of several parts counts.
  private enum Content {
    case none
    case integer(Int64)
    case boolean(Bool)
    case text(Range<Int>)
    case double(Double)
    case point(Double, Double)
    /// A reference, whose segments and name were read.
    case reference
    case other
  }

  private mutating func append(
    _ property: Property, _ bytes: UnsafeRawBufferPointer, level: Int
  ) throws(Malformed) {
    // The document's own name is already written here.
    switch (property.meaning, try content(bytes, property.value)) {
    case (24, .none): json.add("{\"arrayValue\":{}}")
    case (0, .none): json.add("{\"nullValue\":null}")
    case (0, .boolean(let flag)):
      json.add(flag ? "{\"booleanValue\":true}" : "{\"booleanValue\":false}")
    case (0, .integer(let number)): json.add("{\"integerValue\":\"", number, "\"}")
    case (0, .double(let number)), (31, .double(let number)): json.add(double: number)
    case (0, .text(let text)), (15, .text(let text)):
      json.add("{\"stringValue\":")
      json.add(text: UnsafeRawBufferPointer(rebasing: bytes[text]))
      json.add("}")
    case (14, .text(let text)), (16, .text(let text)):
      json.add("{\"bytesValue\":\"")
      json.bytes.append(contentsOf: Base64.encode(bytes[text]).utf8)
      json.add("\"}")
    case (7, .integer(let time)) where Timestamp.range.contains(time):
      json.add("{\"timestampValue\":\"")
      json.add(Timestamp(microseconds: time))
      json.add("\"}")
    case (9, .point(let latitude, let longitude)):
      json.add(latitude: latitude, longitude: longitude)
    case (0, .reference):
      json.add("{\"referenceValue\":")
      name.withUnsafeBytes { json.add(text: $0) }
      json.add("}")
    case (19, .text(let map)):
      json.add("{\"mapValue\":{\"fields\":")
      outerNames.append(property.name)
      try appendFields(of: ProtobufCursor(bytes, map), bytes, level: level + 1)
      outerNames.removeLast()
      json.add("}}")
    default: appendUnknown(property, bytes)
    }
  }

  /// Writes a value of another kind as it is stored, and records its field.
  private mutating func appendUnknown(
    _ property: Property, _ bytes: UnsafeRawBufferPointer
  ) {
    let field = (outerNames + [property.name]).map { String(decoding: bytes[$0], as: UTF8.self) }
      .joined(separator: ".")
    unknownValues["\(field) (meaning \(property.meaning))", default: 0] += 1
    json.add("{\"exportedValue\":{\"meaning\":", Int64(property.meaning), ",\"value\":\"")
    json.bytes.append(contentsOf: Base64.encode(bytes[property.value]).utf8)
    json.add("\"}}")
  }

  private mutating func content(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) throws(Malformed) -> Content {
    var cursor = ProtobufCursor(bytes, range)
    var content = Content.none
    while let field = try cursor.field() {
      switch (field.number, field.type) {
      case (1, .varint): content = .integer(Int64(bitPattern: try cursor.varint()))
      case (2, .varint): content = .boolean(try cursor.varint() != 0)
      case (3, .bytes): content = .text(try cursor.range())
      case (4, .eightBytes): content = .double(try cursor.double())
      case (5, .groupStart): content = try point(&cursor)
      case (12, .groupStart):
        try readReference(&cursor)
        content = .reference
      default:
        try cursor.skip(field.type)
        content = .other
      }
    }
    return content
  }

  private func point(_ cursor: inout ProtobufCursor) throws(Malformed) -> Content {
    var (latitude, longitude) = (0.0, 0.0)
    while let field = try cursor.field() {
      switch (field.number, field.type) {
      case (6, .eightBytes): latitude = try cursor.double()
      case (7, .eightBytes): longitude = try cursor.double()
      default: try cursor.skip(field.type)
      }
    }
    return .point(latitude, longitude)
  }

  /// Reads the name in the reference into `name`.
  private mutating func readReference(_ cursor: inout ProtobufCursor) throws(Malformed) {
    var (app, database) = (0..<0, 0..<0)
    segments.removeAll(keepingCapacity: true)
    while let field = try cursor.field() {
      switch (field.number, field.type) {
      case (13, .bytes): app = try cursor.range()
      case (14, .groupStart): try readSegment(&cursor, collection: 15, number: 16, id: 17)
      case (23, .bytes): database = try cursor.range()
      default: try cursor.skip(field.type)
      }
    }
    guard !segments.isEmpty else { throw Malformed() }
    writeName(cursor.bytes, app: app, database: database)
  }
}

extension Timestamp {
  /// The possible microseconds of a timestamp since 1970: the years 1 to 9999.
  static let range = RFC3339.seconds.lowerBound * 1_000_000..<RFC3339.seconds.upperBound * 1_000_000
}
