import Foundation

/// Writes the same JSON in every legal way: white space, escapes, the order of keys, number forms.
///
/// A failing property prints the seed. Text that is not JSON is a mistake of the test's.
package struct JSONForms {
  private var random: SeededGenerator
  private var bytes: [UInt8] = []
  /// One place in so many has white space, and one letter in so many is escaped; 0 for none.
  private let blankOdds: Int
  private let escapeOdds: Int
  private let hasOtherOrder: Bool
  private let hasOtherNumbers: Bool

  /// The text's value in the form that the seed decides.
  package static func form(of text: String, seed: UInt64) throws -> [UInt8] {
    let value = try JSONSerialization.jsonObject(
      with: Data(text.utf8), options: .fragmentsAllowed)
    var forms = JSONForms(seed: seed)
    forms.blank()
    forms.write(value)
    forms.blank()
    return forms.bytes
  }

  private init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    blankOdds = [0, 1, 3, 20].randomElement(using: &random) ?? 0
    escapeOdds = [0, 1, 5, 30].randomElement(using: &random) ?? 0
    hasOtherOrder = Bool.random(using: &random)
    hasOtherNumbers = Bool.random(using: &random)
  }

  private mutating func chance(_ odds: Int) -> Bool {
    odds > 0 && Int.random(in: 0..<odds, using: &random) == 0
  }

  private mutating func blank() {
    guard chance(blankOdds) else { return }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes.append([0x20, 0x0A, 0x0D, 0x09].randomElement(using: &random) ?? 0x20)
    }
  }

  private mutating func token(_ text: String) {
    blank()
    bytes += Array(text.utf8)
    blank()
  }

  private mutating func write(_ value: Any) {
    switch value {
    case let members as [String: Any]: write(members)
    case let elements as [Any]:
      token("[")
      for (position, element) in elements.enumerated() {
        if position > 0 { token(",") }
        write(element)
      }
      token("]")
    case let text as String: string(text)
    case let number as NSNumber where String(cString: number.objCType) == "c":
      token(number.boolValue ? "true" : "false")
    case let number as NSNumber: token(form(of: number))
    default: token("null")
    }
  }

  private mutating func write(_ members: [String: Any]) {
    var keys = members.keys.sorted()
    if hasOtherOrder { keys.shuffle(using: &random) }
    token("{")
    for (position, key) in keys.enumerated() {
      if position > 0 { token(",") }
      string(key)
      token(":")
      write(members[key] ?? NSNull())
    }
    token("}")
  }

  private mutating func string(_ text: String) {
    blank()
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      let isForced = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      guard isForced || chance(escapeOdds) else {
        bytes += Array(String(scalar).utf8)
        continue
      }
      escape(scalar)
    }
    bytes.append(UInt8(ascii: "\""))
    blank()
  }

  private static let shortEscapes: [Unicode.Scalar: String] = [
    "\"": "\"", "\\": "\\", "/": "/", "\u{8}": "b", "\u{C}": "f", "\n": "n", "\r": "r", "\t": "t",
  ]

  private mutating func escape(_ scalar: Unicode.Scalar) {
    if let short = Self.shortEscapes[scalar], Bool.random(using: &random) {
      bytes += Array("\\\(short)".utf8)
      return
    }
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
      bytes += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    }
  }

  /// A whole number as one with a fraction or an exponent, and others with more zeros.
  private mutating func form(of number: NSNumber) -> String {
    let whole = number.doubleValue == number.doubleValue.rounded()
    let text = whole ? number.int64Value.description : "\(number.doubleValue)"
    guard hasOtherNumbers, number.doubleValue != 0 else { return text }
    let forms =
      whole
      ? ["\(text).0", "\(text).000", "\(text)e0", "\(text)E+0", "\(text)0e-1", text]
      : ["\(text)0", "\(text)e0", "\(text)000E-0", text]
    return forms.randomElement(using: &random) ?? text
  }
}
