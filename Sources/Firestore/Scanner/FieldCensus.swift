/// The top-level fields of documents, with the number of values of each kind.
package struct FieldCensus: Codable, Hashable, Sendable {
  /// Maximum number of fields: documents that use ids as field names have any number.
  package static let fieldLimit = 1_000

  /// A field with its number of values of each kind.
  package struct CountedField: Codable, Hashable, Sendable {
    package let name: String
    /// In the order of `FieldKind.allCases`.
    fileprivate var counts = [Int](repeating: 0, count: FieldKind.allCases.count)

    /// The kinds with their counts, in the order of `FieldKind`.
    package var kinds: [(kind: FieldKind, count: Int)] {
      zip(FieldKind.allCases, counts).filter { $1 > 0 }.map { (kind: $0, count: $1) }
    }
  }

  /// In order of first occurrence.
  package private(set) var fields: [CountedField] = []
  /// Whether there were more fields than `fieldLimit`.
  package private(set) var isTruncated = false
  private var positions: [String: Int] = [:]
  /// The position of the next field if the documents have their fields in the same order.
  private var expected = 0

  package init() {}

  private enum CodingKeys: CodingKey { case fields, isTruncated }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let stored = try values.decode([CountedField].self, forKey: .fields)
    guard stored.allSatisfy({ $0.counts.count == FieldKind.allCases.count }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .fields, in: values, debugDescription: "other kinds of values")
    }
    fields = stored
    isTruncated = try values.decode(Bool.self, forKey: .isTruncated)
    for (position, field) in stored.enumerated() { positions[field.name] = position }
  }

  /// Counts a value of the field; fast for documents with fields in the same order.
  mutating func count(_ name: UnsafeRawBufferPointer, _ kind: FieldKind) {
    guard let position = position(of: name) else { return isTruncated = true }
    fields[position].counts[kind.position] += 1
    expected = position + 1 == fields.count ? 0 : position + 1
  }

  /// Adds the counts of another census.
  package mutating func merge(_ other: FieldCensus) {
    isTruncated = isTruncated || other.isTruncated
    for field in other.fields {
      guard let position = position(ofFieldNamed: field.name) else {
        isTruncated = true
        continue
      }
      for (index, count) in field.counts.enumerated() { fields[position].counts[index] += count }
    }
  }

  private mutating func position(of name: UnsafeRawBufferPointer) -> Int? {
    if expected < fields.count, fields[expected].name.utf8.elementsEqual(name) { return expected }
    return position(ofFieldNamed: String(decoding: name, as: UTF8.self))
  }

  private mutating func position(ofFieldNamed name: String) -> Int? {
    if let position = positions[name] { return position }
    guard fields.count < Self.fieldLimit else { return nil }
    positions[name] = fields.count
    fields.append(CountedField(name: name))
    return fields.count - 1
  }
}

extension FieldKind {
  /// The index in `allCases`.
  fileprivate var position: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .integer: 2
    case .double: 3
    case .timestamp: 4
    case .string: 5
    case .bytes: 6
    case .reference: 7
    case .geoPoint: 8
    case .array: 9
    case .map: 10
    case .unknown: 11
    }
  }
}

/// The kind of a Firestore value.
package enum FieldKind: String, CaseIterable, Hashable, Sendable {
  case null, boolean, integer, double, timestamp, string, bytes, reference
  case geoPoint = "geo point"
  case array, map
  /// A kind that this program does not know, or not a value.
  case unknown

  /// The length of the longest `wireName` in bytes.
  static let longestWireName = 14

  /// The key of such a value, like `stringValue`; nil for an unknown kind.
  var wireName: String? {
    switch self {
    case .geoPoint: "geoPointValue"
    case .unknown: nil
    default: rawValue + "Value"
    }
  }
}

extension Value {
  /// A vector is a map here, as on the wire.
  package var kind: FieldKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .double: .double
    case .timestamp: .timestamp
    case .string: .string
    case .bytes: .bytes
    case .reference: .reference
    case .geoPoint: .geoPoint
    case .array: .array
    case .map: .map
    case .unknown: .unknown
    }
  }
}

extension ByteCursor {
  /// The kind of the next value, which is not consumed.
  func kind() throws(JSONError) -> FieldKind {
    var probe = self
    guard try probe.next() == UInt8(ascii: "{") else { return .unknown }
    probe.index += 1
    guard try probe.next() == UInt8(ascii: "\"") else { return .unknown }
    let key = try probe.string()
    return key.hasEscapes ? kind(escaped: key.range) : kind(named: key.range)
  }

  /// The kind of an escaped key, which is not unescaped in place because it is read again.
  private func kind(escaped key: Range<Int>) -> FieldKind {
    let name = String(decoding: unescaped(key), as: UTF8.self)
    return FieldKind.allCases.first { $0.wireName == name } ?? .unknown
  }

  /// The kind whose `wireName` is this key.
  @inline(__always)
  func kind(named key: Range<Int>) -> FieldKind {
    if holds(key, "stringValue") { return .string }
    if holds(key, "integerValue") { return .integer }
    if holds(key, "timestampValue") { return .timestamp }
    if holds(key, "booleanValue") { return .boolean }
    if holds(key, "doubleValue") { return .double }
    if holds(key, "nullValue") { return .null }
    if holds(key, "mapValue") { return .map }
    if holds(key, "arrayValue") { return .array }
    if holds(key, "referenceValue") { return .reference }
    if holds(key, "bytesValue") { return .bytes }
    return holds(key, "geoPointValue") ? .geoPoint : .unknown
  }
}
