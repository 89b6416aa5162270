/// Builds a struct in Thrift's compact protocol, in which Parquet's metadata is written.
///
/// Fields come in the order of their ids. Source: apache/thrift,
/// doc/specs/thrift-compact-protocol.md.
struct CompactThrift {
  private enum Kind: UInt8 {
    /// A field's truth value is its kind.
    case yes = 1
    case no = 2
    case int32 = 5
    case int64 = 6
    case binary = 8
    case list = 9
    case structure = 12
  }

  private var fields: [UInt8] = []
  private var last = 0

  /// The struct with its end mark.
  var bytes: [UInt8] { fields + [0] }

  mutating func int32(_ id: Int, _ number: Int) {
    begin(id, .int32)
    fields.append(variableLength: Self.zigzag(Int64(number)))
  }

  mutating func int64(_ id: Int, _ number: Int64) {
    begin(id, .int64)
    fields.append(variableLength: Self.zigzag(number))
  }

  mutating func boolean(_ id: Int, _ flag: Bool) { begin(id, flag ? .yes : .no) }

  mutating func text(_ id: Int, _ text: String) {
    begin(id, .binary)
    fields.append(contentsOf: Self.encoded(text))
  }

  mutating func binary(_ id: Int, _ bytes: [UInt8]) {
    begin(id, .binary)
    fields.append(variableLength: UInt64(bytes.count))
    fields.append(contentsOf: bytes)
  }

  mutating func structure(_ id: Int, _ structure: CompactThrift) {
    begin(id, .structure)
    fields.append(contentsOf: structure.bytes)
  }

  mutating func structures(_ id: Int, _ list: [[UInt8]]) {
    begin(id, .list)
    elements(list.count, .structure)
    for structure in list { fields.append(contentsOf: structure) }
  }

  mutating func texts(_ id: Int, _ list: [String]) {
    begin(id, .list)
    elements(list.count, .binary)
    for text in list { fields.append(contentsOf: Self.encoded(text)) }
  }

  mutating func int32s(_ id: Int, _ list: [Int]) {
    begin(id, .list)
    elements(list.count, .int32)
    for number in list { fields.append(variableLength: Self.zigzag(Int64(number))) }
  }

  /// The field's kind and how much its id is above the last one's, at most 15.
  private mutating func begin(_ id: Int, _ kind: Kind) {
    precondition((1...15).contains(id - last), "fields come in the order of their ids")
    fields.append(UInt8(id - last) << 4 | kind.rawValue)
    last = id
  }

  private mutating func elements(_ count: Int, _ kind: Kind) {
    guard count > 14 else { return fields.append(UInt8(count) << 4 | kind.rawValue) }
    fields.append(0xF0 | kind.rawValue)
    fields.append(variableLength: UInt64(count))
  }

  private static func encoded(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(variableLength: UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
    return bytes
  }

  private static func zigzag(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: number << 1 ^ number >> 63)
  }
}
