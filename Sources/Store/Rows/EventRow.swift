import Model

/// An event as the columns that its name and parameters are taken apart into.
///
/// The bytes are reused from event to event; a text column is a range of them.
struct EventRow {
  private(set) var bytes: [UInt8] = []
  private(set) var name = 0..<0
  private(set) var userId = 0..<0
  private(set) var parameters = 0..<0
  private(set) var country: Range<Int>?
  private(set) var appVersion: Range<Int>?
  private(set) var platform: Range<Int>?
  private(set) var feature: Range<Int>?
  private(set) var kind: Range<Int>?
  private(set) var userType: Range<Int>?
  /// 1 to 5 when the event is a rating.
  private(set) var stars: Int64?
  /// FNV-1a of name, user and parameters: with the microsecond it is the event's identity.
  private(set) var fingerprint: Int64 = 0

  mutating func fill(_ event: Event) {
    bytes.removeAll(keepingCapacity: true)
    name = append(event.name)
    userId = append(event.userId)
    let start = bytes.count
    ParameterJSON.write(event.parameters, to: &bytes)
    parameters = start..<bytes.count
    fingerprint = Self.fingerprint([bytes[name], bytes[userId], bytes[parameters]])
    country = event.country.map { append($0) }
    appVersion = event.appVersion.map { append($0) }
    stars = StarRating(event).map { Int64($0.stars) }
    fillFeature(of: event)
  }

  private mutating func fillFeature(of event: Event) {
    guard let parts = FeatureEventName(event.name) else {
      (platform, feature, kind, userType) = (nil, nil, nil, nil)
      return
    }
    platform = append(parts.platform)
    feature = append(parts.feature.rawValue)
    kind = append(parts.kind.rawValue)
    let type = event.parameters[parts.platform + "_user_type"]
    if case .string(let text)? = type, UserType(rawValue: text) != nil {
      userType = append(text)
    } else {
      userType = nil
    }
  }

  private mutating func append(_ text: String) -> Range<Int> {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    return start..<bytes.count
  }

  /// The quarter of an hour that the instant lies in, counted from 1970; negative before it.
  static func quarter(of instant: Instant) -> Int64 {
    let (quotient, remainder) = instant.microseconds.quotientAndRemainder(dividingBy: 900_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// 64-bit FNV-1a, with a separator between the parts that UTF-8 never contains.
  ///
  /// The constants are those of RFC 9923; the value is stored, so it must never change.
  static func fingerprint(_ parts: [ArraySlice<UInt8>]) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      for byte in part { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    return Int64(bitPattern: hash)
  }
}
