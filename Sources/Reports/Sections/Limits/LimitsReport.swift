package import Model
package import Rules

/// The limits in force and where each profile stands: docs/reports.md#limits.
package enum LimitsReport {
  package static func make(
    _ facts: LimitsFacts, outlook: LimitOutlook? = nil, frame: ReportFrame
  ) -> Report {
    let standings = LimitStanding.all(facts, now: frame.now)
    let sections = [
      LimitStandings.section(standings, facts.settings), MomentQuotas.section(facts),
      LimitPopups.section(facts, frame: frame), PaywallPreviews.section(facts),
      LimitDecisions.section(facts, now: frame.now),
      LimitWhatIf.section(outlook, facts.settings, TimeWords(frame: frame)),
      LimitSettings.section(facts), LimitHistory.section(facts),
    ]
    return Report(
      name: .limits, title: "Limits", frame: frame,
      dataTime: Report.DataTime(
        label: "Settings read", at: facts.fetched.map(\.fetchedAt).max()),
      summary: summary(of: standings), headline: headline(of: standings, facts),
      findings: findings(facts), sections: sections)
  }

  private static func summary(of standings: [LimitStanding]) -> String {
    guard !standings.isEmpty else { return "No profile has a limited feature." }
    let waiting = standings.filter { $0.state == .coolingDown || $0.state == .atLimit }
    guard !waiting.isEmpty else { return "Nobody is waiting: every feature may be used now." }
    let names = waiting.map { "\($0.feature.rawValue) (\($0.profile.name))" }
    return "Waiting for a new allowance: " + names.prefix(5).joined(separator: ", ")
      + (names.count > 5 ? " and \(names.count - 5) more." : ".")
  }

  private static func headline(of standings: [LimitStanding], _ facts: LimitsFacts) -> [Figure] {
    func count(_ states: LimitStanding.State...) -> Cell {
      .ratio(Ratio(standings.filter { states.contains($0.state) }.count, of: standings.count))
    }
    return [
      Figure(
        id: "profiles", label: "Profiles", value: .count(facts.profiles.count)),
      Figure(
        id: "free-to-use", label: "May be used now", value: count(.available, .bypassed),
        note: "pairs of profile and feature"),
      Figure(id: "cooling-down", label: "Cooling down", value: count(.coolingDown)),
      Figure(id: "at-limit", label: "At the limit", value: count(.atLimit)),
    ]
  }

  private static func findings(_ facts: LimitsFacts) -> [Finding] {
    let warnings = facts.settings.all.compactMap(\.warning).map {
      Finding(.warn, $0, report: .limits, section: LimitSettings.id)
    }
    guard facts.fetched.isEmpty else { return warnings }
    return warnings + [
      Finding(
        .warn, "No settings of the app have been read; the built-in limits are in force.",
        report: .limits, section: LimitSettings.id)
    ]
  }
}
