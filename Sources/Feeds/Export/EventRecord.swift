import Model

/// One record of the GA4 export on its way from a line to an `Event`.
struct EventRecord {
  private var name: String?
  private var timestamp: Int64?
  private var userId: String?
  private var pseudoId: String?
  private var parameters: [String: EventValue] = [:]
  private var country: String?
  private var appVersion: String?

  typealias Fault = JSONScanner.Fault

  /// Reads the line; a member or parameter that occurs twice counts with its last value.
  static func event(in line: UnsafeBufferPointer<UInt8>) throws(Fault) -> Event {
    var scanner = try JSONScanner(validating: line)
    var record = EventRecord()
    guard scanner.peek() == UInt8(ascii: "{") else {
      throw Fault(reason: "the line is not a JSON object")
    }
    try scanner.members { scanner, key throws(Fault) in try record.read(key, &scanner) }
    try scanner.finish()
    return try record.event()
  }

  /// 9999-12-31T23:59:59.999999Z, the last that ISO 8601 can write in four digits.
  private static let latestTimestamp: Int64 = 253_402_300_799_999_999

  private func event() throws(Fault) -> Event {
    guard let name, !name.isEmpty else { throw Fault(reason: "no event_name") }
    guard let timestamp else { throw Fault(reason: "no event_timestamp") }
    guard (0...Self.latestTimestamp).contains(timestamp) else {
      throw Fault(reason: "event_timestamp is not in the years 1970 to 9999")
    }
    return Event(
      name: name, at: Instant(microseconds: timestamp), userId: userId ?? pseudoId ?? "",
      parameters: parameters, country: country, appVersion: appVersion)
  }

  private mutating func read(
    _ key: JSONScanner.Key, _ scanner: inout JSONScanner
  ) throws(Fault) {
    switch key {
    case "event_name": name = try scanner.text()
    case "event_timestamp": timestamp = try scanner.integer("event_timestamp")
    case "user_id": userId = try scanner.text()
    case "user_pseudo_id": pseudoId = try scanner.text()
    case "event_params": try readParameters(&scanner)
    case "geo": country = try scanner.text(of: "country")
    case "app_info": appVersion = try scanner.text(of: "version")
    default: try scanner.skipValue()
    }
  }

  private mutating func readParameters(_ scanner: inout JSONScanner) throws(Fault) {
    var found: [String: EventValue] = [:]
    if try !scanner.takeNull() {
      try scanner.elements { scanner throws(Fault) in
        let (key, value) = try Self.parameter(&scanner)
        if let value { found[key] = value }
      }
    }
    parameters = found
  }

  /// One `{"key": ..., "value": {...}}`; the value is nil when it has no content.
  private static func parameter(
    _ scanner: inout JSONScanner
  ) throws(Fault) -> (String, EventValue?) {
    var name: String?
    var value: EventValue?
    try scanner.members { scanner, key throws(Fault) in
      switch key {
      case "key": name = try scanner.text()
      case "value": value = try ParameterValue.read(&scanner)
      default: try scanner.skipValue()
      }
    }
    guard let name else { throw Fault(reason: "a parameter without a key") }
    return (name, value)
  }
}
