import Model
import Store

/// Finds that the clocks of many people are ahead: docs/findings.md#clocks.
///
/// The lines of the export that came for yesterday are then dated later than now.
struct ClockFindings {
  /// People with such lines, as a part of those of the last complete day, and how many at least:
  /// a phone with a wrong clock is everywhere.
  static let leastShare = 0.05
  static let fewestPeople = 5.0

  let days: JudgedDays
  let linesAhead: LinesAhead?
  let now: Instant
  /// Replaces `fewestPeople`; nil leaves it.
  var ownFloor: Double?

  func found(on day: Int) -> [Detection] {
    guard let ahead = linesAhead, Double(ahead.people) >= ownFloor ?? Self.fewestPeople,
      Double(ahead.people) >= Self.leastShare * Double(days.days[day].activeUsers)
    else { return [] }
    let hours = max(1, Int(((ahead.latest - now).fractionalSeconds / 3_600).rounded()))
    let finding = Finding(
      .warn,
      "The clocks of \(NumberWords.counted(ahead.people, "person", "people")) are ahead: "
        + "\(NumberWords.counted(ahead.lines, "line")) that came are dated up to "
        + "\(NumberWords.counted(hours, "hour")) from now.",
      report: .usage, section: UsageDays.id, subject: "clocks ahead", rule: .clocks,
      evidence: [
        Evidence("People with lines that are dated later than now", ahead.people, .people),
        Evidence("Lines that are dated later than now", ahead.lines, .lines),
        Evidence("People on \(days.names.name(day))", days.days[day].activeUsers, .people),
      ],
      advice: "See what these phones share, a version or a country: the app may send a wrong time. "
        + "Their use is counted on later days than it was.", weight: 820)
    // On the first day what they did is missing, later no more than is counted twice.
    return [
      Detection(
        finding: finding, rule: .clocks, firstDay: day, topics: [.hours],
        explains: [.use, .places, .newPeople, .subscriptionTaps, .sales, .feedback],
        explainsOnly: .fell)
    ]
  }
}
