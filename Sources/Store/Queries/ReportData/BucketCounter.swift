import Model

/// Counts feature events by quarter of an hour, feature, kind and segment, as they come in time.
struct BucketCounter {
  typealias Text = UnsafeRawBufferPointer

  /// What the names of an event say.
  struct EventKey: Hashable {
    let feature: Feature
    let kind: EventKind
    let userType: UserType?

    fileprivate var names: (String, String, String) {
      (feature.rawValue, kind.rawValue, userType?.rawValue ?? "")
    }
  }

  /// The few keys that were met, by the bytes of their names.
  private var keys: [[UInt8]: EventKey] = [:]
  /// How often each came in the present quarter.
  private var counts: [EventKey: Int] = [:]
  private var quarter: Int64?
  private var finished: [UsageData.Bucket] = []

  static let quarterMicroseconds: Int64 = 900_000_000

  /// Counts an event in its quarter.
  ///
  /// - Precondition: no event before came later.
  mutating func add(at microseconds: Int64, _ key: EventKey) {
    let quarter = Self.quarter(of: microseconds)
    if quarter != self.quarter {
      finishQuarter()
      self.quarter = quarter
    }
    counts[key, default: 0] += 1
  }

  /// What these names say; the user type has no bytes for NULL.
  mutating func key(_ feature: Text, _ kind: Text, _ userType: Text) throws -> EventKey {
    let names = feature + [0] + kind + [0] + userType
    if let known = keys[names] { return known }
    let key = EventKey(
      feature: try Self.choice(feature, "feature"), kind: try Self.choice(kind, "kind"),
      userType: userType.isEmpty ? nil : try Self.choice(userType, "user_type"))
    keys[names] = key
    return key
  }

  /// All that was counted, by time and then by the names.
  mutating func buckets() -> [UsageData.Bucket] {
    finishQuarter()
    return finished
  }

  /// The quarter that the instant lies in, counted from 1970; negative before it.
  static func quarter(of microseconds: Int64) -> Int64 {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: quarterMicroseconds)
    return remainder < 0 ? quotient - 1 : quotient
  }

  private mutating func finishQuarter() {
    guard let quarter else { return }
    for (key, count) in counts.sorted(by: { $0.key.names < $1.key.names }) {
      finished.append(
        UsageData.Bucket(
          startsAtSeconds: quarter * 900, feature: key.feature, kind: key.kind,
          userType: key.userType, count: count))
    }
    counts.removeAll(keepingCapacity: true)
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ text: Text, _ column: String
  ) throws -> Choice {
    let text = String(decoding: text, as: UTF8.self)
    guard let choice = Choice(rawValue: text) else {
      throw UnreadableCell(table: "events", column: column, value: text)
    }
    return choice
  }
}
