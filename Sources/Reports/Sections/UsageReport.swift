package import Model
import Store

/// How people used the limited features: docs/reports.md#usage.
package enum UsageReport {
  package static func make(_ data: UsageData, context: ReportContext) -> Report {
    let tally = PeriodTally(data.buckets, context)
    return Report(
      name: .usage, title: "Usage", context: context,
      dataTime: Report.DataTime(label: "Newest event", at: data.newestEventAt),
      summary: summary(of: tally, data), headline: headline(of: tally, data),
      findings: findings(of: tally, data.history, context)
        + ClockFindings.fewAhead(data, context),
      // Queries fill those that have no block.
      sections: [
        UsageDays.section(tally, data.history),
        Section(.usage, "features") { "\($0) \(tally.comparison.sentence)" },
        PeopleFunnel.section(data.people), UsageHours.section(tally, data),
        Section(.usage, "people") {
          $0 + (data.hasUnnamedUsers ? " A profile without a user id goes by its name." : "")
        },
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
    let isUnknown = tally.context.knowsNothing
    func counted(
      _ id: String, _ label: String, _ number: KeyPath<UsageTotals, Int>, section: String
    ) -> Figure {
      tally.figure(
        id, label, number, isUnknown: isUnknown,
        trend: tally.byDay(number, without: tally.uncounted), section: section,
        change: tally.comparison.change(ofEvents:to:))
    }
    var blocked = counted("blocked", "Blocked", \.blocked, section: "features")
    blocked.share = Ratio(tally.current.freeBlocked, of: tally.current.freeTaps)
    blocked.note = "free taps"
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
      blocked,
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

/// The section with the people from the first use of a period to a subscription:
/// docs/people.md#funnel.
enum PeopleFunnel {
  static let id = "funnel"

  static func section(_ data: PeopleData?) -> Section {
    Section(.usage, id, data.flatMap { isFollowed($0) ? blocks($0) : nil }) {
      obstacle(data) ?? $0
    }
  }

  /// Whether there is anybody to follow.
  static func isFollowed(_ data: PeopleData) -> Bool { data.stages.active > 0 }

  /// Why nobody is followed; nil when somebody is.
  private static func obstacle(_ data: PeopleData?) -> String? {
    guard let data else {
      return "The funnel counts everybody. This report is about one profile, so it has no funnel."
    }
    guard data.knowsUserTypes else {
      return "No event of this period says who is a free user, so nobody can be followed."
    }
    return isFollowed(data) ? nil : "Nobody used a limited feature as a free user."
  }

  private static func blocks(_ data: PeopleData) -> [Block] {
    [.text(besides(data))] + (data.sampledOneIn > 1 ? [.text(sampled(data.sampledOneIn))] : [])
  }

  /// Those whose way was another one.
  private static func besides(_ data: PeopleData) -> String {
    let tapped = NumberWords.counted(data.tappedAtAll, "person", "people")
    let new = NumberWords.counted(data.newSubscribers, "new subscriber")
    let otherTapped = NumberWords.grouped(data.tappedAtAll - data.stages.tapped)
    let otherNew = NumberWords.grouped(data.newSubscribers - data.stages.subscribed)
    return "\(tapped) tapped to subscribe, \(otherTapped) of them outside this funnel. "
      + "The period has \(new), \(otherNew) of them outside it."
  }

  /// What the tables of sampled people say of themselves.
  private static func sampled(_ oneIn: Int) -> String {
    "The tables by uses left, country and criteria count the people of one in "
      + "\(NumberWords.grouped(oneIn)) ids, chosen by chance, since there are too many events to "
      + "read them all."
  }
}

/// The section with the taps by hour and weekday.
enum UsageHours {
  static func section(_ tally: UsageTally, _ data: UsageData) -> Section {
    // The spans in which no tap can be known are left out; an hour in which the app stood still is
    // known.
    let gaps = data.exportGaps.filter { gap in
      data.history.days.contains { gap.overlaps($0) && $0.coverage == .partial }
    }
    let lost = data.history.days.filter { day in
      data.history.unknown.contains(day) || day.start == tally.context.awaitedToday
    }
    let unknown = lost.map { $0.start..<$0.end } + gaps.map { $0.start..<$0.end }
    let missing = missing(tally, data.history)
    let chart = chart(
      tally, taps(data.buckets, tally),
      tally.calendar.hoursOfWeek(
        from: tally.context.start, to: tally.context.end, without: unknown),
      absence: "not in the period"
        + (missing == nil && tally.awaitedWords == nil ? "" : ", or not known"))
    return Section(.usage, "hours", [.chart(chart)]) { lead in
      [lead, tally.awaitedWords, missing].compactMap(\.self).joined(separator: " ")
    }
  }

  /// Days that a sentence names one by one; of more it says how many.
  private static let mostNamed = 6

  /// Which days lack hours; nil when none does.
  private static func missing(_ tally: UsageTally, _ history: DayHistory) -> String? {
    let gaps = UsageDays.gaps(tally, history)
    let days = tally.days.filter { gaps[$0] != nil || tally.unknown.contains($0) }
    guard !days.isEmpty else { return nil }
    let named =
      days.count > mostNamed
      ? "\(NumberWords.grouped(days.count)) days" : days.map(\.short).listed
    return "The ledger lacks hours of \(named). They are not counted."
  }

  /// Hours that are not in the period, as those that are still to come, have no number, and neither
  /// have unknown ones.
  private static func chart(
    _ tally: UsageTally, _ taps: [[Int]], _ covered: [[Bool]], absence: String
  ) -> Chart {
    Chart(
      form: .heatMap, labels: (0..<24).map { "\(CivilDay.twoDigits($0))" }, unit: "taps an hour",
      alternative: alternative(
        taps,
        tally.calendar.repeatedHours(from: tally.context.start, to: tally.context.end)),
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
        emptyText: tally.context.emptyText("No tap in this period.")),
      absence: absence)
  }

  /// Taps of the period by weekday (0 for Monday), then hour.
  static func taps(_ buckets: [UsageData.Bucket], _ tally: UsageTally) -> [[Int]] {
    let period = tally.context.start..<tally.context.end
    let quarters = buckets.reduce(into: [Instant: Int]()) { quarters, bucket in
      let at = Instant(unixSeconds: bucket.startsAtSeconds)
      guard bucket.span != .other, bucket.kind == .buttonTapped, period.contains(at) else { return }
      quarters[at, default: 0] += bucket.count
    }
    var taps = Array(repeating: Array(repeating: 0, count: 24), count: 7)
    for (at, count) in quarters {
      let local = tally.calendar.localTime(at)
      taps[local.day.weekday - 1][local.hour] += count
    }
    return taps
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

/// The events of a period; tables by feature and segment are queries.
typealias UsageTally = PeriodTally<UsageTotals>

extension UsageTally {
  /// Why today is hatched; nil where it is not.
  var awaitedWords: String? {
    guard let awaitedToday, days.contains(awaitedToday) else { return nil }
    return "Today's export is still to come: today has this workspace's own events alone."
  }

  init(_ buckets: [UsageData.Bucket], _ context: ReportContext) {
    self.init(from: UsageTotals(), context)
    for bucket in buckets {
      let at = Instant(unixSeconds: bucket.startsAtSeconds)
      add(at: at, on: ReportRelations.sides(of: bucket, at: at, context)) {
        $0.add(bucket.kind, bucket.count, by: bucket.userType)
      }
    }
  }
}

/// The section with the attempts of each day: its chart is a query.
enum UsageDays {
  static let id = "days"

  static func section(_ tally: UsageTally, _ history: DayHistory) -> Section {
    let known = gaps(tally, history)
    let gaps = tally.days.compactMap { day in known[day].map { (day: day, coverage: $0) } }
    let coverage = Block.table(
      id: "coverage", title: "Days without all of their data", of: gaps,
      columns: [
        Column("day", "Day", .leading) { .day($0.day) },
        Column("data", "Data", .leading) { .text($0.coverage.word) },
      ])
    let lost = "Hatched days are missing from the ledger, in whole or in part."
    return Section(.usage, id, gaps.isEmpty ? [] : [coverage]) { lead in
      [lead, tally.awaitedWords, gaps.isEmpty ? nil : lost].compactMap(\.self)
        .joined(separator: " ")
    }
  }

  /// How much the ledger knows of the days that it does not know wholly.
  static func gaps(
    _ tally: UsageTally, _ history: DayHistory
  ) -> [CivilDay: DayFacts.Coverage] {
    let days = history.days.map { (tally.calendar.day(of: $0.start), $0.coverage) }
    let older = tally.unknown.subtracting(days.map(\.0)).map { ($0, DayFacts.Coverage.none) }
    return Dictionary(
      older + days.filter { $0.1 != .whole && $0.1 != .running }, uniquingKeysWith: { $1 })
  }
}
