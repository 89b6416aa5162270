import Model

/// A Firestore value, without loss: null differs from missing, and integers have 64 bits.
///
/// See `docs/firestore.md#values`.
package indirect enum Value: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// Includes NaN and the infinities, which JSON represents as strings.
  case double(Double)
  case timestamp(Timestamp)
  case string(String)
  case bytes([UInt8])
  /// A full document name, `projects/.../documents/...`.
  case reference(String)
  case geoPoint(latitude: Double, longitude: Double)
  case array([Value])
  case map([String: Value])
  /// A kind that this program does not know: its key and JSON, unchanged.
  case unknown(kind: String, json: JSON)
}

/// Values are equal when their JSON is, so that decoding what was encoded gives an equal value.
///
/// NaN equals NaN, -0.0 differs from 0.0, an integer never equals a double, and strings compare by
/// bytes. Queries compare differently; see `docs/firestore.md#ordering`.
extension Value: Hashable {
  package static func == (left: Value, right: Value) -> Bool {
    left.json.serialized() == right.json.serialized()
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(json.serialized()) }
}

/// The JSON form of values; see `docs/firestore.md#values`.
extension Value {
  /// Reads an object with exactly one member, whose key names the kind.
  package init(json: JSON) throws(WireError) {
    let members = try json.members()
    guard let (kind, content) = members.first, members.count == 1 else {
      throw WireError("a value has exactly one member, and this one has \(members.count)")
    }
    self = try WireError.at(kind) { () throws(WireError) in
      try Value.read(kind: kind, content)
    }
  }

  /// Reads the object `fields` of a `mapValue` or a document.
  package static func fields(json: JSON) throws(WireError) -> [String: Value] {
    var fields: [String: Value] = [:]
    for (name, json) in try json.members() {
      fields[name] = try WireError.at(name) { () throws(WireError) in try Value(json: json) }
    }
    return fields
  }

  private static func read(kind: String, _ content: JSON) throws(WireError) -> Value {
    switch kind {
    case "nullValue": return try null(content)
    case "booleanValue": return .boolean(try content.flag())
    case "integerValue": return .integer(try content.integer())
    case "doubleValue": return .double(try content.double())
    case "timestampValue": return .timestamp(try Timestamp(json: content))
    case "stringValue": return .string(try content.text())
    case "bytesValue": return .bytes(try bytes(content))
    case "referenceValue": return .reference(try content.text())
    case "geoPointValue":
      let members = try content.members()
      // Additional members are preserved like those of an unknown kind.
      guard members.keys.allSatisfy({ $0 == "latitude" || $0 == "longitude" }) else {
        return .unknown(kind: kind, json: content)
      }
      return try geoPoint(members)
    case "arrayValue": return .array(try content.members().list("values", Value.init(json:)))
    case "mapValue":
      return .map(try content.members().optional("fields", Value.fields(json:)) ?? [:])
    default: return .unknown(kind: kind, json: content)
    }
  }

  /// Reads null: JSON's null, or from some encoders the only name or number of the enum.
  private static func null(_ content: JSON) throws(WireError) -> Value {
    guard [.null, .string("NULL_VALUE"), .number("0")].contains(content) else {
      throw WireError("is not null")
    }
    return .null
  }

  private static func bytes(_ content: JSON) throws(WireError) -> [UInt8] {
    guard let bytes = Base64.decode(try content.text()) else { throw WireError("is not base64") }
    return bytes
  }

  /// Reads a geo point; an absent coordinate is 0.
  private static func geoPoint(_ members: [String: JSON]) throws(WireError) -> Value {
    .geoPoint(
      latitude: try members.double("latitude") ?? 0,
      longitude: try members.double("longitude") ?? 0)
  }

  package var json: JSON {
    switch self {
    case .null: .object(["nullValue": .null])
    case .boolean(let flag): .object(["booleanValue": .boolean(flag)])
    case .integer(let integer): .object(["integerValue": .string("\(integer)")])
    case .double(let number): .object(["doubleValue": .double(number)])
    case .timestamp(let timestamp): .object(["timestampValue": .string(timestamp.rfc3339)])
    case .string(let text): .object(["stringValue": .string(text)])
    case .bytes(let bytes): .object(["bytesValue": .string(Base64.encode(bytes))])
    case .reference(let name): .object(["referenceValue": .string(name)])
    case .geoPoint(let latitude, let longitude):
      .object([
        "geoPointValue": .object([
          "latitude": .double(latitude), "longitude": .double(longitude),
        ])
      ])
    case .array(let elements):
      .object([
        "arrayValue": .object(elements.isEmpty ? [:] : ["values": .array(elements.map(\.json))])
      ])
    case .map(let fields):
      .object([
        "mapValue": .object(fields.isEmpty ? [:] : ["fields": Value.json(fields: fields)])
      ])
    case .unknown(let kind, let json): .object([kind: json])
    }
  }

  package static func json(fields: [String: Value]) -> JSON { .object(fields.mapValues(\.json)) }
}

/// The usual JSON form of values, without the names of Firestore's kinds.
///
/// It loses distinctions that JSON does not have: a timestamp and a string look alike. See
/// `docs/jobs/sync-collection.md#plain-json`.
extension Value {
  package var plainJSON: JSON {
    switch self {
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let integer): .integer(integer)
    case .double(let number): .double(number)
    case .timestamp(let timestamp): .string(timestamp.sortableText)
    case .string(let text): .string(text)
    case .bytes(let bytes): .string(Base64.encode(bytes))
    case .reference(let name): .string(Self.pathBelowDatabase(name))
    case .geoPoint(let latitude, let longitude):
      .object(["latitude": .double(latitude), "longitude": .double(longitude)])
    case .array(let elements): .array(elements.map(\.plainJSON))
    case .map(let fields):
      fields.vector.map { .array($0.map(\.plainJSON)) } ?? .object(fields.mapValues(\.plainJSON))
    case .unknown(_, let json): json
    }
  }

  /// Returns the part of a full document name after its fifth slash, or all of it.
  private static func pathBelowDatabase(_ name: String) -> String {
    let parts = name.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
    return parts.count == 6 ? String(parts[5]) : name
  }
}

