/// The conversion of documents to the entities of an export; see `docs/managed-exports.md#values`.
enum EntityWriter {
  /// - Throws: `WireError` for a name that is not a document's, and for a value that an export
  ///   cannot hold.
  static func entity(of document: Document) throws(WireError) -> [UInt8] {
    let name = try ResourceName(parsing: document.name)
    guard name.isDocument else { throw WireError("`\(document.name)` is not a document's name") }
    var entity = ProtobufWriter()
    entity.addMessage(13) { $0.addKey(name) }
    try add(document.fields, to: &entity)
    entity.addMessage(16) { $0.addPath(Array(name.segments.prefix(2))) }
    return entity.bytes
  }

  /// Empty arrays come first, as Google's emulator writes them.
  private static func add(
    _ fields: [String: Value], to entity: inout ProtobufWriter
  ) throws(WireError) {
    let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for case (let name, .array(let elements)) in sorted where elements.isEmpty {
      entity.addMessage(14) { $0.addProperty(name, meaning: 24, isElement: false, value: []) }
    }
    for (name, value) in sorted {
      switch value {
      case .array(let elements):
        for element in elements {
          let property = try property(name, element, isElement: true)
          entity.add(15, bytes: property)
        }
      case .map(let map):
        if let coordinates = map.vector {
          try addVector(name, coordinates, to: &entity)
        } else {
          let property = try property(name, value, isElement: false)
          entity.add(15, bytes: property)
        }
      default:
        let property = try property(name, value, isElement: false)
        entity.add(15, bytes: property)
      }
    }
  }

  private static func addVector(
    _ name: String, _ coordinates: [Value], to entity: inout ProtobufWriter
  ) throws(WireError) {
    for coordinate in coordinates {
      guard case .double(let number) = coordinate else {
        throw WireError("a vector has a coordinate other than a double", at: [name])
      }
      var value = ProtobufWriter()
      value.add(4, double: number)
      entity.addMessage(15) {
        $0.addProperty(name, meaning: 31, isElement: true, value: value.bytes)
      }
    }
  }

  private static func property(
    _ name: String, _ value: Value, isElement: Bool
  ) throws(WireError) -> [UInt8] {
    var content = ProtobufWriter()
    let meaning = try WireError.at(name) { () throws(WireError) in
      try add(value, to: &content, isElement: isElement)
    }
    var property = ProtobufWriter()
    property.addProperty(name, meaning: meaning, isElement: isElement, value: content.bytes)
    return property.bytes
  }

  /// Adds a value other than an array; returns its meaning.
  private static func add(
    _ value: Value, to content: inout ProtobufWriter, isElement: Bool
  ) throws(WireError) -> Int {
    switch value {
    case .null: return 0
    case .boolean(let flag): content.add(2, integer: flag ? 1 : 0)
    case .integer(let number): content.add(1, integer: number)
    case .double(let number): content.add(4, double: number)
    case .string(let text): content.add(3, text: text)
    case .bytes(let bytes):
      content.add(3, bytes: bytes)
      return 14
    case .timestamp(let time):
      content.add(1, integer: time.microseconds)
      return 7
    case .geoPoint(let latitude, let longitude):
      content.addGroup(5) {
        $0.add(6, double: latitude)
        $0.add(7, double: longitude)
      }
      return 9
    case .reference(let text):
      let name = try ResourceName(parsing: text)
      content.addGroup(12) { $0.addReference(name) }
    case .map(let fields):
      guard !isElement || fields.vector == nil else {
        throw WireError("is a vector in an array, which Firestore does not store")
      }
      var entity = ProtobufWriter()
      entity.addMessage(13) {
        $0.add(13, bytes: [])
        $0.add(14, bytes: [])
      }
      try add(fields, to: &entity)
      entity.add(16, bytes: [])
      content.add(3, bytes: entity.bytes)
      return 19
    case .array: throw WireError("is an array in an array, which Firestore does not store")
    case .unknown(let kind, _): throw WireError("has the kind \(kind), which no export holds")
    }
    return 0
  }
}

extension ProtobufWriter {
  fileprivate mutating func addProperty(
    _ name: String, meaning: Int, isElement: Bool, value: [UInt8]
  ) {
    if meaning != 0 { add(1, integer: Int64(meaning)) }
    add(3, text: name)
    add(4, integer: isElement ? 1 : 0)
    add(5, bytes: value)
  }

  fileprivate mutating func addKey(_ name: ResourceName) {
    add(13, text: "dev~\(name.project)")
    addMessage(14) { $0.addPath(name.segments) }
    if name.database != "(default)" { add(23, text: name.database) }
  }

  fileprivate mutating func addPath(_ segments: [String]) {
    for index in stride(from: 0, to: segments.count - 1, by: 2) {
      addGroup(1) {
        $0.add(2, text: segments[index])
        $0.add(id: segments[index + 1], number: 3, text: 4)
      }
    }
  }

  fileprivate mutating func addReference(_ name: ResourceName) {
    add(13, text: "dev~\(name.project)")
    for index in stride(from: 0, to: name.segments.count - 1, by: 2) {
      addGroup(14) {
        $0.add(15, text: name.segments[index])
        $0.add(id: name.segments[index + 1], number: 16, text: 17)
      }
    }
    if name.database != "(default)" { add(23, text: name.database) }
  }

  /// An id of the form `__id7__` is the number 7.
  private mutating func add(id: String, number: Int, text: Int) {
    if let value = ResourceName.number(ofId: id) {
      add(number, integer: value)
    } else {
      add(text, text: id)
    }
  }
}
