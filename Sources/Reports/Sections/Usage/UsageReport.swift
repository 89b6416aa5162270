package import Model

/// How people used the limited features: docs/reports.md#usage.
package enum UsageReport {
  package static func make(_ facts: UsageFacts, frame: ReportFrame) -> Report {
    let calendar = ReportCalendar(timeZone: frame.timeZone)
    let tally = UsageTally(facts, frame: frame, calendar: calendar)
    let subscriptions = UsageSubscriptions(facts, tally)
    return Report(
      name: .usage, title: "Usage", frame: frame,
      dataTime: Report.DataTime(label: "Newest event", at: facts.newestEventAt),
      summary: summary(of: tally, facts), headline: headline(of: tally, facts),
      findings: findings(of: tally, frame: frame),
      sections: [
        UsageDays.section(tally), UsageFeatures.section(tally),
        UsageFunnel.section(tally, subscriptions), subscriptions.section,
        UsageHours.section(tally), UsagePeople.section(facts),
      ])
  }

  private static func summary(of tally: UsageTally, _ facts: UsageFacts) -> String {
    guard tally.current.taps > 0 else {
      return tally.current.isEmpty
        ? "No feature was used in this period." : "No tap was recorded in this period."
    }
    let busiest = tally.days.max { left, right in
      (tally.byDay[left]?.taps ?? 0) < (tally.byDay[right]?.taps ?? 0)
    }
    let people = NumberWords.counted(facts.activeUsers, "person", "people")
    let taps = NumberWords.counted(tally.current.taps, "tap")
    return "\(people) made \(taps); the busiest day was \(busiest?.long ?? "one of them")."
  }

  private static func headline(of tally: UsageTally, _ facts: UsageFacts) -> [Figure] {
    let now = tally.current
    return [
      Figure(
        id: "active-users", label: "People active", value: .count(facts.activeUsers),
        change: Change(from: facts.previousActiveUsers, to: facts.activeUsers), section: "people"),
      Figure(
        id: "taps", label: "Taps", value: .count(now.taps),
        change: Change(from: tally.previous.taps, to: now.taps), trend: tally.byDay(\.taps),
        section: UsageDays.id),
      Figure(
        id: "performed", label: "Performed", value: .count(now.performed),
        change: Change(from: tally.previous.performed, to: now.performed),
        trend: tally.byDay(\.performed), section: UsageDays.id),
      Figure(
        id: "blocked", label: "Blocked", value: .count(now.blocked),
        share: Ratio(now.blocked, of: now.taps), note: "taps",
        change: Change(from: tally.previous.blocked, to: now.blocked),
        trend: tally.byDay(\.blocked),
        section: "features"),
      Figure(
        id: "subscription-taps", label: "Subscription taps", value: .count(now.subscriptionTaps),
        change: Change(from: tally.previous.subscriptionTaps, to: now.subscriptionTaps),
        trend: tally.byDay(\.subscriptionTaps), section: "subscriptions"),
    ]
  }

  private static func findings(of tally: UsageTally, frame: ReportFrame) -> [Finding] {
    guard tally.current.isEmpty, !tally.previous.isEmpty else { return [] }
    return [
      Finding(
        .warn, "No event arrived in this period, though the one before it had some.",
        report: .usage, section: UsageDays.id)
    ]
  }
}
