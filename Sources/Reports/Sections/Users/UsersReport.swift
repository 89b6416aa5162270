package import Model

/// Who the app's users are and when they were last seen: docs/reports.md#users.
package enum UsersReport {
  package static func make(_ facts: UsersFacts, frame: ReportFrame) -> Report {
    Report(
      name: .users, title: "Users", frame: frame,
      dataTime: Report.DataTime(label: "Users fetched", at: facts.refreshedAt),
      summary: summary(of: facts), headline: headline(of: facts),
      findings: findings(facts),
      sections: [
        UsersSeen.section(facts), UsersPeople.section(facts), UsersPlaces.section(facts),
        UsersNewest.section(facts),
      ])
  }

  private static func summary(of facts: UsersFacts) -> String {
    guard facts.total > 0 else { return "The workspace holds no users yet." }
    let users = NumberWords.counted(facts.total, "user")
    let day = NumberWords.grouped(facts.seenWithinDay)
    let place = facts.countries.first { !$0.name.isEmpty }
    let most =
      place.map { " The most frequent country is \(VisibleText.clipped($0.name, to: 60))." } ?? ""
    return "\(users), \(day) of them seen within a day.\(most)"
  }

  private static func headline(of facts: UsersFacts) -> [Figure] {
    func seen(_ id: String, _ label: String, _ count: Int) -> Figure {
      Figure(id: id, label: label, value: .ratio(Ratio(count, of: facts.total)), note: "users")
    }
    return [
      Figure(
        id: "total", label: "Users", value: .count(facts.total), note: "as last fetched"),
      seen("seen-hour", "Seen within an hour", facts.seenWithinHour),
      seen("seen-day", "Within a day", facts.seenWithinDay),
      seen("seen-week", "Within a week", facts.seenWithinWeek),
      seen("seen-month", "Within 30 days", facts.seenWithinMonth),
    ]
  }

  private static func findings(_ facts: UsersFacts) -> [Finding] {
    guard facts.refreshedAt == nil else { return [] }
    return [
      Finding(
        .warn, "The users have never been fetched with success; `firetally run --all` does it.",
        report: .users, section: UsersSeen.id)
    ]
  }
}
