package import Model

/// How people used the limited features: docs/reports.md#usage.
package enum UsageReport {
  package static func make(_ data: UsageData, context: ReportContext) -> Report {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let tally = UsageTally(data, context: context, calendar: calendar)
    return Report(
      name: .usage, title: "Usage", context: context,
      dataTime: Report.DataTime(label: "Newest event", at: data.newestEventAt),
      summary: summary(of: tally, data), headline: headline(of: tally, data),
      findings: findings(of: tally, data.history, context),
      sections: [
        UsageDays.section(tally, data), UsageFeatures.section(tally),
        PeopleFunnel.section(data.people),
        UsageHours.section(tally, data, calendar),
        UsagePeople.section(data, context),
      ]
        + [UsageMoney.section(data, context: context)].compactMap { $0 })
  }

  private static func summary(of tally: UsageTally, _ data: UsageData) -> String {
    guard tally.current.taps > 0 else {
      return tally.context.emptyText(
        tally.current.isEmpty
          ? "No feature was used in this period." : "No tap was recorded in this period.")
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
    let isUnknown = tally.context.knowsNothing
    func counted(
      _ id: String, _ label: String, _ number: KeyPath<UsageTotals, Int>, share: Ratio? = nil,
      note: String? = nil, section: String
    ) -> Figure {
      Figure(
        id: id, label: label, value: isUnknown ? .missing : .count(now[keyPath: number]),
        share: share, note: note,
        trend: tally.byDay(number), section: section
      ).compared(
        tally.comparison.change(
          ofEvents: tally.previous[keyPath: number], to: tally.compared[keyPath: number]))
    }
    return [
      Figure(
        id: "active-users", label: "People active",
        value: isUnknown ? .missing : .count(data.activeUsers),
        section: "people"
      ).compared(
        tally.comparison.change(
          ofEvents: data.previousActiveUsers, to: data.comparedActiveUsers ?? data.activeUsers)),
      counted("taps", "Taps", \.taps, section: UsageDays.id),
      counted("performed", "Performed", \.performed, section: UsageDays.id),
      counted(
        "blocked", "Blocked", \.blocked, share: now.blockedShare, note: "free taps",
        section: "features"),
      counted(
        "subscription-taps", "Subscription taps", \.subscriptionTaps, section: PeopleFunnel.id),
    ]
  }

  private static func findings(
    of tally: UsageTally, _ history: DayHistory, _ context: ReportContext
  ) -> [Finding] {
    guard tally.current.isEmpty, !tally.previous.isEmpty else { return [] }
    let days = history.days.filter { $0.start < context.end && $0.end > context.start }
    let mayCome = days.allSatisfy { $0.coverage == .awaited || $0 == history.todayBeforeExport }
    guard days.isEmpty || !mayCome else { return [] }
    return [
      Finding(
        .warn, "No event arrived in this period, though the one before it had some.",
        report: .usage, section: UsageDays.id, subject: RootCauses.noEvents)
    ]
  }
}

/// The section with the people who tapped most.
enum UsagePeople {
  /// Rows in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 15

  static func section(_ data: UsageData, _ context: ReportContext) -> Section {
    Section(
      id: "people", title: "Heaviest users",
      lead: "The people who tapped most in this period, and what they got for it."
        + (data.heaviestUsers.contains { $0.userId.hasPrefix(Profile.unnamedPrefix) }
          ? " A profile without a user id goes by its name." : ""),
      blocks: [.table(table(data, context).folded)])
  }

  private static func table(_ data: UsageData, _ context: ReportContext) -> Table {
    Table(
      id: "heaviest-users", title: "By taps", of: data.heaviestUsers,
      columns: [
        Column("user_id", "User", .leading) { .code($0.userId) },
        Column("name", "Name", .leading) { .optional($0.name) },
        Column("taps", "Taps", drawsBars: true) { .count($0.taps) },
        Column("performed", "Performed") { .count($0.performed) },
        Column("blocked", "Blocked, of free taps") { .ratio(Ratio($0.blocked, of: $0.freeTaps)) },
      ],
      shownLimit: shownLimit, totalCount: max(data.activeUsers, data.heaviestUsers.count),
      emptyText: context.emptyText("Nobody used a feature in this period."))
  }
}
