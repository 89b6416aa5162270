package import Model

/// A sentence about something that a person should know, what supports it, and what to do.
package struct Finding: Hashable, Sendable {
  package var level: Level
  /// What changed.
  package var sentence: String
  package var report: Report.Name
  /// The id of a section of that report.
  package var section: String
  /// What identifies the finding while the numbers in its sentence change.
  ///
  /// Unique in its report; nil when the sentence never changes.
  package var subject: String?
  /// The rule that found it; nil for what no rule of findings is about, such as a job in trouble.
  package var rule: FindingRule?
  /// The day with which it began, as `2026-11-20` in the time zone of the report; nil when it has
  /// no first day.
  package var since: String?
  package var evidence: [Evidence]
  /// What people wrote about it, newest first.
  package var quotes: [String]
  /// What to do next, as a sentence; nil when the sentence of the finding says it.
  package var advice: String?
  /// Orders the findings of one level, the largest first.
  package var weight: Double
  /// What `findings --explain` shows: the shares that were out, the surest first, and the sentences
  /// of findings that this one explains, in the order in which they were left out.
  package var judgements: [Judgement] = []
  package var explained: [String] = []

  /// A share of people as it was judged: docs/shares.md#when-a-share-is-out.
  package struct Judgement: Hashable, Sendable {
    package let label: String
    package let dayCount: Int
    package let count: Int
    package let whole: Int
    /// The share that was expected, from 0 to 1.
    package let expected: Double
    package let probability: Double
  }

  package init(
    _ level: Level, _ sentence: String, report: Report.Name, section: String,
    subject: String? = nil, rule: FindingRule? = nil, since: String? = nil,
    evidence: [Evidence] = [], quotes: [String] = [], advice: String? = nil, weight: Double = 0
  ) {
    self.level = level
    self.sentence = sentence
    self.report = report
    self.section = section
    self.subject = subject
    self.rule = rule
    self.since = since
    self.evidence = evidence
    self.quotes = quotes
    self.advice = advice
    self.weight = weight
  }

  /// The place of the finding in links: kebab-case, the same every day while the matter lasts.
  package var id: String { "\(report.rawValue)-\(Self.kebab(subject ?? sentence))" }

  /// Letters and digits of ASCII, with one hyphen for everything between them; at most 80 bytes.
  private static func kebab(_ text: String) -> String {
    let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let id = words.joined(separator: "-").prefix(80)
    return String(id.last == "-" ? id.dropLast() : id)
  }

  /// Worst first, then by weight; others keep their order.
  package static func worstFirst(_ findings: [Finding]) -> [Finding] {
    let numbered = findings.enumerated().sorted { left, right in
      if left.element.level != right.element.level {
        return left.element.level > right.element.level
      }
      if left.element.weight != right.element.weight {
        return left.element.weight > right.element.weight
      }
      return left.offset < right.offset
    }
    return numbered.map(\.element)
  }
}

