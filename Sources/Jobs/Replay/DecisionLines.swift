import Feeds
import Model

/// Writes decisions as JSON, one a line, into bytes that are used again; docs/replay.md#replay.
struct DecisionLines {
  /// What was written since the last `removeAll`.
  private(set) var bytes: [UInt8] = []

  private let users: StringInterner

  init(users: StringInterner) { self.users = users }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func append(
    _ result: LimitResult, of attempt: LimitAttempt, user: Int
  ) {
    append(#"{"at":"#)
    append(seconds: attempt.at.microseconds, of: 1_000_000)
    append(#","user":""#, JSONText.encode(users[user]), #"","feature":""#)
    append(attempt.feature.rawValue, #"","verb":""#, attempt.verb.rawValue)
    append(#"","canProceed":"#, result.canProceed ? "true" : "false")
    append(#","showPopup":"#, result.showPopup ? "true" : "false", #","remainingCooldown":"#)
    // Rounded to the nearest millisecond.
    append(seconds: (result.remainingCooldown.microseconds + 500) / 1_000, of: 1_000)
    append(#","currentUsage":"#, String(result.currentUsage))
    append(#","limit":"#, result.limit.map { String($0.limit) } ?? "null")
    append(#","isLimitReached":"#, result.isLimitReached ? "true" : "false")
    append(#","userType":""#, result.userType.rawValue, #"","events":["#)
    for (index, event) in result.events.enumerated() {
      append(index == 0 ? "\"" : ",\"", event.rawValue, "\"")
    }
    append("]}\n")
  }

  private mutating func append(_ texts: String...) {
    for text in texts { bytes.append(contentsOf: text.utf8) }
  }

  /// Seconds from parts of a second, without zeros at the end of the fraction.
  private mutating func append(seconds parts: Int64, of unit: UInt64) {
    let (whole, rest) = parts.magnitude.quotientAndRemainder(dividingBy: unit)
    append(parts < 0 ? "-" : "", String(whole))
    guard rest > 0 else { return }
    append(".")
    var fraction = rest
    var place = unit
    while fraction > 0 {
      place /= 10
      let (digit, smaller) = fraction.quotientAndRemainder(dividingBy: place)
      bytes.append(0x30 | UInt8(digit))
      fraction = smaller
    }
  }
}
