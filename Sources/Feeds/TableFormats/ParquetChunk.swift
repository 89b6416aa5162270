package import Model

/// The type of a column in Parquet; see `docs/export.md#parquet`.
package enum ParquetType: Hashable, Sendable {
  case integer, real, text, blob
  /// Microseconds since 1970, in UTC.
  case instant
}

/// Finds a type for each column that holds all of its values: SQLite's columns may mix kinds.
package struct ParquetSurvey {
  struct Kinds: OptionSet {
    let rawValue: UInt8
    static let integer = Kinds(rawValue: 1)
    static let real = Kinds(rawValue: 2)
    static let text = Kinds(rawValue: 4)
    static let blob = Kinds(rawValue: 8)
    /// An integer that no double holds exactly.
    static let largeInteger = Kinds(rawValue: 16)
  }

  private let columns: [TableColumn]
  private var kinds: [Kinds]

  package init(_ columns: [TableColumn]) {
    self.columns = columns
    kinds = Array(repeating: [], count: columns.count)
  }

  package mutating func add(_ row: [TableCell]) {
    for position in row.indices {
      switch row[position] {
      case .null: break
      case .integer(let number):
        kinds[position].formUnion(
          Double(exactly: number) == nil ? [.integer, .largeInteger] : .integer)
      case .real: kinds[position].formUnion(.real)
      case .text: kinds[position].formUnion(.text)
      case .blob: kinds[position].formUnion(.blob)
      }
    }
  }

  /// A column of instants that holds nothing but integers has instants.
  package var types: [ParquetType] {
    zip(columns, kinds).map { column, kinds in
      let type = Self.type(of: kinds, declared: column.declaredType)
      return type == .integer && column.isInstant ? .instant : type
    }
  }

  /// The type of a column with these kinds.
  ///
  /// One kind keeps its type. Integers and doubles become doubles if those hold all of them, bytes
  /// with anything else bytes, all other mixtures texts. No value at all has the declared type.
  static func type(of kinds: Kinds, declared: String?) -> ParquetType {
    if kinds.isEmpty {
      return switch declared {
      case "INTEGER", "INT": .integer
      case "REAL": .real
      case "BLOB": .blob
      default: .text
      }
    }
    if kinds.contains(.blob) { return .blob }
    if kinds.contains(.text) { return .text }
    guard kinds.contains(.real) else { return .integer }
    if !kinds.contains(.integer) { return .real }
    return kinds.contains(.largeInteger) ? .text : .real
  }
}

/// The cells of one column of a row group, in Parquet's PLAIN encoding.
struct ParquetChunk {
  let type: ParquetType
  /// PLAIN: numbers in 8 bytes, texts and blobs behind their length, nothing for NULL.
  private(set) var values: [UInt8] = []
  /// A bit for each row, the first in the lowest: 0 for NULL.
  private var defined: [UInt8] = []
  private(set) var count = 0
  private(set) var statistics = ChunkStatistics()

  init(_ type: ParquetType) {
    self.type = type
  }

  /// Returns false for a cell that the type does not hold.
  mutating func append(_ cell: TableCell) -> Bool {
    if count.isMultiple(of: 8) { defined.append(0) }
    count += 1
    if case .null = cell {
      statistics.addNull()
      return true
    }
    defined[defined.count - 1] |= 1 << ((count - 1) % 8)
    switch (type, cell) {
    case (.integer, .integer(let number)), (.instant, .integer(let number)): append(number)
    case (.real, .real(let number)): append(number)
    case (.real, .integer(let number)): append(Double(number))
    case (.blob, .blob(let bytes)), (.blob, .text(let bytes)): append(bytes)
    case (.text, .text(let bytes)):
      if let repaired = bytes.repairedText { append(repaired) } else { append(bytes) }
    case (.text, .integer(let number)), (.blob, .integer(let number)): append("\(number)".utf8)
    case (.text, .real(let number)), (.blob, .real(let number)): append("\(number)".utf8)
    default: return false
    }
    return true
  }

  mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
    defined.removeAll(keepingCapacity: true)
    count = 0
    statistics = ChunkStatistics()
  }

  /// The page without its header: definition levels, then values.
  var page: [UInt8] {
    let levels = definitionLevels
    var page: [UInt8] = []
    page.reserveCapacity(4 + levels.count + values.count)
    page.append(littleEndian: UInt32(levels.count))
    page.append(contentsOf: levels)
    page.append(contentsOf: values)
    return page
  }

  /// 1 for a value and 0 for NULL, in Parquet's hybrid of runs and packed bits.
  private var definitionLevels: [UInt8] {
    var levels: [UInt8] = []
    let nulls = statistics.nulls
    if nulls == 0 || nulls == count {
      levels.append(variableLength: UInt64(count) << 1)
      levels.append(nulls == 0 ? 1 : 0)
    } else {
      levels.append(variableLength: UInt64(defined.count) << 1 | 1)
      levels.append(contentsOf: defined)
    }
    return levels
  }

  private mutating func append(_ number: Int64) {
    statistics.add(number)
    append(bits: UInt64(bitPattern: number))
  }

  private mutating func append(_ number: Double) {
    statistics.add(number)
    append(bits: number.bitPattern)
  }

  private mutating func append(bits: UInt64) {
    withUnsafeBytes(of: bits.littleEndian) { values.append(contentsOf: $0) }
  }

  private mutating func append(_ bytes: some Collection<UInt8>) {
    values.append(littleEndian: UInt32(bytes.count))
    let start = values.count
    values.append(contentsOf: bytes)
    if type == .text { statistics.add(text: values[start...]) }
  }
}

extension [UInt8] {
  mutating func append(littleEndian number: UInt32) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Seven bits a byte, the lowest first: ULEB128.
  mutating func append(variableLength number: UInt64) {
    var rest = number
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
