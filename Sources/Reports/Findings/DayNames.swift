import Model

/// The days of a history in words.
struct DayNames {
  let days: [DayFacts]
  let calendar: ReportCalendar

  /// `Thu 5 Nov`.
  func name(_ day: Int) -> String {
    let civil = calendar.day(of: days[day].start)
    return "\(civil.weekdayName) \(civil.short)"
  }

  /// `2026-11-05`.
  func iso8601(_ day: Int) -> String { calendar.day(of: days[day].start).iso8601 }

  /// `on Thu 5 Nov`, `from Thu 5 Nov to Sat 7 Nov`.
  func span(_ span: ClosedRange<Int>) -> String {
    span.count == 1
      ? "on \(name(span.lowerBound))"
      : "from \(name(span.lowerBound)) to \(name(span.upperBound))"
  }

  /// `15:00`.
  func clock(_ instant: Instant) -> String {
    let local = calendar.localTime(instant)
    return "\(CivilDay.twoDigits(local.hour)):\(CivilDay.twoDigits(local.minute))"
  }
}

extension [String] {
  /// `taps`, `taps and people`, `taps, people and stars`.
  var listed: String {
    guard count > 1, let last else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) and \(last)"
  }
}
