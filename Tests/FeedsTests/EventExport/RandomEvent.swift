import Fixtures
import Model

enum RandomEvent {
  static let sample = Event(
    name: "ios_refresh_performed", at: Instant(microseconds: 1_767_600_000_000_000), userId: "u1",
    parameters: [
      "ios_user_id": .string("u1"), "ios_user_type": .string("free_user"),
      "ios_current_usage": .integer(1), "ios_usage_limit": .integer(2),
      "ios_remaining_cooldown_seconds": .double(12.5),
    ], country: "Germany", appVersion: "2.1.0")

  /// Any event that the export can hold.
  static func make(_ random: inout SeededGenerator) -> Event {
    let keys = (0..<Int.random(in: 0...8, using: &random)).map { _ in text(&random, atLeast: 0) }
    return Event(
      name: text(&random, atLeast: 1),
      at: Instant(microseconds: .random(in: 0...253_402_300_799_999_999, using: &random)),
      userId: text(&random, atLeast: 0),
      parameters: Dictionary(keys.filter { !$0.isEmpty }.map { ($0, value(&random)) }) { $1 },
      country: Bool.random(using: &random) ? text(&random, atLeast: 1) : nil,
      appVersion: Bool.random(using: &random) ? text(&random, atLeast: 1) : nil)
  }

  private static func value(_ random: inout SeededGenerator) -> EventValue {
    switch Int.random(in: 0...3, using: &random) {
    case 0: return .string(text(&random, atLeast: 0))
    case 1: return .integer(Int64(bitPattern: random.next()))
    case 2: return .integer(Int64.random(in: -3...3, using: &random))
    default:
      let number = Double(bitPattern: random.next())
      return .double(number.isFinite ? number : 0.1)
    }
  }

  private static func text(_ random: inout SeededGenerator, atLeast least: Int) -> String {
    var text = ""
    for _ in 0..<Int.random(in: least...12, using: &random) {
      let value: UInt32 =
        switch Int.random(in: 0...3, using: &random) {
        case 0: .random(in: 0...0x7F, using: &random)
        case 1: .random(in: 0x80...0x7FF, using: &random)
        case 2: .random(in: 0xE000...0xFFFF, using: &random)
        default: .random(in: 0x10000...0x10FFFF, using: &random)
        }
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}