/// A number that supports a finding, and what was to be expected instead.
package struct Evidence: Hashable, Sendable {
  /// What the number counts, and how it is written.
  package enum Unit: String, CaseIterable, Codable, Sendable {
    case people, taps, lines, reads, ratings, hours, days
    case percent, stars
    /// Things that the label names, and a mean of them.
    case count, mean
    /// A probability: how often chance alone does as much.
    case probability
    /// Units of the evidence's currency.
    case money

    fileprivate var places: Int {
      switch self {
      case .people, .taps, .lines, .reads, .ratings, .hours, .days, .count: 0
      case .percent, .mean: 1
      case .stars, .money: 2
      case .probability: 4
      }
    }
  }

  /// For example "Taps on Thu 5 Nov".
  package let label: String
  /// Rounded as it is shown.
  package let value: Double
  package let unit: Unit
  /// Rounded as it is shown; nil when nothing was expected.
  package let expected: ClosedRange<Double>?
  /// The number of days that the expectation comes from; nil without one.
  package let comparedDays: Int?
  /// What these days are.
  package let basis: String
  /// Of an amount of money; nil for any other unit.
  package let currency: String?

  package init(
    _ label: String, _ value: Double, _ unit: Unit, expected: ClosedRange<Double>? = nil,
    comparedDays: Int? = nil, basis: String = "same weekday", currency: String? = nil
  ) {
    self.basis = basis
    self.currency = currency
    self.label = label
    self.unit = unit
    self.value = Self.rounded(value, unit)
    self.expected = expected.map {
      Self.rounded($0.lowerBound, unit)...Self.rounded($0.upperBound, unit)
    }
    self.comparedDays = comparedDays
  }

  package init(_ label: String, _ count: Int, _ unit: Unit) {
    self.init(label, Double(count), unit)
  }

  private static func rounded(_ value: Double, _ unit: Unit) -> Double {
    var scale = 1.0
    for _ in 0..<unit.places { scale *= 10 }
    return (value * scale).rounded() / scale + 0
  }

  /// `Taps on Thu 5 Nov: 212, expected 830 to 1,210 from 6 same weekdays`.
  package var words: String {
    guard let expected else { return "\(label): \(Self.words(value, unit))" }
    let ends = [expected.lowerBound, expected.upperBound].map { Self.words($0, unit) }
    let range = ends[0] == ends[1] ? ends[0] : ends.joined(separator: " to ")
    let days = comparedDays.map { " from \(NumberWords.counted($0, basis))" } ?? ""
    return "\(label): \(Self.words(value, unit)), expected \(range)\(days)"
  }

  /// The number as a person reads it, with the sign of its unit.
  static func words(_ value: Double, _ unit: Unit) -> String {
    let rounded = rounded(value, unit)
    switch unit {
    case .percent: return NumberWords.percent(rounded)
    case .probability:
      return rounded < 0.0001 ? "less than 0.0001" : NumberWords.decimal(rounded, places: 4)
    default: return NumberWords.decimal(rounded, places: unit.places)
    }
  }
}

/// How serious something is, least serious first.
package enum Level: String, CaseIterable, Codable, Comparable, Sendable {
  case pass, notice, warn, error

  package static func < (left: Level, right: Level) -> Bool {
    left.rank < right.rank
  }

  package var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package var word: String {
    switch self {
    case .pass: "Fine"
    case .notice: "Note"
    case .warn: "Warning"
    case .error: "Error"
    }
  }
}

/// A finding that is still open and was acknowledged: docs/findings.md#acknowledge.
package struct AcknowledgedFinding: Hashable, Sendable {
  package let finding: Finding
  package let acknowledgement: Acknowledgement

  /// `until 1 Dec 2026`, `until it is over`.
  package var end: String {
    guard let until = acknowledgement.until else { return "until it is over" }
    return "until \(CivilDay(iso8601: until)?.plain ?? until)"
  }

  /// As findings are ordered.
  static func worstFirst(_ all: [AcknowledgedFinding]) -> [AcknowledgedFinding] {
    Finding.worstFirst(all.map(\.finding)).compactMap { finding in
      all.first { $0.finding == finding }
    }
  }

  /// One line about all of them, or nil of none.
  package static func line(_ all: [AcknowledgedFinding]) -> String? {
    guard let first = all.first else { return nil }
    let many = all.map { "\($0.finding.id) \($0.end)" }.joined(separator: ", ")
    return all.count == 1
      ? "1 acknowledged \(first.end): \(first.finding.id)." : "\(all.count) acknowledged: \(many)."
  }
}

extension ReportContext {
  /// Parts findings into those that need a person and those that are acknowledged, each in order.
  func parted(_ findings: [Finding]) -> (open: [Finding], acknowledged: [AcknowledgedFinding]) {
    let byId = Dictionary(acknowledged.map { ($0.id, $0) }) { first, _ in first }
    let quiet = findings.compactMap { finding in
      byId[finding.id].map { AcknowledgedFinding(finding: finding, acknowledgement: $0) }
    }
    return (findings.filter { byId[$0.id] == nil }, quiet)
  }
}
