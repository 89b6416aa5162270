/// When cron would start a job: the five-field syntax of crontab(5).
///
/// Syntax, and what happens when clocks change: `docs/running.md#schedule`.
package struct CronSchedule: Hashable, Sendable {
  /// The five fields as written, or what the nickname (`@daily`) stands for.
  package let fields: String
  let minute: CronField
  let hour: CronField
  let day: CronField
  let month: CronField
  let weekday: CronField

  package static let nicknames = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
  ]

  package init(parsing text: String) throws(CronSyntaxError) {
    let fields = try Self.expanded(text)
    let parts = fields.split { $0 == " " || $0 == "\t" }
    guard parts.count == 5 else {
      throw CronSyntaxError(
        description: "bad schedule: '\(text)' has \(parts.count) fields instead of five "
          + "(minute, hour, day of month, month, day of week)")
    }
    minute = try CronField(parts[0], at: CronField.minute)
    hour = try CronField(parts[1], at: CronField.hour)
    day = try CronField(parts[2], at: CronField.day)
    month = try CronField(parts[3], at: CronField.month)
    weekday = try CronField(parts[4], at: CronField.weekday)
    self.fields = parts.joined(separator: " ")
    guard canBeDue else {
      throw CronSyntaxError(
        description: "bad schedule: '\(text)' is never due, none of its months is that long")
    }
  }

  /// Whether both start at the same times, however they are written.
  func isSame(as other: CronSchedule) -> Bool {
    func values(_ schedule: CronSchedule) -> [[Int]] {
      [schedule.minute, schedule.hour, schedule.day, schedule.month, schedule.weekday].map(\.values)
    }
    return values(self) == values(other) && isEitherDayEnough == other.isEitherDayEnough
  }

  private static func expanded(_ text: String) throws(CronSyntaxError) -> String {
    let word = text.lowercased().filter { $0 != " " }
    guard word.hasPrefix("@") else { return text }
    guard let fields = nicknames[word] else {
      throw CronSyntaxError(
        description: "bad schedule: '\(text)' is none of "
          + nicknames.keys.sorted().joined(separator: ", "))
    }
    return fields
  }

  private var canBeDue: Bool {
    let longest = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    let daysAlone = !isEitherDayEnough && !day.isStarred
    return !daysAlone
      || month.values.contains { month in (day.values.first ?? 1) <= longest[month] }
  }

  /// Whether day of month or day of week suffices; with a `*` in one of them both must hold.
  var isEitherDayEnough: Bool { !day.isStarred && !weekday.isStarred }

  func includes(month: Int, day: Int, weekday: Int) -> Bool {
    guard self.month.contains(month) else { return false }
    let isDay = self.day.contains(day)
    let isWeekday = self.weekday.contains(weekday)
    return isEitherDayEnough ? isDay || isWeekday : isDay && isWeekday
  }

  /// Whether the schedule names particular times of the day, which must not be lost or doubled
  /// when clocks change; with `*` it follows the clock as it goes.
  var isAtFixedTime: Bool { !minute.isStarred && !hour.isStarred }
}

extension CronSchedule: CustomStringConvertible {
  package var description: String { fields }
}

/// Why a text is no cron schedule.
package struct CronSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
}
