import Foundation

@testable import Firestore

/// What Foundation's own parser makes of bytes, with all in which it is known to differ from RFC
/// 8259.
struct FoundationOracle {
  enum Verdict {
    case accepts(Any)
    case refuses(any Error)
    /// It takes the bytes for UTF-16 or UTF-32, or passes over a byte order mark.
    case otherEncoding
  }

  let verdict: Verdict

  init(_ bytes: [UInt8]) {
    guard !FoundationOracle.mayBeOtherEncoding(bytes) else {
      verdict = .otherEncoding
      return
    }
    do {
      verdict = .accepts(
        try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed]))
    } catch {
      verdict = .refuses(error)
    }
  }

  /// Whether Foundation could not hold a number, though it is one by the grammar.
  static func isAboutNumber(_ error: any Error) -> Bool {
    "\(error)".contains("not representable")
  }

  /// RFC 4627 section 3: the first bytes tell the encoding; a mark is dropped inside strings, too.
  private static func mayBeOtherEncoding(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(4).contains(0) || bytes.contains([0xEF, 0xBB, 0xBF])
      || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
  }

  /// Whether a strict parser may refuse, with that error, what Foundation takes.
  ///
  /// Foundation takes a comma before the end of an array or object, and nests 512 deep.
  static func excuses(_ error: JSONError, in bytes: [UInt8]) -> Bool {
    if error.problem == .tooDeep { return true }
    guard error.problem == .unexpectedByte, error.offset < bytes.count,
      bytes[error.offset] == UInt8(ascii: "]") || bytes[error.offset] == UInt8(ascii: "}")
    else { return false }
    let before = bytes[..<error.offset].last { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
    return before == UInt8(ascii: ",")
  }

  /// Whether the plain parser read the same value.
  static func agrees(_ json: JSON, _ value: Any) -> Bool {
    switch json {
    case .null: return value is NSNull
    case .boolean(let flag): return isBoolean(value) && (value as? Bool) == flag
    case .number(let text):
      guard !isBoolean(value), let number = value as? NSNumber, let double = Double(text) else {
        return false
      }
      return isNear(double, number)
    case .string(let text):
      return (value as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
    case .array(let elements):
      guard let values = value as? [Any], values.count == elements.count else { return false }
      return zip(elements, values).allSatisfy { agrees($0, $1) }
    case .object(let members):
      guard let values = value as? [String: Any], values.count == members.count else {
        return false
      }
      return members.allSatisfy { name, json in values[name].map { agrees(json, $0) } ?? false }
    }
  }

  static func isBoolean(_ value: Any) -> Bool {
    (value as? NSNumber)?.objCType.pointee == CChar(UInt8(ascii: "c"))
  }

  /// Long numbers go through `Decimal`, which may miss the nearest double.
  static func isNear(_ double: Double, _ number: NSNumber) -> Bool {
    let other = number.doubleValue
    guard number is NSDecimalNumber else { return double == other }
    return abs(double - other) <= max(abs(double), abs(other)) * 1e-14
  }
}
