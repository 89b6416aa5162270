import Model

/// One record of the GA4 export on its way from a line to a row of the ledger.
struct EventRecord {
  /// The members that are read; a second one of a name would leave open which counts.
  private struct Members: OptionSet {
    let rawValue: Int

    static let name = Members(rawValue: 1)
    static let timestamp = Members(rawValue: 2)
    static let userId = Members(rawValue: 4)
    static let pseudoId = Members(rawValue: 8)
    static let parameters = Members(rawValue: 16)
    static let geo = Members(rawValue: 32)
    static let appInfo = Members(rawValue: 64)
  }

  typealias Fault = JSONScanner.Fault

  private var seen: Members = []
  private var timestamp: Int64?
  private var hasUserId = false

  /// Reads the line, which a line feed follows, and appends its event to the rows.
  ///
  /// A record that gives something twice is refused, in what is read of it.
  static func read(
    _ line: UnsafeBufferPointer<UInt8>, by draft: inout EventDraft, into rows: inout EventRows
  ) throws(Fault) {
    var scanner = try JSONScanner(validating: line)
    guard scanner.peek() == UInt8(ascii: "{") else {
      throw Fault(reason: "the line is not a JSON object")
    }
    draft.begin()
    var record = EventRecord()
    try scanner.members { scanner, key throws(Fault) in
      try record.read(key, &scanner, into: &draft)
    }
    try scanner.finish()
    try record.finish(&draft, into: &rows)
  }

  /// 9999-12-31T23:59:59.999999Z, the last that ISO 8601 can write in four digits.
  private static let latestTimestamp: Int64 = 253_402_300_799_999_999

  private func finish(
    _ draft: inout EventDraft, into rows: inout EventRows
  ) throws(Fault) {
    guard draft.isSet(.name) else { throw Fault(reason: "no event_name") }
    guard let timestamp else { throw Fault(reason: "no event_timestamp") }
    guard (0...Self.latestTimestamp).contains(timestamp) else {
      throw Fault(reason: "event_timestamp is not in the years 1970 to 9999")
    }
    do {
      try draft.finish(at: Instant(microseconds: timestamp), into: &rows)
    } catch {
      throw Fault(reason: "the parameter '\(error.name)' is there twice")
    }
  }

  private mutating func read(
    _ key: JSONScanner.Key, _ scanner: inout JSONScanner, into draft: inout EventDraft
  ) throws(Fault) {
    switch key {
    case "event_name":
      try count(.name, "event_name")
      _ = try Self.set(.name, &scanner, in: &draft)
    case "event_timestamp":
      try count(.timestamp, "event_timestamp")
      timestamp = try scanner.integer("event_timestamp")
    case "user_id":
      try count(.userId, "user_id")
      hasUserId = try Self.set(.userId, &scanner, in: &draft)
    case "user_pseudo_id":
      try count(.pseudoId, "user_pseudo_id")
      try readPseudoId(&scanner, into: &draft)
    case "event_params":
      try count(.parameters, "event_params")
      try Self.readParameters(&scanner, into: &draft)
    case "geo":
      try count(.geo, "geo")
      try Self.readMember("country", as: .country, &scanner, in: &draft)
    case "app_info":
      try count(.appInfo, "app_info")
      try Self.readMember("version", as: .appVersion, &scanner, in: &draft)
    default: try scanner.skipValue()
    }
  }

  /// The pseudo id stands in for a missing user id, whichever of them comes first.
  private func readPseudoId(
    _ scanner: inout JSONScanner, into draft: inout EventDraft
  ) throws(Fault) {
    guard hasUserId else {
      _ = try Self.set(.userId, &scanner, in: &draft)
      return
    }
    try scanner.optionalText()?.decoded { _ in }
  }

  private mutating func count(_ member: Members, _ name: StaticString) throws(Fault) {
    guard seen.insert(member).inserted else { throw Fault(reason: "\(name) is there twice") }
  }

  /// Reads a text; false when there is none, which null and an empty one are as well.
  private static func set(
    _ field: EventDraft.Field, _ scanner: inout JSONScanner, in draft: inout EventDraft
  ) throws(Fault) -> Bool {
    guard let text = try scanner.optionalText(), !text.bytes.isEmpty else { return false }
    try text.decoded { draft.set(field, to: $0) }
    return true
  }

  /// Reads one member of an object, all others skipped.
  private static func readMember(
    _ name: StaticString, as field: EventDraft.Field, _ scanner: inout JSONScanner,
    in draft: inout EventDraft
  ) throws(Fault) {
    guard try !scanner.takeNull() else { return }
    var isRead = false
    try scanner.members { scanner, key throws(Fault) in
      guard name ~= key else { return try scanner.skipValue() }
      guard !isRead else { throw Fault(reason: "\(name) is there twice") }
      isRead = true
      _ = try set(field, &scanner, in: &draft)
    }
  }

  private static func readParameters(
    _ scanner: inout JSONScanner, into draft: inout EventDraft
  ) throws(Fault) {
    guard try !scanner.takeNull() else { return }
    try scanner.elements { scanner throws(Fault) in try readParameter(&scanner, into: &draft) }
  }

  /// One `{"key": ..., "value": {...}}`; one whose value has no content is none.
  private static func readParameter(
    _ scanner: inout JSONScanner, into draft: inout EventDraft
  ) throws(Fault) {
    var name: JSONScanner.RawString?
    var value: ParameterValue?
    try scanner.members { scanner, key throws(Fault) in
      switch key {
      case "key":
        guard name == nil else { throw Fault(reason: "a parameter with two keys") }
        name = try scanner.stringBytes()
      case "value":
        guard value == nil else { throw Fault(reason: "a parameter with two values") }
        value = try ParameterValue(&scanner)
      default: try scanner.skipValue()
      }
    }
    guard let name else { throw Fault(reason: "a parameter without a key") }
    guard let value else { return try name.decoded { _ in } }
    try name.decoded { name throws(Fault) in try value.add(to: &draft, as: name) }
  }
}
