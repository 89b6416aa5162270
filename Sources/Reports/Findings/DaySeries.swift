import Model

/// A figure of each day that is judged by the same weekdays before it: docs/findings.md#anomalies.
enum DaySeries: String {
  case people, taps
  case blockedShare = "blocked-share"
  case subscriptionTaps = "subscription-taps"
  case stars = "mean-stars"
  case reads
  case exportLines = "export-lines"
  /// People who hit a limit, and people who bought: only tiles show what is usual of them.
  case blockedPeople = "blocked-people"
  case newSubscribers = "new-subscribers"
  /// Users online at the last load of a day, and at the last one up to this hour of it.
  case online
  case onlineByNow = "online-by-now"

  /// Those of which an unusual day is a finding.
  static let found: [DaySeries] = [
    .people, .taps, .blockedShare, .subscriptionTaps, .stars, .reads, .exportLines,
  ]

  /// Taps that a share needs, and ratings that a mean needs.
  static let fewestTaps = 30
  static let fewestRatings = 8
  /// The floor of the rule `day`: counts that differ by fewer are alike.
  static let leastCount = 5.0
  /// The standard deviation of one person's stars, as of most apps; 2 would be the most possible.
  private static let starDeviation = 1.3

  /// The figure of a day.
  struct Sample {
    var value: Double
    /// What a share or a mean is of; 0 for counts.
    var whole = 0
  }

  /// Nil when the day says too little.
  func sample(of day: DayFacts) -> Sample? {
    switch self {
    case .people: return Sample(value: Double(day.activeUsers))
    case .taps: return Sample(value: Double(day.taps))
    case .subscriptionTaps: return Sample(value: Double(day.subscriptionTaps))
    case .reads: return Sample(value: Double(day.reads))
    case .exportLines: return Sample(value: Double(day.exportLines))
    case .blockedPeople: return Sample(value: Double(day.blockedUsers))
    case .newSubscribers: return Sample(value: Double(day.newSubscribers))
    case .online: return day.onlineNow.map { Sample(value: Double($0)) }
    case .onlineByNow: return day.onlineByNow.map { Sample(value: Double($0)) }
    case .blockedShare:
      guard day.freeTaps >= Self.fewestTaps else { return nil }
      return Sample(value: Double(day.freeBlocked) / Double(day.freeTaps), whole: day.freeTaps)
    case .stars:
      let mean = StarCounts(day.stars).mean
      guard mean.count >= Self.fewestRatings else { return nil }
      return Sample(value: mean.exact, whole: mean.count)
    }
  }

  /// The standard deviation that chance alone gives a sample around an expected number.
  func chance(around expected: Double, _ sample: Sample) -> Double {
    switch self {
    case .people, .taps, .subscriptionTaps, .reads, .exportLines, .blockedPeople, .newSubscribers,
      .online, .onlineByNow:
      return max(expected, 1).squareRoot()
    case .blockedShare:
      return (max(expected * (1 - expected), 0.01) / Double(sample.whole)).squareRoot()
    case .stars: return Self.starDeviation / Double(sample.whole).squareRoot()
    }
  }

  /// The least difference from an expected number that matters to a person; `floor` is that of
  /// counts.
  func leastDifference(around expected: Double, floor: Double = leastCount) -> Double {
    switch self {
    case .people, .taps, .subscriptionTaps, .exportLines, .blockedPeople, .newSubscribers, .online,
      .onlineByNow:
      max(floor, expected / 5)
    case .reads: max(100, expected * 3 / 10)
    case .blockedShare: 0.05
    case .stars: 0.4
    }
  }

  var isCount: Bool { self != .blockedShare && self != .stars }

  /// Whether the export brings what it counts; the program counts reads and users online itself.
  var comesByExport: Bool { self != .reads && self != .online && self != .onlineByNow }

  /// The most that it can be.
  var most: Double { self == .stars ? 5 : self == .blockedShare ? 1 : .infinity }

  /// Whether a finding names it together with the others.
  var isUse: Bool { isCount && comesByExport }

  /// Those that move together are told as one.
  var topic: Detection.Topic {
    switch self {
    case .people, .taps, .exportLines, .online, .onlineByNow: .use
    case .subscriptionTaps: .subscriptionTaps
    case .blockedShare, .blockedPeople: .blocks
    case .newSubscribers: .sales
    case .stars: .stars
    case .reads: .reads
    }
  }

  var title: String { description.title }

  var place: (report: Report.Name, section: String) {
    (description.report, description.section)
  }

  /// Shares are shown in percent.
  var unit: Evidence.Unit { description.unit }

  /// Its name, the section that shows it, and its unit.
  private var description:
    (title: String, report: Report.Name, section: String, unit: Evidence.Unit)
  {
    switch self {
    case .people: ("People", .usage, UsageDays.id, .people)
    case .taps: ("Taps", .usage, UsageDays.id, .taps)
    case .blockedShare: ("Blocked share", .usage, "features", .percent)
    case .subscriptionTaps: ("Subscription taps", .usage, PeopleFunnel.id, .taps)
    case .stars: ("Mean stars", .ratings, "weeks", .stars)
    case .reads: ("Billed reads", .runs, "days", .reads)
    case .exportLines: ("Export lines", .usage, UsageDays.id, .lines)
    case .blockedPeople: ("People at the limit", .usage, UsageDays.id, .people)
    case .newSubscribers: ("New subscribers", .usage, UsageDays.id, .people)
    case .online, .onlineByNow: ("Online", .users, UsersOnline.id, .people)
    }
  }

  /// The factor from a value to the number in its unit.
  var scale: Double { self == .blockedShare ? 100 : 1 }

  func evidence(_ anomaly: DayAnomaly, on day: String) -> Evidence {
    let range = anomaly.expected
    return Evidence(
      "\(title) on \(day)", anomaly.value * scale, unit,
      expected: (range.lowerBound * scale)...(range.upperBound * scale),
      comparedDays: anomaly.comparedDays)
  }
}