extension ResourceName {
  /// Returns a document's path below this name; the whole name if it is not below it.
  package func relativePath(of name: String) -> String {
    let prefix = "\(description)/"
    guard name.utf8.starts(with: prefix.utf8) else { return name }
    return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}

/// A Firestore timestamp in microseconds since 1970-01-01T00:00:00Z.
package struct Timestamp: Hashable, Comparable, Codable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// Parses RFC 3339 of the years 1 to 9999, with any offset and up to nine fractional digits.
  ///
  /// Truncates to microseconds, as Firestore does.
  package init?(rfc3339 text: some StringProtocol) {
    var copy = String(text)
    let microseconds = copy.withUTF8 { RFC3339.microseconds(UnsafeRawBufferPointer($0)) }
    guard let microseconds else { return nil }
    self.init(microseconds: microseconds)
  }

  init(json: JSON) throws(WireError) {
    guard let timestamp = Timestamp(rfc3339: try json.text()) else {
      throw WireError("is not an RFC 3339 timestamp")
    }
    self = timestamp
  }

  /// RFC 3339 in UTC with 0, 3 or 6 fractional digits; the years are 1 to 9999.
  ///
  /// It is what Google's servers write. Such texts do not sort as the times do: see `sortableText`.
  package var rfc3339: String {
    text(digits: microseconds % 1_000 != 0 ? 6 : microseconds % 1_000_000 != 0 ? 3 : 0)
  }

  /// RFC 3339 in UTC with 6 fractional digits: texts that sort as the times do; the years are 1 to
  /// 9999.
  package var sortableText: String { text(digits: 6) }

  private func text(digits: Int) -> String {
    var text = JSONBytes()
    text.bytes.reserveCapacity(27)
    text.add(self, digits: digits)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  package var description: String { rfc3339 }
}

/// RFC 3339, the JSON form of `google.protobuf.Timestamp`.
enum RFC3339 {
  /// From 0001-01-01T00:00:00Z up to and including 9999-12-31T23:59:59Z.
  static let seconds: Range<Int64> = -62_135_596_800..<253_402_300_800

  /// Microseconds since 1970, truncated; nil for malformed text.
  static func microseconds(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.count >= 20, let date = dateSeconds(bytes), let time = timeSeconds(bytes),
      let (fraction, zone) = fraction(bytes), let offset = offsetSeconds(bytes, from: zone)
    else { return nil }
    let total = date + time - offset
    guard seconds.contains(total) else { return nil }
    return total * 1_000_000 + fraction
  }

  private static func dateSeconds(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard let century = twoDigits(bytes, 0), let rest = twoDigits(bytes, 2),
      let month = twoDigits(bytes, 5), let day = twoDigits(bytes, 8),
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T")
    else { return nil }
    let year = century * 100 + rest
    guard year >= 1, (1...12).contains(month), day >= 1, day <= daysIn(month: month, year: year)
    else { return nil }
    return daysSince1970(year: year, month: month, day: day) * 86_400
  }

  private static func timeSeconds(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard let hour = twoDigits(bytes, 11), let minute = twoDigits(bytes, 14),
      let second = twoDigits(bytes, 17),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      hour < 24, minute < 60, second < 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// The fraction in microseconds and the position of the zone.
  private static func fraction(_ bytes: UnsafeRawBufferPointer) -> (Int64, Int)? {
    guard bytes[19] == UInt8(ascii: ".") else { return (0, 19) }
    var index = 20
    var fraction: Int64 = 0
    while index < bytes.count, JSONNumber.isDigit(bytes[index]) {
      if index < 26 { fraction = fraction * 10 + Int64(bytes[index] - 0x30) }
      index += 1
    }
    guard index > 20, index <= 29 else { return nil }
    return (fraction * scales[min(index, 26) - 20], index)
  }

  /// The factor from a fraction of 0 to 6 digits to microseconds.
  private static let scales: InlineArray<7, Int64> = [
    1_000_000, 100_000, 10_000, 1_000, 100, 10, 1,
  ]

  private static func offsetSeconds(_ bytes: UnsafeRawBufferPointer, from index: Int) -> Int64? {
    guard index < bytes.count else { return nil }
    if bytes[index] == UInt8(ascii: "Z") { return index + 1 == bytes.count ? 0 : nil }
    guard index + 6 == bytes.count, let hour = twoDigits(bytes, index + 1),
      let minute = twoDigits(bytes, index + 4), bytes[index + 3] == UInt8(ascii: ":"),
      hour < 24, minute < 60
    else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "+"): return hour * 3600 + minute * 60
    case UInt8(ascii: "-"): return -(hour * 3600 + minute * 60)
    default: return nil
    }
  }

  private static func twoDigits(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int64? {
    let (tens, ones) = (bytes[index], bytes[index + 1])
    guard JSONNumber.isDigit(tens), JSONNumber.isDigit(ones) else { return nil }
    return Int64(tens - 0x30) * 10 + Int64(ones - 0x30)
  }

  private static func daysIn(month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days in the proleptic Gregorian calendar, computed with years that begin in March.
  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
