package import Model
package import Store

/// Who the app's users are and when they were last seen: docs/reports.md#users.
package enum UsersReport {
  package static func make(_ data: UsersData, context: ReportContext) -> Report {
    Report(
      name: .users, title: "Users", context: context,
      dataTime: Report.DataTime(label: "Users fetched", at: data.refreshedAt),
      summary: summary(of: data), headline: headline(of: data),
      findings: findings(data),
      sections: [
        UsersOnline.section, UsersSeen.section(data),
        UsersRetention.section(data.activity, context),
        UsersDemand.section(data.demand, context), UsersPeople.section(data),
        UsersPeople.places(data), newest,
      ])
  }

  private static func summary(of data: UsersData) -> String {
    guard data.total > 0 else { return "The workspace holds no users yet." }
    let users = data.isSample ? UsersSample.words(data) : NumberWords.counted(data.total, "user")
    let day = NumberWords.grouped(data.seenWithinDay)
    let most =
      data.topCountry.map {
        " The most frequent country is \(VisibleText.clipped($0, to: 60))."
      } ?? ""
    return "\(users), \(day) of them seen within a day.\(most)"
  }

  private static func headline(of data: UsersData) -> [Figure] {
    func seen(_ id: String, _ label: String, _ count: Int) -> Figure {
      data.isSample
        ? Figure(id: id, label: label, value: .count(count), note: "at least, of those fetched")
        : Figure(id: id, label: label, value: .ratio(Ratio(count, of: data.total)), note: "users")
    }
    return [
      UsersOnline.figure(data),
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
        .warn, "The users have never been fetched with success; `firetally run --all` does it.",
        report: .users, section: UsersSeen.id, subject: RootCauses.noUsers)
    ]
  }

  /// The section with the users seen last, by a query.
  private static let newest = Section(
    id: "newest", title: "Users seen last", lead: "Newest first.", blocks: [])
}

/// What a page says of users who are only those whom a limited load found.
enum UsersSample {
  /// `The newest 250 users`.
  static func words(_ data: UsersData) -> String {
    "The newest \(NumberWords.counted(data.total, "user"))"
  }

  /// A sentence before others; empty for all users.
  static func lead(_ data: UsersData) -> String {
    data.isSample
      ? "Only \(words(data).lowercased()), as a load ends there: a sample, so without shares. " : ""
  }
}
