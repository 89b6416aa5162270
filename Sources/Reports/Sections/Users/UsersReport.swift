package import Model
package import Store

/// Who the app's users are and when they were last seen: docs/reports.md#users.
package enum UsersReport {
  package static func make(_ data: UsersData, context: ReportContext) -> Report {
    let sample =
      data.isSample
      ? "Only \(newest(data).lowercased()): a load ends there. This is a sample, so it has no shares. "
      : ""
    return Report(
      name: .users, title: "Users", context: context,
      dataTime: Report.DataTime(label: "Users fetched", at: data.refreshedAt),
      summary: summary(of: data), headline: headline(of: data),
      findings: findings(data),
      sections: [
        Section(.users, onlineId), Section(.users, seenId) { sample + $0 },
        UsersRetention.section(data.activity, context),
        Section(
          id: "demand", title: "What people look for", lead: demand(data.demand, context)),
        Section(.users, "people") { sample + $0 }, Section(.users, "places") { sample + $0 },
        Section(.users, "newest"),
      ])
  }

  static let onlineId = "online"
  private static let seenId = "last-seen"

  /// What a limited load found: `The newest 250 users`.
  private static func newest(_ data: UsersData) -> String {
    "The newest \(NumberWords.counted(data.total, "user"))"
  }

  private static func summary(of data: UsersData) -> String {
    guard data.total > 0 else { return "The workspace holds no users yet." }
    let users = data.isSample ? newest(data) : NumberWords.counted(data.total, "user")
    let day = NumberWords.grouped(data.seenWithinDay)
    let most =
      data.topCountry.map {
        " Most frequent country: \(VisibleText.clipped($0, to: 60))."
      } ?? ""
    return "\(users), \(day) of them seen within a day.\(most)"
  }

  private static func headline(of data: UsersData) -> [Figure] {
    func seen(_ id: String, _ label: String, _ count: Int) -> Figure {
      data.isSample
        ? Figure(id: id, label: label, value: .count(count), note: "at least, of those fetched")
        : Figure(id: id, label: label, value: .ratio(Ratio(count, of: data.total)), note: "users")
    }
    let online = data.newestOnlineCount
    return [
      Figure(
        id: "online-now", label: "Online now", value: .optional(online?.online),
        note: online.map { $0.isMinimum ? "at least, at the last load" : "at the last load" }
          ?? "counted from the next load on",
        section: onlineId),
      Figure(
        id: "total", label: "Users", value: .count(data.total),
        note: data.isSample ? "those seen last, not all" : "as last fetched"),
      seen("seen-hour", "Seen within an hour", data.seenWithinHour),
      seen("seen-day", "Within a day", data.seenWithinDay),
      seen("seen-week", "Within a week", data.seenWithinWeek),
      seen("seen-month", "Within 30 days", data.seenWithinMonth),
    ]
  }

  private static func findings(_ data: UsersData) -> [Finding] {
    guard data.refreshedAt == nil else { return [] }
    return [
      Finding(
        .warn, "No load of the users has succeeded yet. Run `firetally run --all`.",
        report: .users, section: seenId, subject: RootCauses.noUsers)
    ]
  }

  /// What people look for: docs/people.md#demand.
  static func demand(_ data: DemandData?, _ context: ReportContext) -> String {
    guard let data, data.people > 0 else {
      return context.emptyText("Nobody tapped the filter in this period.")
    }
    let results =
      data.answered == 0
      ? "No event says how many users were found."
      : "\(NumberWords.grouped(data.empty)) of \(NumberWords.grouped(data.answered)) that tell their result "
        + "found nobody."
    let sample =
      data.sampledOneIn > 1
      ? " Counted for one in \(NumberWords.grouped(data.sampledOneIn)) ids, chosen by chance." : ""
    return "\(NumberWords.counted(data.people, "known person", "known people")) tapped the filter "
      + "\(NumberWords.counted(data.taps, "time")) in this period. \(results)\(sample)"
  }
}
