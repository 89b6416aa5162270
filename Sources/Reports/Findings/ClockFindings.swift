import Model

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

  /// Whether the people with such lines are many of those who were active on a day.
  private static func areMany(_ ahead: LinesAhead, of activeUsers: Int, floor: Double) -> Bool {
    Double(ahead.people) >= floor && Double(ahead.people) >= leastShare * Double(activeUsers)
  }

  /// Names lines of the future that are too few for a wrong clock of many people.
  static func fewAhead(_ usage: UsageData, _ context: ReportContext) -> [Finding] {
    guard let ahead = usage.linesAhead,
      !areMany(
        ahead, of: usage.history.complete.last?.activeUsers ?? .max, floor: fewestPeople)
    else { return [] }
    let isOne = ahead.lines == 1
    let day = ReportCalendar(timeZone: context.timeZone).day(of: ahead.latest).plain
    return [
      Finding(
        .notice,
        "\(NumberWords.counted(ahead.lines, "line")) of the export \(isOne ? "is" : "are") dated "
          + "later than now, \(isOne ? "on" : "up to") \(day): \(isOne ? "it does" : "they do") "
          + "not count as newest data.",
        report: .usage, section: UsageDays.id, subject: "lines ahead")
    ]
  }

  func found(on day: Int) -> [Detection] {
    guard let ahead = linesAhead,
      Self.areMany(ahead, of: days.days[day].activeUsers, floor: ownFloor ?? Self.fewestPeople)
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
