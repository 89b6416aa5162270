import Model

/// With which version people began a period, and how often they used each feature on its days.
struct PeriodUse {
  /// Of a person on a day.
  struct Key: Hashable {
    let feature: Feature
    /// What the newest event of the day called the person; nil when none says it.
    let type: UserType?
    let uses: Int
  }

  /// The places of the days that the period touches, among those of the history.
  private let days: Range<Int>
  /// By the number of the person, the place of the part.
  private(set) var versions: [Int: Int] = [:]
  /// Days of people.
  private(set) var counts: [Key: Int] = [:]

  init(days: Range<Int>) { self.days = days }

  /// Counts what a person did on a day.
  ///
  /// - Precondition: no day before came later.
  mutating func add(_ seen: PartCount.Seen, on day: Int) {
    guard days.contains(day) else { return }
    if let version = seen.version, versions[seen.person] == nil {
      versions[seen.person] = version
    }
    for feature in Feature.allCases {
      let uses = seen.featurePerformed[feature.position]
      guard uses > 0 || seen.featureTaps[feature.position] > 0 else { continue }
      counts[Key(feature: feature, type: seen.type, uses: Int(uses)), default: 0] += 1
    }
  }
}

extension [DayFacts] {
  /// The places of the days that a period touches; the days follow each other.
  func places(touching period: Range<Instant>) -> Range<Int> {
    let touched = indices.filter { period.overlaps(self[$0].start..<self[$0].end) }
    return (touched.first ?? 0)..<((touched.last ?? -1) + 1)
  }
}
