/// How long a cron schedule lets pass between two starts, on average.
///
/// Good enough to tell one missed start from two; when a job is due exactly is not decided here.
enum CronInterval {
  /// Seconds; nil for what is not five fields or a known `@` word.
  static func seconds(of schedule: String) -> Double? {
    if let seconds = words[schedule] { return seconds }
    let fields = schedule.split(whereSeparator: \.isWhitespace).map(String.init)
    guard fields.count == 5, let minutes = times(fields[0], of: 60),
      let hours = times(fields[1], of: 24), let days = times(fields[2], of: 31),
      let months = times(fields[3], of: 12), let weekdays = times(fields[4], of: 7)
    else { return nil }
    let perYear = minutes * hours * startDays(days, weekdays) * months
    return perYear > 0 ? 365 * 86_400 / perYear : nil
  }

  private static let words: [String: Double] = [
    "@hourly": 3_600, "@daily": 86_400, "@midnight": 86_400, "@weekly": 604_800,
    "@monthly": 2_628_000, "@yearly": 31_536_000, "@annually": 31_536_000,
  ]

  /// Days of an average month on which the job starts; two restricted fields add up, as in cron.
  private static func startDays(_ days: Double, _ weekdays: Double) -> Double {
    let month = 365.0 / 12
    switch (days < 31, weekdays < 7) {
    case (false, false): return month
    case (true, false): return days
    case (false, true): return month * weekdays / 7
    case (true, true): return min(month, days + month * weekdays / 7)
    }
  }

  /// How many of the values a field names; nil when it cannot be read.
  private static func times(_ field: String, of all: Int) -> Double? {
    var count = 0
    for part in field.split(separator: ",", omittingEmptySubsequences: false) {
      guard let values = values(in: part, of: all) else { return nil }
      count += values
    }
    return Double(min(count, all))
  }

  private static func values(in part: Substring, of all: Int) -> Int? {
    let pieces = part.split(separator: "/", omittingEmptySubsequences: false)
    let bounds = pieces[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let step = pieces.count > 1 ? Int(pieces[1]) : 1, step > 0, pieces.count <= 2 else {
      return nil
    }
    if pieces[0] == "*" { return (all + step - 1) / step }
    guard let first = bounds.first else { return nil }
    switch bounds.count {
    case 1: return pieces[0].contains { !$0.isNumber } ? 1 : step == 1 ? 1 : all / step
    case 2:
      guard let low = first, let high = bounds[1], low <= high else { return 1 }
      return (high - low) / step + 1
    default: return nil
    }
  }
}
