package import Model
package import Store

/// Who the app's users are and when they were last seen: docs/reports.md#users.
package enum UsersReport {
  package static func make(_ data: UsersData, context: ReportContext) -> Report {
    let sample = UsersSample.lead(data)
    return Report(
      name: .users, title: "Users", context: context,
      dataTime: Report.DataTime(label: "Users fetched", at: data.refreshedAt),
      summary: summary(of: data), headline: headline(of: data),
      findings: findings(data),
      sections: [
        UsersOnline.section,
        Section(
          id: seenId, title: "Last seen",
          lead: sample
            + "Users by how long ago they were last seen: the 24 hours before this report one by "
            + "one, and all of them in wider steps."),
        UsersRetention.section(data.activity, context), UsersDemand.section(data.demand, context),
        Section(
          id: "people", title: "Gender, age and tier",
          lead: sample + "As the users told the app; what they left out is counted as not told."),
        Section(
          id: "places", title: "Countries and languages",
          lead: sample + "The most frequent first."),
        Section(id: "newest", title: "Users seen last", lead: "Newest first."),
      ])
  }

  private static let seenId = "last-seen"

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
        report: .users, section: seenId, subject: RootCauses.noUsers)
    ]
  }
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

/// The section with the users online at each load, by queries: docs/loads.md#online-now.
enum UsersOnline {
  static let id = "online"

  static func figure(_ data: UsersData) -> Figure {
    let newest = data.newestOnlineCount
    return Figure(
      id: "online-now", label: "Online now", value: .optional(newest?.online),
      note: newest.map { $0.isMinimum ? "at least, at the last load" : "at the last load" }
        ?? "counted from the next load on",
      section: id)
  }

  static let section = Section(
    id: id, title: "Online now",
    lead: "Users seen in the 5 minutes before a load, counted at each load of all users.")
}

/// The section with what people look for, and how many users there are of it:
/// docs/people.md#demand.
enum UsersDemand {
  static func section(
    _ data: DemandData?, _ context: ReportContext
  ) -> Section {
    Section(
      id: "demand", title: "What people look for", lead: lead(data, context))
  }

  private static func lead(_ data: DemandData?, _ context: ReportContext) -> String {
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
      ? " Of one in \(NumberWords.grouped(data.sampledOneIn)) ids, chosen by chance." : ""
    return "\(NumberWords.counted(data.people, "person", "people")) tapped the filter "
      + "\(NumberWords.counted(data.taps, "time")) in this period. \(results)\(sample)"
  }
}
