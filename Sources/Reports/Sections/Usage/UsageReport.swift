package import Model

/// How people used the limited features: docs/reports.md#usage.
package enum UsageReport {
  package static func make(_ data: UsageData, context: ReportContext) -> Report {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let tally = UsageTally(data, context: context, calendar: calendar)
    let subscriptions = UsageSubscriptions(data, tally)
    return Report(
      name: .usage, title: "Usage", context: context,
      dataTime: Report.DataTime(label: "Newest event", at: data.newestEventAt),
      summary: summary(of: tally, data), headline: headline(of: tally, data),
      findings: findings(of: tally, context: context),
      sections: [
        UsageDays.section(tally), UsageFeatures.section(tally),
        UsageFunnel.section(tally, subscriptions), subscriptions.section,
        UsageHours.section(
          tally, covered: calendar.hoursOfWeek(from: context.start, to: context.end)),
        UsagePeople.section(data),
      ])
  }

  private static func summary(of tally: UsageTally, _ data: UsageData) -> String {
    guard tally.current.taps > 0 else {
      return tally.current.isEmpty
        ? "No feature was used in this period." : "No tap was recorded in this period."
    }
    let busiest = tally.days.max { left, right in
      (tally.byDay[left]?.taps ?? 0) < (tally.byDay[right]?.taps ?? 0)
    }
    let people = NumberWords.counted(data.activeUsers, "person", "people")
    let taps = NumberWords.counted(tally.current.taps, "tap")
    // Events of people who are not signed in name no user.
    let use = data.activeUsers > 0 ? "\(people) made \(taps)" : "\(taps) by unknown users"
    return "\(use); the busiest day was \(busiest?.long ?? "one of them")."
  }

  private static func headline(of tally: UsageTally, _ data: UsageData) -> [Figure] {
    let now = tally.current
    return [
      Figure(
        id: "active-users", label: "People active", value: .count(data.activeUsers),
        change: PeriodChange(from: data.previousActiveUsers, to: data.activeUsers),
        section: "people"),
      Figure(
        id: "taps", label: "Taps", value: .count(now.taps),
        change: PeriodChange(from: tally.previous.taps, to: now.taps), trend: tally.byDay(\.taps),
        section: UsageDays.id),
      Figure(
        id: "performed", label: "Performed", value: .count(now.performed),
        change: PeriodChange(from: tally.previous.performed, to: now.performed),
        trend: tally.byDay(\.performed), section: UsageDays.id),
      Figure(
        id: "blocked", label: "Blocked", value: .count(now.blocked),
        share: Ratio(now.blocked, of: now.taps), note: "taps",
        change: PeriodChange(from: tally.previous.blocked, to: now.blocked),
        trend: tally.byDay(\.blocked), section: "features"),
      Figure(
        id: "subscription-taps", label: "Subscription taps", value: .count(now.subscriptionTaps),
        change: PeriodChange(from: tally.previous.subscriptionTaps, to: now.subscriptionTaps),
        trend: tally.byDay(\.subscriptionTaps), section: "subscriptions"),
    ]
  }

  private static func findings(of tally: UsageTally, context: ReportContext) -> [Finding] {
    guard tally.current.isEmpty, !tally.previous.isEmpty else { return [] }
    return [
      Finding(
        .warn, "No event arrived in this period, though the one before it had some.",
        report: .usage, section: UsageDays.id)
    ]
  }
}

/// The section with the people who tapped most.
enum UsagePeople {
  /// Rows in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 15

  static func section(_ data: UsageData) -> Section {
    Section(
      id: "people", title: "Heaviest users",
      lead: "The people who tapped most in this period, and what they got for it.",
      blocks: [.table(table(data).folded)])
  }

  private static func table(_ data: UsageData) -> Table {
    Table(
      id: "heaviest-users", title: "By taps", of: data.heaviestUsers,
      columns: [
        Column("user_id", "User", .leading) { .code($0.userId) },
        Column("name", "Name", .leading) { .optional($0.name) },
        Column("taps", "Taps", drawsBars: true) { .count($0.taps) },
        Column("performed", "Performed") { .count($0.performed) },
        Column("blocked", "Blocked, of taps") { .ratio(Ratio($0.blocked, of: $0.taps)) },
      ],
      shownLimit: shownLimit, totalCount: max(data.activeUsers, data.heaviestUsers.count),
      emptyText: "Nobody used a feature in this period.")
  }
}
