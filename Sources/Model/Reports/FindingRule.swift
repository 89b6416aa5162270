/// A rule by which something is found: docs/findings.md#what-is-found.
///
/// The raw value names it in `firetally.yml`, in findings.json and in `firetally findings`.
package enum FindingRule: String, CaseIterable, Codable, Hashable, Sendable {
  case outage
  case lostExport = "lost-export"
  case partialExport = "partial-export"
  case hoursMoved = "hours-moved"
  case clocks
  case doubled
  case flood
  case oneRater = "one-rater"
  case dead
  case week
  case drift
  case day
  case release
  case stars
  case settingEffect = "setting-effect"
  case values
  case shares
  case region
  case reads

  /// Whether it finds an incident, which explains why a page lacks events.
  package var isIncident: Bool { [.outage, .lostExport, .partialExport].contains(self) }

  /// Whether it has a floor that the owner can set: docs/findings.md#settings.
  package var hasFloor: Bool {
    switch self {
    case .outage, .lostExport, .clocks, .day, .release, .region, .dead, .flood, .oneRater, .week,
      .drift, .reads:
      true
    case .partialExport, .hoursMoved, .doubled, .stars, .settingEffect, .values, .shares: false
    }
  }
}

/// What the owner of an app decides about findings: docs/findings.md#settings.
package struct FindingSettings: Hashable, Sendable {
  /// Rules that find nothing.
  package var off: Set<FindingRule> = []
  /// The floors that replace those of the rules; what a floor counts depends on the rule.
  package var floors: [FindingRule: Double] = [:]
  /// Days that are neither judged nor compared with; they may overlap, in the order of the file.
  package var quiet: [QuietDays] = []

  package init() {}

  package func isOn(_ rule: FindingRule) -> Bool { !off.contains(rule) }

  /// The floor of a rule, which is `own` unless the owner sets one.
  package func floor(of rule: FindingRule, own: Double) -> Double { floors[rule] ?? own }

  /// Whether a day, as `2026-12-24` in the time zone of the report, is neither judged nor compared
  /// with.
  package func isQuiet(_ day: String) -> Bool { quiet.contains { $0.contains(day) } }
}

/// Days that are unlike others for a reason that the owner knows: a holiday, a migration.
package struct QuietDays: Hashable, Sendable {
  /// The first and the last day, as `2026-12-24`; equal for a single day.
  package let first: String
  package let last: String
  /// Nil when the owner gives none.
  package let reason: String?

  /// Nil when the last day lies before the first.
  package init?(from first: String, to last: String, reason: String? = nil) {
    guard first <= last else { return nil }
    self.first = first
    self.last = last
    self.reason = reason
  }

  package func contains(_ day: String) -> Bool { first <= day && day <= last }
}

/// A finding or an incident that a person has acknowledged, so that it needs no further message:
/// docs/findings.md#acknowledge.
package struct Acknowledgement: Codable, Hashable, Sendable {
  /// The id of the finding, such as `usage-outage-2026-11-20`, or that of `idOfIncident`.
  package let id: String
  package let at: Instant
  /// The day on which it is listed again, as `2026-12-01`; nil until the finding is over.
  package let until: String?
  /// When that day begins, in the time zone of the workspace; nil in what 0.2.0 stored.
  package let untilAt: Instant?

  package init(id: String, at: Instant, until: String? = nil, untilAt: Instant? = nil) {
    self.id = id
    self.at = at
    self.until = until
    self.untilAt = untilAt
  }

  /// What stands for an incident among the ids of findings, which begin with the name of a report.
  package static func idOfIncident(_ id: Int64) -> String { "incident-\(id)" }

  /// Whether it keeps an incident quiet that began before it: messages that it lasts, and that it
  /// began if no message has said so yet.
  ///
  /// Changes, returns and ends still give a message. `ids` are those of the incident and of its
  /// findings.
  package func quiets(
    _ moment: JobIncident.Moment, of incident: JobIncident, known ids: Set<String>, at now: Instant
  ) -> Bool {
    let isQuiet =
      moment == .began || moment == .lasts || moment == .ended && incident.lastMessage == nil
    return isQuiet && ids.contains(id) && incident.beganAt <= at && at.counts(at: now)
      && (until == nil || untilAt.map { now < $0 } ?? false)
  }

  /// Whether it keeps the finding quiet at an instant of a day, as `2026-11-30`.
  ///
  /// Of an earlier instant, as a past day is judged, it knows nothing.
  package func isInForce(at now: Instant, on day: String) -> Bool {
    at <= now && until.map { day < $0 } ?? true
  }
}
