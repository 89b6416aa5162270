/// Which fields documents have at their top level, and of which kinds the values are.
package struct FieldCensus: Hashable, Sendable {
  /// Fields beyond these are not told apart: a map used as a list would have one for each document.
  package static let fieldLimit = 1_000

  /// How many values of each kind a field has.
  package struct Field: Hashable, Sendable {
    package let name: String
    /// In the order of `FieldKind.allCases`.
    fileprivate var counts = [Int](repeating: 0, count: FieldKind.allCases.count)

    /// The kinds with their counts, in the order of `FieldKind`.
    package var kinds: [(kind: FieldKind, count: Int)] {
      zip(FieldKind.allCases, counts).filter { $1 > 0 }.map { (kind: $0, count: $1) }
    }
  }

  /// In the order in which they were met.
  package private(set) var fields: [Field] = []
  /// There were more fields than `fieldLimit`.
  package private(set) var isTruncated = false
  private var positions: [String: Int] = [:]
  /// Where the next field is found when documents have theirs in the same order.
  private var expected = 0

  package init() {}

  /// Counts a value of the field; fast for documents that have their fields in the same order.
  mutating func count(_ name: UnsafeRawBufferPointer, _ kind: FieldKind) {
    guard let position = position(of: name) else { return isTruncated = true }
    fields[position].counts[kind.position] += 1
    expected = position + 1 == fields.count ? 0 : position + 1
  }

  /// Adds what another census counted.
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
    fields.append(Field(name: name))
    return fields.count - 1
  }
}

extension FieldKind {
  /// Its place among `allCases`.
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
