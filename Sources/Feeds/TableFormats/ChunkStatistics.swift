import Glibc

/// The least and the greatest value of a column in a row group, and how many are NULL:
/// docs/export.md#statistics.
///
/// Orders and the rules for NaN and zeros are those of apache/parquet-format, parquet.thrift,
/// `ColumnOrder` and `Statistics`.
struct ChunkStatistics {
  /// Bytes of a text's bound; a longer text has its beginning as a bound.
  static let longestText = 64

  /// The beginning of a text, and whether it goes on.
  private struct Beginning {
    var bytes: [UInt8]
    var isCut: Bool
  }

  private(set) var nulls = 0
  private var integers: (least: Int64, greatest: Int64)?
  private var reals: (least: Double, greatest: Double)?
  private var least: Beginning?
  private var greatest: Beginning?

  mutating func addNull() { nulls += 1 }

  mutating func add(_ number: Int64) {
    let known = integers ?? (number, number)
    integers = (min(known.least, number), max(known.greatest, number))
  }

  /// NaN lies in no order, so it is left out.
  mutating func add(_ number: Double) {
    guard !number.isNaN else { return }
    let known = reals ?? (number, number)
    reals = (min(known.least, number), max(known.greatest, number))
  }

  /// Takes valid UTF-8, whose bytes sort as its code points do.
  mutating func add(text: ArraySlice<UInt8>) {
    let isCut = text.count > Self.longestText
    let beginning = text.prefix(Self.longestText)
    // Of equal beginnings the one that goes on is the greater.
    if let least {
      let order = Self.order(of: beginning, to: least.bytes)
      if order < 0 || order == 0 && least.isCut && !isCut {
        self.least = Beginning(bytes: Array(beginning), isCut: isCut)
      }
    } else {
      least = Beginning(bytes: Array(beginning), isCut: isCut)
    }
    if let greatest {
      let order = Self.order(of: beginning, to: greatest.bytes)
      if order > 0 || order == 0 && isCut && !greatest.isCut {
        self.greatest = Beginning(bytes: Array(beginning), isCut: isCut)
      }
    } else {
      greatest = Beginning(bytes: Array(beginning), isCut: isCut)
    }
  }

  /// Below 0 when the first comes first by its unsigned bytes, above 0 when the second does.
  private static func order(of first: ArraySlice<UInt8>, to second: [UInt8]) -> Int {
    let order = first.withUnsafeBytes { first in
      second.withUnsafeBytes { second in
        let count = min(first.count, second.count)
        guard let left = first.baseAddress, let right = second.baseAddress else { return Int32(0) }
        return memcmp(left, right, count)
      }
    }
    return order == 0 ? first.count - second.count : Int(order)
  }

  /// Thrift's Statistics; bounds are left out where there is no value, or only NaN.
  var thrift: CompactThrift {
    var statistics = CompactThrift()
    statistics.int64(3, Int64(nulls))
    if let greatest = greatestBytes { statistics.binary(5, greatest) }
    if let least = leastBytes { statistics.binary(6, least) }
    if let greatest, greatestBytes != nil { statistics.boolean(7, !greatest.isCut) }
    if let least { statistics.boolean(8, !least.isCut) }
    return statistics
  }

  /// The least value, PLAIN and without a length; of zeros the negative one.
  var leastBytes: [UInt8]? {
    if let integers { return Self.bytes(of: UInt64(bitPattern: integers.least)) }
    if let reals {
      return Self.bytes(of: (reals.least == 0 ? -0.0 : reals.least).bitPattern)
    }
    return least.map { $0.isCut ? Self.wholeCharacters(of: $0.bytes) : $0.bytes }
  }

  /// The greatest value, or a text above it; nil also when there is none above a cut text.
  ///
  /// Of zeros the positive one.
  var greatestBytes: [UInt8]? {
    if let integers { return Self.bytes(of: UInt64(bitPattern: integers.greatest)) }
    if let reals {
      return Self.bytes(of: (reals.greatest == 0 ? 0.0 : reals.greatest).bitPattern)
    }
    return greatest.flatMap { greatest in
      greatest.isCut
        ? Self.textAbove(Self.wholeCharacters(of: greatest.bytes)) : greatest.bytes
    }
  }

  private static func bytes(of bits: UInt64) -> [UInt8] {
    withUnsafeBytes(of: bits.littleEndian) { Array($0) }
  }

  /// The text without a character at its end that was cut through.
  private static func wholeCharacters(of bytes: [UInt8]) -> [UInt8] {
    // The last byte that begins a character; at most three others follow it.
    guard let start = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return [] }
    let length =
      switch bytes[start] {
      case ..<0x80: 1
      case ..<0xE0: 2
      case ..<0xF0: 3
      default: 4
      }
    return start + length <= bytes.count ? bytes : Array(bytes[..<start])
  }

  /// The shortest text above all texts with this beginning: its last character that has a next one,
  /// replaced by that; nil when none has.
  private static func textAbove(_ beginning: [UInt8]) -> [UInt8]? {
    var scalars = Array(String(decoding: beginning, as: UTF8.self).unicodeScalars)
    while let last = scalars.popLast() {
      // Surrogates are no characters.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return Array(String(text).utf8)
    }
    return nil
  }
}
