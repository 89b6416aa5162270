import Model

/// Parses a line of a replay file into an attempt; docs/replay.md#replay.
struct ReplayLine {
  private var at: Instant?
  private var user: JSONScanner.RawString?
  private var feature: Feature?
  private var verb: LimitVerb?
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
    guard let verb else { throw Fault(reason: "no verb") }
    let attempt = LimitAttempt(
      at: at, feature: feature, verb: verb, succeeds: succeeds ?? true, tier: tier ?? .free,
      firstAccountCreatedAt: firstAccountCreatedAt ?? nil)
    return (attempt, users.number(of: try user.text()))
  }

  private mutating func read(
    _ key: JSONScanner.Key, _ scanner: inout JSONScanner
  ) throws(Fault) {
    switch key {
    case "at": try set(&at, to: try Self.instant(&scanner, "at"), "at")
    case "user": try set(&user, to: try Self.text(&scanner, "user"), "user")
    case "feature": try set(&feature, to: try Self.feature(&scanner), "feature")
    case "verb": try set(&verb, to: try Self.verb(&scanner), "verb")
    case "ok": try set(&succeeds, to: try Self.boolean(&scanner, "ok"), "ok")
    case "tier": try set(&tier, to: try Self.tier(&scanner), "tier")
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
    guard let instant = Instant(unixSeconds: try scanner.numberBytes()) else {
      throw Fault(reason: "\(name) is not in the years 1 to 9999")
    }
    return instant
  }

  private static func text(
    _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(Fault) -> JSONScanner.RawString {
    try expect(UInt8(ascii: "\""), &scanner, name)
    return try scanner.stringBytes()
  }

  private static func word(
    _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(Fault) -> JSONScanner.Key {
    try expect(UInt8(ascii: "\""), &scanner, name)
    return try scanner.key()
  }

  private static func expect(
    _ quote: UInt8, _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(Fault) {
    let byte = scanner.peek()
    guard byte != JSONScanner.end else { throw scanner.fault("") }
    guard byte == quote else { throw Fault(reason: "\(name) is not a text") }
  }

  private static func boolean(
    _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(Fault) -> Bool {
    switch scanner.peek() {
    case UInt8(ascii: "t"), UInt8(ascii: "f"), JSONScanner.end: return try scanner.boolean()
    default: throw Fault(reason: "\(name) is not true or false")
    }
  }

  private static func feature(_ scanner: inout JSONScanner) throws(Fault) -> Feature {
    guard let feature = Feature(try word(&scanner, "feature")) else {
      throw Fault(reason: "feature is not refresh, filter, search, message or conversation")
    }
    return feature
  }

  private static func verb(_ scanner: inout JSONScanner) throws(Fault) -> LimitVerb {
    guard let verb = LimitVerb(try word(&scanner, "verb")) else {
      throw Fault(reason: "verb is not peek, check or use")
    }
    return verb
  }

  private static func tier(_ scanner: inout JSONScanner) throws(Fault) -> Tier {
    guard let tier = Tier(try word(&scanner, "tier")) else {
      throw Fault(reason: "tier is not free, lite, plus or pro")
    }
    return tier
  }
}

/// The words of a line; nil for any other.
extension Feature {
  init?(_ word: JSONScanner.Key) {
    switch word {
    case "refresh": self = .refresh
    case "filter": self = .filter
    case "search": self = .search
    case "message": self = .message
    case "conversation": self = .conversation
    default: return nil
    }
  }
}

extension LimitVerb {
  init?(_ word: JSONScanner.Key) {
    switch word {
    case "peek": self = .peek
    case "check": self = .check
    case "use": self = .use
    default: return nil
    }
  }
}

extension Tier {
  init?(_ word: JSONScanner.Key) {
    switch word {
    case "free": self = .free
    case "lite": self = .lite
    case "plus": self = .plus
    case "pro": self = .pro
    default: return nil
    }
  }
}
