import Model

/// Counts feature events by stretches of time, feature, kind and segment, as they come in time.
///
/// A stretch is a quarter of an hour of UTC, unless `begin` says otherwise.
struct BucketCounter {
  typealias Text = UnsafeRawBufferPointer

  /// What the names of an event say.
  struct EventKey {
    let feature: Feature
    let kind: EventKind
    let userType: UserType?
    let platform: String
    /// Its place among those that were met.
    fileprivate let number: Int

    fileprivate var order: (String, String, String, String) {
      (feature.rawValue, kind.rawValue, userType?.rawValue ?? "", platform)
    }
  }

  private static let spans: [UsageData.Span] = [.period, .before, .other]

  /// The names of the few keys that were met, one after the other, and the keys by their numbers.
  private let names = StringInterner()
  private var met: [EventKey] = []
  /// Those that were met, by their names.
  private var sorted: [EventKey] = []
  /// The names of the event at hand, one after the other.
  private var joined: [UInt8] = []
  /// How often each came in the present stretch, span by span.
  private var counts: [Int] = []
  /// The number of the present stretch, from the first one; nil between two.
  private var stretch: Int64?
  /// Where the first one begins, and how long each is, in microseconds.
  private var first: Int64 = 0
  private var length = quarterMicroseconds
  /// By time and then by the names.
  private(set) var buckets: [UsageData.Bucket] = []

  /// Counts by other stretches from now on, in microseconds.
  mutating func begin(at first: Int64, length: Int64) {
    endStretch()
    self.first = first
    self.length = length
  }

  /// Ends the stretch at hand, so that counts of a later one can be added.
  mutating func endStretch() {
    finish()
    stretch = nil
  }

  /// Ends the last stretch; returns what was counted, and starts over.
  mutating func takeBuckets() -> [UsageData.Bucket] {
    endStretch()
    defer { buckets.removeAll(keepingCapacity: true) }
    return buckets
  }

  /// Adds a stretch's events of a key that were counted before.
  ///
  /// - Precondition: none that were added lie later, or have names that come later.
  mutating func add(
    _ count: Int, startingAt start: Int64, _ key: EventKey, in span: UsageData.Span
  ) {
    buckets.append(
      UsageData.Bucket(
        startsAtSeconds: start / 1_000_000, feature: key.feature, kind: key.kind,
        userType: key.userType, platform: key.platform, count: count, span: span))
  }

  static let quarterMicroseconds: Int64 = 900_000_000

  /// Counts an event in its stretch.
  ///
  /// - Precondition: no event before came later.
  mutating func add(at microseconds: Int64, _ key: EventKey, in span: UsageData.Span) {
    let stretch = stretch(of: microseconds)
    if stretch != self.stretch {
      finish()
      self.stretch = stretch
    }
    counts[key.number * Self.spans.count + span.rawValue] += 1
  }

  /// What these names say; the user type has no bytes for NULL.
  mutating func key(
    _ feature: Text, _ kind: Text, _ userType: Text, _ platform: Text
  ) throws -> EventKey {
    joined.removeAll(keepingCapacity: true)
    joined += feature
    joined.append(0)
    joined += kind
    joined.append(0)
    joined += userType
    joined.append(0)
    joined += platform
    let number = joined.withUnsafeBytes { names.number(of: $0) }
    guard number == met.count else { return met[number] }
    let key = EventKey(
      feature: try Self.choice(feature, "feature"), kind: try Self.choice(kind, "kind"),
      userType: userType.isEmpty ? nil : try Self.choice(userType, "user_type"),
      platform: String(decoding: platform, as: UTF8.self), number: number)
    met.append(key)
    sorted = met.sorted { $0.order < $1.order }
    counts += Self.spans.map { _ in 0 }
    return key
  }

  /// The stretch that the instant lies in, counted from the first one; negative before it.
  private func stretch(of microseconds: Int64) -> Int64 {
    let (quotient, remainder) = (microseconds - first).quotientAndRemainder(dividingBy: length)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Ends the last stretch, also after all events.
  mutating func finish() {
    guard let stretch else { return }
    let start = (first + stretch * length) / 1_000_000
    for span in Self.spans {
      for key in sorted {
        let place = key.number * Self.spans.count + span.rawValue
        guard counts[place] > 0 else { continue }
        buckets.append(
          UsageData.Bucket(
            startsAtSeconds: start, feature: key.feature, kind: key.kind,
            userType: key.userType, platform: key.platform, count: counts[place], span: span))
        counts[place] = 0
      }
    }
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ text: Text, _ column: String
  ) throws -> Choice {
    try Choice(stored: String(decoding: text, as: UTF8.self), in: column, of: "events")
  }
}
