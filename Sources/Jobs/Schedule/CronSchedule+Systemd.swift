extension CronSchedule {
  /// The same times as values of `OnCalendar=`, as systemd.time(7) has them.
  ///
  /// Two when either day field is enough, else one. The time zone is an IANA name such as
  /// "Europe/Berlin"; nil means the machine's.
  func calendarEvents(in timeZone: String?) -> [String] {
    let everyDay = "*"
    let days = Self.list(day.values, in: CronField.day.range)
    let weekdays = weekdayList
    let dates: [(weekdays: String, day: String)] =
      isEitherDayEnough
      ? [(weekdays: "", day: days), (weekdays: weekdays, day: everyDay)]
      : [(weekdays: weekdays, day: days)]
    let months = Self.list(month.values, in: CronField.month.range)
    let time =
      Self.list(hour.values, in: CronField.hour.range) + ":"
      + Self.list(minute.values, in: CronField.minute.range) + ":00"
    return dates.map { date in
      [date.weekdays, "*-\(months)-\(date.day)", time, timeZone ?? ""]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// Empty for every day.
  private var weekdayList: String {
    let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    return weekday.values.count == names.count
      ? "" : weekday.values.map { names[$0] }.joined(separator: ",")
  }

  /// The shortest of "*", "first/step" up to the end of the range, and "first,second".
  private static func list(_ values: [Int], in range: ClosedRange<Int>) -> String {
    let texts = values.map { $0 < 10 ? "0\($0)" : "\($0)" }
    guard values.count > 2 else { return texts.joined(separator: ",") }
    let step = values[1] - values[0]
    let isEven = zip(values, values.dropFirst()).allSatisfy { $1 - $0 == step }
    guard isEven, values[values.count - 1] + step > range.upperBound else {
      return texts.joined(separator: ",")
    }
    return step == 1 && values[0] == range.lowerBound ? "*" : "\(texts[0])/\(step)"
  }
}
