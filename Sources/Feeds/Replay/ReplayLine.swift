import Model

/// Parses a line of a replay file into an attempt; docs/replay.md#replay.
struct ReplayLine {
  private var at: Instant?
  private var user: JSONScanner.RawString?
  private var feature: Feature?
  private var action: LimitAction?
  private var succeeds: Bool?
  private var tier: Tier?
  /// The inner nil means unknown.
  private var firstAccountCreatedAt: Instant??

  typealias Fault = JSONScanner.Fault

  /// Parses the line and interns its user.
  static func attempt(
    in bytes: UnsafeBufferPointer<UInt8>, users: StringInterner
  ) throws(Fault) -> (LimitAttempt, user: Int) {
    var scanner = try JSONScanner(validating: bytes)
    var line = ReplayLine()
    guard scanner.peek() == UInt8(ascii: "{") else {
      throw Fault(reason: "the line is not a JSON object")
    }
    try scanner.members { scanner, key throws(Fault) in try line.read(key, &scanner) }
    try scanner.finish()
    return try line.attempt(users)
  }

  private func attempt(_ users: StringInterner) throws(Fault) -> (LimitAttempt, user: Int) {
    guard let at else { throw Fault(reason: "no at") }
    guard let user else { throw Fault(reason: "no user") }
    guard let feature else { throw Fault(reason: "no feature") }
    guard let action else { throw Fault(reason: "no verb") }
    let attempt = LimitAttempt(
      at: at, feature: feature, action: action, succeeds: succeeds ?? true, tier: tier ?? .free,
      firstAccountCreatedAt: firstAccountCreatedAt ?? nil)
    return (attempt, users.number(of: try user.text()))
  }

  private mutating func read(
    _ key: JSONScanner.Key, _ scanner: inout JSONScanner
  ) throws(Fault) {
    switch key {
    case "at": try set(&at, to: try Self.instant(&scanner, "at"), "at")
    case "user": try set(&user, to: try Self.text(&scanner, "user"), "user")
    case "feature":
      let choices: StaticString = "refresh, filter, search, message or conversation"
      try set(&feature, to: try Self.word(&scanner, "feature", choices), "feature")
    case "verb":
      try set(&action, to: try Self.word(&scanner, "verb", "peek, check or use"), "verb")
    case "ok": try set(&succeeds, to: try Self.boolean(&scanner, "ok"), "ok")
    case "tier":
      try set(&tier, to: try Self.word(&scanner, "tier", "free, lite, plus or pro"), "tier")
    case "firstAccountCreatedAt":
      let name: StaticString = "firstAccountCreatedAt"
      let instant = try scanner.takeNull() ? nil : try Self.instant(&scanner, name)
      try set(&firstAccountCreatedAt, to: instant, name)
    default: try scanner.skipValue()
    }
  }

  private func set<Value>(
    _ member: inout Value?, to value: Value, _ name: StaticString
  ) throws(Fault) {
    guard member == nil else { throw Fault(reason: "\(name) occurs twice") }
    member = value
  }
}

/// The values, with an error message for each.
extension ReplayLine {
  private static func instant(
    _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(Fault) -> Instant {
    let byte = scanner.peek()
    guard byte != JSONScanner.end else { throw scanner.fault("") }
    guard byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) else {
      throw Fault(reason: "\(name) is not a number")
    }
    let number = try scanner.numberBytes()
    guard let instant = Instant(unixSeconds: number) else {
      let value = Double(String(decoding: number, as: UTF8.self)).flatMap {
        Int64(exactly: $0.rounded())
      }
      throw Fault(
        reason: "\(name) is not in the years 1 to 9999"
          + (value.flatMap(TimeUnit.init)?.hint ?? ""))
    }
    return instant
  }

  private static func text(
    _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(Fault) -> JSONScanner.RawString {
    let byte = scanner.peek()
    guard byte != JSONScanner.end else { throw scanner.fault("") }
    guard byte == UInt8(ascii: "\"") else { throw Fault(reason: "\(name) is not a text") }
    return try scanner.stringBytes()
  }

  /// Reads a word of a set; `choices` lists the set for the error.
  private static func word<Word: RawRepresentable<String>>(
    _ scanner: inout JSONScanner, _ name: StaticString, _ choices: StaticString
  ) throws(Fault) -> Word {
    guard let word = Word(rawValue: try text(&scanner, name).text()) else {
      throw Fault(reason: "\(name) is not \(choices)")
    }
    return word
  }

  private static func boolean(
    _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(Fault) -> Bool {
    switch scanner.peek() {
    case UInt8(ascii: "t"), UInt8(ascii: "f"), JSONScanner.end: return try scanner.boolean()
    default: throw Fault(reason: "\(name) is not true or false")
    }
  }
}
