import Model
import ReportsTesting
import Store

@testable import Reports

/// Eight weeks from Monday 5 January 2026 in which every day is the same, as rules of days read
/// them.
enum JudgedApp {
  static let last = 55

  static func facts(_ change: (inout [DayFacts]) -> Void = { _ in }) -> [DayFacts] {
    let start = SampleReports.at("2026-01-05T00:00:00Z")
    var days = (0...last).map { day -> DayFacts in
      let begin = start + .seconds(86_400 * day)
      var facts = DayFacts(start: begin, end: begin + .seconds(86_400))
      facts.activeUsers = 100
      facts.taps = 1_000
      facts.performed = 800
      facts.popups = 400
      facts.dismissed = 200
      facts.exportLines = 4_000
      facts.onlineNow = 30
      facts.stars = [2, 2, 4, 8, 14]
      facts.concentration = EventConcentration(of: Array(repeating: 15, count: 100))
      return facts
    }
    change(&days)
    return days
  }

  static func days(_ change: (inout [DayFacts]) -> Void = { _ in }) -> JudgedDays {
    JudgedDays(facts(change), calendar: ReportCalendar(timeZone: "UTC"))
  }

  /// A count that is `usual` on each day but for the last ones.
  static func series(
    _ usual: Int, then ends: [Int] = [], _ topic: Detection.Topic = .use
  ) -> CountSeries {
    let counts = Array(repeating: usual, count: last + 1 - ends.count) + ends
    return CountSeries(
      name: "things", title: "Things", unit: .count, place: (.usage, "days"), topic: topic,
      counts: counts)
  }
}
