import Model

/// The section with the taps by hour and weekday.
enum UsageHours {
  static func section(
    _ tally: UsageTally, _ data: UsageData, _ calendar: ReportCalendar
  ) -> Section {
    let covered = calendar.hoursOfWeek(
      from: tally.context.start, to: tally.context.end, without: unknown(data))
    return Section(
      id: "hours", title: "Hours of the week",
      lead: [
        "Taps by the hour and weekday on which they were made, in this report's time zone.",
        missing(tally),
      ].compactMap(\.self).joined(separator: " "),
      blocks: [.chart(chart(tally, covered))])
  }

  /// The spans in which no tap can be known.
  private static func unknown(_ data: UsageData) -> [Range<Instant>] {
    data.history.unknown.map { $0.start..<$0.end }
      + data.exportGaps.filter { $0.start < $0.end }.map { $0.start..<$0.end }
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
  private static func chart(_ tally: UsageTally, _ covered: [[Bool]]) -> Chart {
    let taps = tally.tapsByWeekdayAndHour
    var chart = Chart(
      form: .heatMap, labels: (0..<24).map { "\(CivilDay.twoDigits($0))" }, unit: "taps an hour",
      alternative: alternative(taps),
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

  private static func alternative(_ taps: [[Int]]) -> String {
    var best = (weekday: 0, hour: 0, taps: 0)
    for (weekday, hours) in taps.enumerated() {
      for (hour, count) in hours.enumerated() where count > best.taps {
        best = (weekday, hour, count)
      }
    }
    guard best.taps > 0 else { return "No tap in this period." }
    return "The busiest hour is \(CivilDay.weekdayNames[best.weekday]) "
      + "\(CivilDay.twoDigits(best.hour)):00 with \(NumberWords.counted(best.taps, "tap"))."
  }
}
