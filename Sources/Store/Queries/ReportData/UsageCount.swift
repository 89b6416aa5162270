import Glibc
import Model

/// Counts feature events by quarter of an hour, feature, kind and segment, as they come in time.
///
/// Names are compared as the bytes that SQLite holds: there are few of them, and events by the
/// million.
struct UsageCount {
  typealias Text = UnsafeRawBufferPointer

  private struct Group {
    let feature: Feature
    let kind: EventKind
    let userType: UserType?
    /// The three names, one behind the other; the last has no bytes for NULL.
    let names: ContiguousArray<UInt8>
    let counts: (Int, Int, Int)

    var meaning: Meaning { Meaning(feature: feature, kind: kind, userType: userType) }

    func isNamed(_ feature: Text, _ kind: Text, _ userType: Text) -> Bool {
      guard counts == (feature.count, kind.count, userType.count) else { return false }
      return names.withUnsafeBytes { names in
        guard let base = names.baseAddress else { return false }
        return UsageCount.equal(base, feature) && UsageCount.equal(base + counts.0, kind)
          && UsageCount.equal(base + counts.0 + counts.1, userType)
      }
    }
  }

  private var groups: [Group] = []
  /// How often each group came in the present quarter.
  private var counts: [Int] = []
  /// Groups in the order of their names.
  private var order: [Int] = []
  /// The group met last under a hash of its names.
  private var places = [Int](repeating: -1, count: 1 << 10)
  private var quarter: Int64?
  private var finished: [UsageData.Bucket] = []

  static let quarterMicroseconds: Int64 = 900_000_000

  /// What the names of an event say.
  struct Meaning {
    let feature: Feature
    let kind: EventKind
    let userType: UserType?
  }

  /// Counts an event in its quarter.
  ///
  /// - Precondition: no event before came later; `group` is a result of `group(_:_:_:)`.
  mutating func add(at microseconds: Int64, group: Int) {
    let quarter = Self.quarter(of: microseconds)
    if quarter != self.quarter {
      finishQuarter()
      self.quarter = quarter
    }
    counts[group] += 1
  }

  /// What the names of the events of a group say.
  func meaning(of group: Int) -> Meaning { groups[group].meaning }

  /// The number of the group of events with these names.
  mutating func group(_ feature: Text, _ kind: Text, _ userType: Text) throws -> Int {
    let place = Self.place(feature, kind, userType)
    let met = places[place]
    if met >= 0, groups[met].isNamed(feature, kind, userType) { return met }
    let index =
      try groups.firstIndex { $0.isNamed(feature, kind, userType) }
      ?? addGroup(feature, kind, userType)
    places[place] = index
    return index
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
    for index in order where counts[index] > 0 {
      finished.append(
        UsageData.Bucket(
          startsAtSeconds: quarter * 900, feature: groups[index].feature, kind: groups[index].kind,
          userType: groups[index].userType, count: counts[index]))
      counts[index] = 0
    }
  }

  private mutating func addGroup(_ feature: Text, _ kind: Text, _ userType: Text) throws -> Int {
    groups.append(
      Group(
        feature: try Self.choice(feature, "feature"), kind: try Self.choice(kind, "kind"),
        userType: userType.isEmpty ? nil : try Self.choice(userType, "user_type"),
        names: ContiguousArray(feature) + kind + userType,
        counts: (feature.count, kind.count, userType.count)))
    counts.append(0)
    order = groups.indices.sorted { Self.names(of: groups[$0]) < Self.names(of: groups[$1]) }
    return groups.count - 1
  }

  private static func names(of group: Group) -> (String, String, String) {
    (group.feature.rawValue, group.kind.rawValue, group.userType?.rawValue ?? "")
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

  private static func place(_ feature: Text, _ kind: Text, _ userType: Text) -> Int {
    let first = Int(feature.first ?? 0) &* 7 &+ feature.count
    let second = Int(kind.last ?? 0) &* 5 &+ kind.count
    return (first &* 31 &+ second &* 97 &+ userType.count) & 1023
  }

  private static func equal(_ start: UnsafeRawPointer, _ text: Text) -> Bool {
    text.baseAddress.map { memcmp(start, $0, text.count) == 0 } ?? true
  }
}
