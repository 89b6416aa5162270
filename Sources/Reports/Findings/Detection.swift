import Model

/// Something that a rule found about a day, before it is known whether something else explains it.
struct Detection {
  /// What figures are about.
  enum Topic: CaseIterable {
    /// People, taps and lines of the export.
    case use
    /// People of a country or a language, as a part of all.
    case places
    /// Whether taps lead to actions.
    case actions
    case newPeople, subscriptionTaps, sales, blocks, ratings, stars, feedback, hours, reads
  }

  enum Direction {
    case fell, rose
  }

  var finding: Finding
  let rule: FindingRule
  var firstDay: Int
  let topics: Set<Topic>
  /// Nil for what has no direction.
  var direction: Direction?
  /// What it explains in others that began with it or later.
  var explains: Set<Topic> = []
  /// Whether it explains only what moved in this direction; nil for both.
  var explainsOnly: Direction?
  /// Whether it is a finding; what is not still explains others.
  var isTold = true
  /// The first day of what it explains; nil for its own.
  var explainsFrom: Int?
}

/// Leaves one detection of those that have one cause: docs/findings.md#causes.
enum Causes {
  /// What is more certain, or shows more of the cause, comes first.
  private static let order: [FindingRule] = [
    .hoursMoved, .clocks, .partialExport, .outage, .lostExport, .doubled, .flood, .values,
    .dead, .oneRater, .release, .settingEffect, .shares, .day, .stars, .week, .drift, .region,
    .reads,
  ]

  static func findings(_ detections: [Detection]) -> [Finding] {
    let ordered = order.flatMap { rule in
      detections.filter { $0.rule == rule }.sorted { $0.finding.weight > $1.finding.weight }
    }
    var open: [Detection] = []
    for detection in ordered {
      guard let cause = open.firstIndex(where: { $0.explains(detection) }) else {
        open.append(detection)
        continue
      }
      open[cause].take(detection)
    }
    return open.filter(\.isTold).map(\.finding)
  }
}

extension Detection {
  /// A finding that began with a day, which distinguishes it from others on the same subject.
  init(
    _ level: Level, _ rule: FindingRule, _ subject: String, since first: Int, _ names: DayNames,
    at place: (report: Report.Name, section: String), weight: Double, topics: Set<Topic>,
    direction: Direction? = nil, explains: Set<Topic>, explainsOnly: Direction? = nil,
    _ sentence: String, evidence: [Evidence], advice: String
  ) {
    let since = names.iso8601(first)
    let finding = Finding(
      level, sentence, report: place.report, section: place.section, subject: "\(subject) \(since)",
      rule: rule, since: since, evidence: evidence, advice: advice, weight: weight)
    self.init(
      finding: finding, rule: rule, firstDay: first, topics: topics, direction: direction,
      explains: explains, explainsOnly: explainsOnly)
  }

  /// A cause comes at most a day after what it explains: a day may be cut by its beginning.
  private static let slackDays = 1
  /// Lines under a finding, those of what it explains included.
  private static let mostEvidence = 6

  fileprivate func explains(_ other: Detection) -> Bool {
    guard other.topics.isSubset(of: explains),
      other.firstDay >= (explainsFrom ?? firstDay) - Self.slackDays
    else {
      return false
    }
    // Moved hours stay for weeks; what stops later stops for another cause.
    if rule == .hoursMoved, other.rule == .dead, other.firstDay > firstDay + Self.slackDays {
      return false
    }
    return explainsOnly == nil || other.direction == nil || other.direction == explainsOnly
  }

  /// Takes over the first evidence of what it explains, if there is room.
  fileprivate mutating func take(_ other: Detection) {
    finding.explained += [other.finding.sentence] + other.finding.explained
    guard let evidence = other.finding.evidence.first, finding.evidence.count < Self.mostEvidence,
      !finding.evidence.contains(where: { $0.label == evidence.label })
    else { return }
    finding.evidence.append(evidence)
  }
}
