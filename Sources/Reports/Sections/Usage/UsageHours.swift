import Model

/// The section with the taps by hour and weekday.
enum UsageHours {
  static func section(_ tally: UsageTally, covered: [[Bool]]) -> Section {
    Section(
      id: "hours", title: "Hours of the week",
      lead: "Taps by the hour and weekday on which they were made, in this report's time zone.",
      blocks: [.chart(chart(tally, covered))])
  }

  /// Hours that are not in the period, as those that are still to come, have no number.
  private static func chart(_ tally: UsageTally, _ covered: [[Bool]]) -> Chart {
    let taps = tally.tapsByWeekdayAndHour
    return Chart(
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
        emptyText: "No tap in this period."))
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
