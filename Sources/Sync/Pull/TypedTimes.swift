package import Firestore
import Model

/// The form in which a field's value represents a time; see `docs/loads.md#two-types`.
package enum TimeForm: String, CaseIterable, Codable, Sendable {
  case timestamp
  /// An integer or a double, in seconds since 1970.
  case unixSeconds

  /// Returns the form of a value, even if its time is out of range; nil for other types.
  init?(of value: Value) {
    switch value {
    case .timestamp: self = .timestamp
    case .integer, .double: self = .unixSeconds
    default: return nil
    }
  }

  func value(of time: Timestamp) -> Value {
    switch self {
    case .timestamp: .timestamp(time)
    case .unixSeconds: .integer(time.unixSeconds)
    }
  }

  /// The lower bound of the values of this type.
  var lowest: Value {
    switch self {
    case .timestamp: .timestamp(.earliest)
    case .unixSeconds: .double(-.infinity)
    }
  }
}

extension Timestamp {
  /// 0001-01-01T00:00:00Z and the last microsecond of 9999: what a timestamp can name.
  static let earliest = Timestamp(microseconds: -62_135_596_800_000_000)
  static let latest = Timestamp(microseconds: 253_402_300_799_999_999)

  /// The whole seconds since 1970, rounded down.
  var unixSeconds: Int64 { microseconds.floored(by: 1_000_000).quotient }

  /// Returns nil outside of the years 1 to 9999.
  private init?(unixSeconds: Int64) {
    let (microseconds, isTooFar) = unixSeconds.multipliedReportingOverflow(by: 1_000_000)
    guard !isTooFar, (Self.earliest.microseconds...Self.latest.microseconds).contains(microseconds)
    else { return nil }
    self.init(microseconds: microseconds)
  }

  /// Reads a timestamp, or a number of seconds since 1970; returns nil for any other value and
  /// outside of the years 1 to 9999.
  package init?(timestampOrSeconds value: Value) {
    switch value {
    case .timestamp(let time): self = time
    case .integer(let seconds): self.init(unixSeconds: seconds)
    case .double(let seconds):
      guard let whole = Int64(exactly: seconds.rounded(.down)) else { return nil }
      self.init(unixSeconds: whole)
    default: return nil
    }
  }
}

/// One time for each type of value that represents times: the progress of a load by type.
package struct TypedTimes: Hashable, Codable, Sendable {
  private var times: [TimeForm: Timestamp] = [:]

  package init() {}

  package init(_ form: TimeForm, _ time: Timestamp) { times[form] = time }

  package subscript(form: TimeForm) -> Timestamp? { times[form] }

  package var isEmpty: Bool { times.isEmpty }

  /// Records a time if it is later than the stored one of its type.
  mutating func note(_ time: Timestamp, _ form: TimeForm) {
    times[form] = max(times[form] ?? time, time)
  }

  /// Adopts the later time of each type.
  mutating func merge(_ other: TypedTimes) { times.merge(other.times) { max($0, $1) } }

  /// Returns the times, limited to `time`; unchanged for nil.
  func cut(at time: Timestamp?) -> TypedTimes {
    guard let time else { return self }
    var cut = self
    cut.times = times.mapValues { min($0, time) }
    return cut
  }
}

/// The stored form: only the time, if it has the field's usual type; otherwise JSON with the types.
extension TypedTimes {
  /// Returns the stored form; a time of the type `usual` is stored without its type.
  func text(usual: TimeForm) -> String {
    if times.count == 1, let time = times[usual] { return time.rfc3339 }
    let members = times.map { ($0.key.rawValue, JSON.string($0.value.rfc3339)) }
    let json = JSON.object(Dictionary(uniqueKeysWithValues: members))
    return String(decoding: json.serialized(), as: UTF8.self)
  }

  /// Returns nil for any other text.
  init?(text: String, usual: TimeForm) {
    if let time = Timestamp(rfc3339: text) {
      self.init(usual, time)
      return
    }
    self.init()
    do {
      let json = try JSON(parsing: Array(text.utf8))
      for form in TimeForm.allCases {
        guard let time = try json[form.rawValue].flatMap({ Timestamp(rfc3339: try $0.text()) })
        else { continue }
        times[form] = time
      }
    } catch {
      return nil
    }
    if times.isEmpty { return nil }
  }
}

/// The types found among the values of an order field.
package struct OrderTypes: OptionSet, Codable, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  static let timestamps = OrderTypes(rawValue: 1)
  static let numbers = OrderTypes(rawValue: 2)

  /// Returns the type of a value; empty for a value that contains no time.
  init(of value: Value?) {
    switch value.flatMap(TimeForm.init(of:)) {
    case .timestamp?: self = .timestamps
    case .unixSeconds?: self = .numbers
    case nil: self = []
    }
  }

  /// The type that was not found while the other one was; nil when both, or none, were found.
  package var unread: TimeForm? {
    switch self {
    case .timestamps: .unixSeconds
    case .numbers: .timestamp
    default: nil
    }
  }

  /// Returns a warning about a field with both types, read type by type; nil for any other field.
  package func warning(about field: FieldPath) -> String? {
    guard isSuperset(of: [.timestamps, .numbers]) else { return nil }
    return "\(field) has timestamps in some documents and numbers in others: both were read. "
      + "Write one type."
  }
}
