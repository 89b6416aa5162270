package import Model

/// Writes decisions as JSON, one a line, into a buffer that is used again; docs/replay.md#replay.
package struct DecisionLines {
  /// What was written since the last `removeAll`.
  package private(set) var bytes: [UInt8] = []

  private let users: StringInterner

  package init(users: StringInterner) { self.users = users }

  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  package mutating func append(
    _ result: LimitResult, of attempt: LimitAttempt, user: Int
  ) {
    append(#"{"at":"#)
    append(seconds: attempt.at.microseconds, of: 1_000_000)
    append(#","user":""#)
    append(text: JSONText.escaped(users[user]))
    append(#"","feature":""#)
    append(text: attempt.feature.rawValue)
    append(#"","verb":""#)
    append(text: attempt.action.rawValue)
    append(result.canProceed ? #"","canProceed":true"# : #"","canProceed":false"#)
    append(result.showPopup ? #","showPopup":true"# : #","showPopup":false"#)
    append(#","remainingCooldown":"#)
    // Rounded to the nearest millisecond.
    append(seconds: (result.remainingCooldown.microseconds + 500) / 1_000, of: 1_000)
    append(#","currentUsage":"#)
    append(text: String(result.currentUsage))
    append(#","limit":"#)
    append(text: result.limit.map { String($0.limit) } ?? "null")
    append(result.isLimitReached ? #","isLimitReached":true"# : #","isLimitReached":false"#)
    append(#","userType":""#)
    append(text: result.userType.rawValue)
    append(#"","events":["#)
    for (index, event) in result.events.enumerated() {
      append(index == 0 ? "\"" : ",\"")
      append(text: event.rawValue)
      append("\"")
    }
    append("]}\n")
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(text: some StringProtocol) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Seconds from parts of a second, without zeros at the end of the fraction.
  private mutating func append(seconds parts: Int64, of unit: UInt64) {
    let (whole, rest) = parts.magnitude.quotientAndRemainder(dividingBy: unit)
    if parts < 0 { append("-") }
    append(text: String(whole))
    guard rest > 0 else { return }
    // The 1 before it keeps its leading zeros.
    var fraction = unit + rest
    while fraction.isMultiple(of: 10) { fraction /= 10 }
    append(".")
    append(text: String(fraction).dropFirst())
  }
}
