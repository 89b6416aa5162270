import Firestore
import Model

/// Replaces values by others of the same shape, equal values by equal ones; see
/// `docs/load.md#pseudonyms`.
struct ValuePseudonyms: Sendable {
  /// The number of letters and digits with which two ids hardly ever get the same pseudonym.
  private static let idLength = 12
  private static let vowels = Array("aeiou".utf8)
  private static let consonants = Array("bcdfghjklmnprstvwz".utf8)
  /// Half a year.
  private static let longestShift: UInt64 = 180 * 86_400 * 1_000_000

  private let hash: KeyedHash

  init(_ hash: KeyedHash) { self.hash = hash }

  /// Returns a hash that identifies a text in a set without revealing it.
  func mark(of text: some StringProtocol) -> UInt64 { hash.of([1] + Array(text.utf8)) }

  /// Returns a text of the same shape; a mail address becomes one at example.com.
  ///
  /// A short id gets ten additional letters or digits, so that ids stay distinct.
  func text(_ text: String, isId: Bool) -> String {
    guard !text.isEmpty else { return text }
    if let at = text.lastIndex(of: "@"), at > text.startIndex {
      return replaced(String(text[..<at]), isId: true) + "@example.com"
    }
    return replaced(text, isId: isId)
  }

  private func replaced(_ text: String, isId: Bool) -> String {
    var random = seeded(2, Array(text.utf8))
    var result = substitute(text, &random)
    for _ in 0..<8 where result == text { result = substitute(text, &random) }
    let length = result.utf8.count { isDigit($0) || isLetter($0) }
    guard isId, length < Self.idLength else { return result }
    let code = (0..<10).map { _ in
      "0123456789abcdefghjkmnpqrstvwxyz".utf8.map(\.self)[random.next(32)]
    }
    return "\(result)-\(String(decoding: code, as: UTF8.self))"
  }

  private func substitute(_ text: String, _ random: inout SeededRandom) -> String {
    var result: [UInt8] = []
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      guard properties.isAlphabetic || properties.numericType != nil else {
        result += Array(String(scalar).utf8)
        continue
      }
      guard properties.isAlphabetic else {
        result.append(UInt8(ascii: "0") + UInt8(random.next(10)))
        continue
      }
      let letters = "aeiouAEIOU".unicodeScalars.contains(scalar) ? Self.vowels : Self.consonants
      let letter = letters[random.next(letters.count)]
      result.append(properties.isUppercase ? letter - 32 : letter)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 32) }

  /// Returns a value of the same kind; the given one is not a text, array or map.
  func value(_ value: Value) -> Value {
    var random = seeded(3, value.json.serialized())
    switch value {
    case .integer(let number):
      let digits = String(number.magnitude).utf8.count
      let least = (1..<digits).reduce(UInt64(1)) { least, _ in least * 10 }
      let other = Int64(clamping: least + random.next() % max(1, min(least, .max / 10) * 9))
      return .integer(number < 0 ? -other : other)
    case .double(let number):
      guard number.isFinite, number != 0 else { return value }
      let significand = 1 + Double(random.next() >> 12) / Double(UInt64(1) << 52)
      return .double(Double(sign: number.sign, exponent: number.exponent, significand: significand))
    case .timestamp(let time):
      let shift = Int64(random.next() % (2 * Self.longestShift)) - Int64(Self.longestShift)
      let moved = Timestamp(microseconds: time.microseconds + shift)
      return .timestamp(Timestamp.isInRange(moved) ? moved : time)
    case .geoPoint:
      return .geoPoint(
        latitude: Double(random.next(180_000_000)) / 1_000_000 - 90,
        longitude: Double(random.next(360_000_000)) / 1_000_000 - 180)
    case .bytes(let bytes): return .bytes(bytes.map { _ in UInt8(random.next(256)) })
    default: return value
    }
  }

  /// Returns random numbers that are determined by a value.
  private func seeded(_ kind: UInt8, _ bytes: [UInt8]) -> SeededRandom {
    SeededRandom(seed: hash.of([kind] + bytes))
  }
}

extension SeededRandom {
  /// Returns a number from 0 to below the bound.
  fileprivate mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

extension Timestamp {
  /// Whether the time is in the years 1 to 9999.
  fileprivate static func isInRange(_ time: Timestamp) -> Bool {
    (-62_135_596_800_000_000..<253_402_300_800_000_000).contains(time.microseconds)
  }
}
