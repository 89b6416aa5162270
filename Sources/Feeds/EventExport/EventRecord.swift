import Model

/// Parses a record of the GA4 export into an event row.
struct EventRecord {
  typealias Fault = JSONScanner.Fault

  /// A bit for each member that was read; a repeated member is an error.
  private var seen = 0
  private var timestamp: Int64?
  private var hasUserId = false
  /// As `20261127`; nil for a record without a day.
  private var day: Int?
  private var stream: JSONScanner.RawString?

  /// Parses the line, which a line feed must follow, and appends its event to the rows.
  ///
  /// Throws when a member that is read occurs twice.
  static func read(
    _ line: UnsafeBufferPointer<UInt8>, by encoder: inout EventRowEncoder,
    into rows: inout EventRows, _ origins: inout EventOrigins
  ) throws(Fault) {
    var scanner = try JSONScanner(validating: line)
    guard scanner.peek() == UInt8(ascii: "{") else {
      throw Fault(reason: "the line is not a JSON object")
    }
    encoder.begin()
    var record = EventRecord()
    try scanner.members { scanner, key throws(Fault) in
      try record.read(key, &scanner, into: &encoder)
    }
    try scanner.finish()
    try record.finish(&encoder, into: &rows, &origins)
  }

  /// 9999-12-31T23:59:59.999999Z, the last with a four-digit year.
  private static let latestTimestamp: Int64 = 253_402_300_799_999_999

  private func finish(
    _ encoder: inout EventRowEncoder, into rows: inout EventRows, _ origins: inout EventOrigins
  ) throws(Fault) {
    guard encoder.isSet(.name) else { throw Fault(reason: "no event_name") }
    guard let timestamp else { throw Fault(reason: "no event_timestamp") }
    guard (0...Self.latestTimestamp).contains(timestamp) else {
      throw Fault(
        reason: "event_timestamp is not in the years 1970 to 9999"
          + (TimeUnit(of: timestamp)?.hint ?? ""))
    }
    if let unit = TimeUnit(of: timestamp), unit != .microseconds {
      throw Fault(reason: "event_timestamp is not in microseconds\(unit.hint)")
    }
    let origin = try origin(&origins)
    do {
      try encoder.finish(at: Instant(microseconds: timestamp), origin: origin, into: &rows)
    } catch {
      throw Fault(reason: "the parameter '\(error.name)' is there twice")
    }
  }

  /// The number of the day and the stream; 0 for a record without a day.
  private func origin(_ origins: inout EventOrigins) throws(Fault) -> Int32 {
    guard let day else { return 0 }
    guard let stream else {
      return origins.number(ofDay: day, stream: UnsafeBufferPointer(start: nil, count: 0))
    }
    return try stream.decoded { origins.number(ofDay: day, stream: $0) }
  }

  private mutating func read(
    _ key: JSONScanner.Key, _ scanner: inout JSONScanner, into encoder: inout EventRowEncoder
  ) throws(Fault) {
    switch key {
    case "event_name":
      try count(0, "event_name")
      _ = try Self.set(.name, &scanner, in: &encoder)
    case "event_timestamp":
      try count(1, "event_timestamp")
      timestamp = try scanner.integer("event_timestamp")
    case "user_id":
      try count(2, "user_id")
      hasUserId = try Self.set(.userId, &scanner, in: &encoder)
    case "user_pseudo_id":
      try count(3, "user_pseudo_id")
      try readPseudoId(&scanner, into: &encoder)
    case "event_params":
      try count(4, "event_params")
      try Self.readParameters(&scanner, into: &encoder)
    case "geo":
      try count(5, "geo")
      try Self.readMember("country", as: .country, &scanner, in: &encoder)
    case "app_info":
      try count(6, "app_info")
      try Self.readMember("version", as: .appVersion, &scanner, in: &encoder)
    case "event_date":
      try count(7, "event_date")
      day = try Self.plainText(&scanner).flatMap { text throws(Fault) in
        ExportDay.number(try text.text())
      }
    case "stream_id":
      try count(8, "stream_id")
      stream = try Self.plainText(&scanner)
    case "platform":
      try count(9, "platform")
      _ = try Self.set(.platform, &scanner, in: &encoder)
    default: try scanner.skipValue()
    }
  }

  /// Reads a text, or a number as it is written; nil for any other value.
  private static func plainText(
    _ scanner: inout JSONScanner
  ) throws(Fault) -> JSONScanner.RawString? {
    switch scanner.peek() {
    case UInt8(ascii: "\""), UInt8(ascii: "-"), 0x30...0x39: return try scanner.numberText()
    default:
      try scanner.skipValue()
      return nil
    }
  }

  /// Uses the pseudo id unless the record has a user id, in either order of the two.
  private func readPseudoId(
    _ scanner: inout JSONScanner, into encoder: inout EventRowEncoder
  ) throws(Fault) {
    guard hasUserId else {
      _ = try Self.set(.userId, &scanner, in: &encoder)
      return
    }
    try scanner.optionalText()?.decoded { _ in }
  }

  private mutating func count(_ place: Int, _ name: StaticString) throws(Fault) {
    guard seen & 1 << place == 0 else { throw Fault(reason: "\(name) is there twice") }
    seen |= 1 << place
  }

  /// Reads a text; false when it is null or empty.
  private static func set(
    _ field: EventRowEncoder.Field, _ scanner: inout JSONScanner, in encoder: inout EventRowEncoder
  ) throws(Fault) -> Bool {
    guard let text = try scanner.optionalText(), !text.bytes.isEmpty else { return false }
    try text.decoded { encoder.set(field, to: $0) }
    return true
  }

  /// Reads one member of an object and skips the others.
  private static func readMember(
    _ name: StaticString, as field: EventRowEncoder.Field, _ scanner: inout JSONScanner,
    in encoder: inout EventRowEncoder
  ) throws(Fault) {
    guard try !scanner.takeNull() else { return }
    var isRead = false
    try scanner.members { scanner, key throws(Fault) in
      guard name ~= key else { return try scanner.skipValue() }
      guard !isRead else { throw Fault(reason: "\(name) is there twice") }
      isRead = true
      _ = try set(field, &scanner, in: &encoder)
    }
  }

  private static func readParameters(
    _ scanner: inout JSONScanner, into encoder: inout EventRowEncoder
  ) throws(Fault) {
    guard try !scanner.takeNull() else { return }
    try scanner.elements { scanner throws(Fault) in try readParameter(&scanner, into: &encoder) }
  }

  /// Reads `{"key": ..., "value": {...}}`; ignores a parameter without a value.
  private static func readParameter(
    _ scanner: inout JSONScanner, into encoder: inout EventRowEncoder
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
    try name.decoded { name throws(Fault) in try value.add(to: &encoder, as: name) }
  }
}
