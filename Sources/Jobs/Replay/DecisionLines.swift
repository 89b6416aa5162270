import Feeds
import Model

/// Writes decisions as JSON, one a line, into a text that is used again; docs/replay.md#replay.
struct DecisionLines {
  /// What was written since the last `removeAll`.
  private(set) var text = ""

  private let users: StringInterner

  init(users: StringInterner) { self.users = users }

  mutating func removeAll() {
    text.removeAll(keepingCapacity: true)
  }

  mutating func append(
    _ result: LimitResult, of attempt: LimitAttempt, user: Int
  ) {
    text += #"{"at":"#
    append(seconds: attempt.at.microseconds, of: 1_000_000)
    text += #","user":""#
    text += JSONText.encode(users[user])
    text += #"","feature":""#
    text += attempt.feature.rawValue
    text += #"","verb":""#
    text += attempt.verb.rawValue
    text += result.canProceed ? #"","canProceed":true"# : #"","canProceed":false"#
    text += result.showPopup ? #","showPopup":true"# : #","showPopup":false"#
    text += #","remainingCooldown":"#
    // Rounded to the nearest millisecond.
    append(seconds: (result.remainingCooldown.microseconds + 500) / 1_000, of: 1_000)
    text += #","currentUsage":"#
    text += String(result.currentUsage)
    text += #","limit":"#
    text += result.limit.map { String($0.limit) } ?? "null"
    text += result.isLimitReached ? #","isLimitReached":true"# : #","isLimitReached":false"#
    text += #","userType":""#
    text += result.userType.rawValue
    text += #"","events":["#
    for (index, event) in result.events.enumerated() {
      text += index == 0 ? "\"" : ",\""
      text += event.rawValue
      text += "\""
    }
    text += "]}\n"
  }

  /// Seconds from parts of a second, without zeros at the end of the fraction.
  private mutating func append(seconds parts: Int64, of unit: UInt64) {
    let (whole, rest) = parts.magnitude.quotientAndRemainder(dividingBy: unit)
    if parts < 0 { text += "-" }
    text += String(whole)
    guard rest > 0 else { return }
    // The 1 before it keeps its leading zeros.
    var fraction = unit + rest
    while fraction.isMultiple(of: 10) { fraction /= 10 }
    text += "."
    text += String(fraction).dropFirst()
  }
}
