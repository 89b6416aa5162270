package import Model
package import Store

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
        UsageDays.section(tally, data), features(tally),
        PeopleFunnel.section(data.people),
        UsageHours.section(tally, data, calendar),
        people(data),
      ])
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

/// Sections whose tables are queries.
extension UsageReport {
  private static func features(_ tally: UsageTally) -> Section {
    Section(
      id: "features", title: "Features and segments",
      lead: "Each feature has its own limit. Segments are what a decision saw in a person. "
        + tally.comparison.sentence,
      blocks: [])
  }

  /// The section with the people who tapped most.
  private static func people(_ data: UsageData) -> Section {
    Section(
      id: "people", title: "Heaviest users",
      lead: "The people who tapped most in this period, and what they got for it."
        + (data.hasUnnamedUsers ? " A profile without a user id goes by its name." : ""),
      blocks: [])
  }
}

/// The section with the taps by hour and weekday.
enum UsageHours {
  static func section(
    _ tally: UsageTally, _ data: UsageData, _ calendar: ReportCalendar
  ) -> Section {
    // The spans in which no tap can be known are left out; an hour in which the app stood still is
    // known.
    let gaps = data.exportGaps.filter { gap in
      data.history.days.contains { gap.overlaps($0) && $0.coverage == .partial }
    }
    let unknown = data.history.unknown.map { $0.start..<$0.end } + gaps.map { $0.start..<$0.end }
    let covered = calendar.hoursOfWeek(
      from: tally.context.start, to: tally.context.end, without: unknown)
    return Section(
      id: "hours", title: "Hours of the week",
      lead: [
        "Taps by the hour and weekday on which they were made, in this report's time zone.",
        missing(tally),
      ].compactMap(\.self).joined(separator: " "),
      blocks: [
        .chart(
          chart(
            tally, covered,
            repeated: calendar.repeatedHours(from: tally.context.start, to: tally.context.end)))
      ])
  }

  /// Days that a sentence names one by one; of more it says how many.
  private static let mostNamed = 6

  /// Which days lack hours; nil when none does.
  private static func missing(_ tally: UsageTally) -> String? {
    let days = tally.days.filter { tally.gaps[$0] != nil || tally.unknown.contains($0) }
    guard !days.isEmpty else { return nil }
    let named =
      days.count > mostNamed
      ? "\(NumberWords.grouped(days.count)) days" : days.map(\.short).listed
    return "The ledger does not know all of \(named): hours that it lacks are in no number."
  }

  /// Hours that are not in the period, as those that are still to come, have no number, and those of
  /// which nothing is known have none.
  private static func chart(
    _ tally: UsageTally, _ covered: [[Bool]], repeated: [ReportCalendar.RepeatedHour]
  ) -> Chart {
    let taps = tally.tapsByWeekdayAndHour
    var chart = Chart(
      form: .heatMap, labels: (0..<24).map { "\(CivilDay.twoDigits($0))" }, unit: "taps an hour",
      alternative: alternative(taps, repeated),
      table: Table(
        id: "taps-by-hour", title: "Taps by hour and weekday",
        of: tally.current.taps == 0 ? [] : Array(0..<24),
        columns: [Column("hour", "Hour", .leading) { .text("\(CivilDay.twoDigits($0)):00") }]
          + CivilDay.weekdayNames.indices.map { weekday in
            let name = CivilDay.weekdayNames[weekday]
            return Column(name.lowercased(), name) {
              covered[weekday][$0] || taps[weekday][$0] > 0 ? .count(taps[weekday][$0]) : .missing
            }
          },
        emptyText: tally.context.emptyText("No tap in this period.")))
    if missing(tally) != nil { chart.absence = "not in the period, or not known" }
    return chart
  }

  private static func alternative(
    _ taps: [[Int]], _ repeated: [ReportCalendar.RepeatedHour]
  ) -> String {
    var best = (weekday: 0, hour: 0, taps: 0)
    for (weekday, hours) in taps.enumerated() {
      for (hour, count) in hours.enumerated() where count > best.taps {
        best = (weekday, hour, count)
      }
    }
    guard best.taps > 0 else { return "No tap in this period." }
    // The number holds the taps of both.
    let twice = repeated.filter { $0.day.weekday - 1 == best.weekday && $0.hour == best.hour }
      .map(\.day.plain)
    let note = twice.isEmpty ? "" : ", an hour that came twice on \(twice.listed)"
    return "The busiest hour is \(CivilDay.weekdayNames[best.weekday]) "
      + "\(CivilDay.twoDigits(best.hour)):00 with \(NumberWords.counted(best.taps, "tap"))\(note)."
  }
}
