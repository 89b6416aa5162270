import Model

/// What the index says above its findings: how many there are, and what nobody can judge yet.
enum IndexAttention {
  static let id = "attention"

  /// `unjudged` is what cannot be judged, in sentences; nil when all can.
  static func section(_ findings: [Finding], unjudged: String?) -> Section {
    Section(
      id: id, title: "Needs you",
      lead: [sentence(findings, isJudged: unjudged == nil), unjudged].compactMap(\.self)
        .joined(separator: " "),
      blocks: findings.isEmpty ? [] : [.findings(findings)])
  }

  private static func sentence(_ findings: [Finding], isJudged: Bool) -> String {
    let matters = findings.count { $0.level >= .warn }
    if matters > 0 { return "\(NumberWords.counted(matters, "matter")), worst first." }
    guard findings.isEmpty else {
      return "Nothing urgent; \(NumberWords.counted(findings.count, "note")) to read."
    }
    return isJudged ? "Nothing needs you today." : "Nothing found, as far as can be judged."
  }

  /// Nil when the newest day can be compared with enough of the same weekdays.
  static func unjudged(_ history: DayHistory, _ context: ReportContext) -> String? {
    guard context.scope == nil else {
      return "This report is of one profile, so the app's days are not judged."
    }
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let days = Array(history.complete)
    let known = Set(days.indices.filter { days[$0].coverage == .whole })
    guard !known.isEmpty, let last = days.indices.last else {
      return "The ledger has no whole day yet, so what people do cannot be judged."
    }
    let awaited = history.awaited.map {
      "The export of \(calendar.day(of: $0.start).withWeekday) has not come yet."
    }
    /// Days to come are taken for whole ones.
    func isJudged(_ day: Int) -> Bool {
      (1...AnomalyRule.comparedDays).count { week in
        day - 7 * week > last || known.contains(day - 7 * week)
      } >= AnomalyRule.fewestDays
    }
    guard !isJudged(last),
      let next = (1...7 * AnomalyRule.fewestDays).first(where: { isJudged(last + $0) })
    else { return awaited.first }
    let start = days[last].start + .seconds(86_400 * next + 43_200)
    return
      (awaited + [
        "Days are judged from \(calendar.day(of: start).short) on: it takes "
          + "\(AnomalyRule.fewestDays) earlier ones of the same weekday."
      ]).joined(separator: " ")
  }
}
