import Fixtures

@testable import Firestore

extension String {
  /// Up to eight characters of several scripts, with those that need escaping.
  static func random(using random: inout SeededGenerator) -> String {
    let characters = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "é", "名", "🤩", "\0",
    ]
    return (0..<Int.random(in: 0...8, using: &random))
      .map { _ in characters.randomElement(using: &random) ?? "" }.joined()
  }
}

extension JSON {
  static func random(depth: Int, using random: inout SeededGenerator) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &random))
    case 2:
      return .number(["0", "-1", "1.5", "1e9", "-0.25E-3"].randomElement(using: &random) ?? "0")
    case 3: return .string(String.random(using: &random))
    case 4:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          JSON.random(depth: depth - 1, using: &random)
        })
    default:
      var members: [String: JSON] = [:]
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        members[String.random(using: &random)] = JSON.random(depth: depth - 1, using: &random)
      }
      return .object(members)
    }
  }
}

extension Value {
  static func random(depth: Int, using random: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 10), using: &random) {
    case 0: .null
    case 1: .boolean(Bool.random(using: &random))
    case 2: .integer(Int64.random(in: .min ... .max, using: &random))
    case 3: .double(Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random)))
    case 4: .timestamp(Timestamp.random(using: &random))
    case 5: .string(String.random(using: &random))
    case 6: .bytes(Array(String.random(using: &random).utf8))
    case 7: .reference("projects/p/databases/(default)/documents/C/" + .random(using: &random))
    case 8: .geoPoint(latitude: Double.random(in: -90...90, using: &random), longitude: 0)
    case 9: .unknown(kind: "futureValue", json: JSON.random(depth: 1, using: &random))
    case 10:
      .array(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          Value.random(depth: depth - 1, using: &random)
        })
    default: .map(randomFields(depth: depth - 1, using: &random))
    }
  }

  static func randomFields(depth: Int, using random: inout SeededGenerator) -> [String: Value] {
    var fields: [String: Value] = [:]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      fields[String.random(using: &random)] = Value.random(depth: depth, using: &random)
    }
    return fields
  }
}

extension Timestamp {
  static func random(using random: inout SeededGenerator) -> Timestamp {
    let seconds = Int64.random(in: RFC3339.seconds, using: &random)
    let fraction: Int64 = [0, 500_000, 123_456, 1].randomElement(using: &random) ?? 0
    return Timestamp(microseconds: seconds * 1_000_000 + fraction)
  }
}
