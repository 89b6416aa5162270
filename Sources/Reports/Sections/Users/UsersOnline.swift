import Model
import Store

/// The section with the users online at each load: docs/loads.md#online-now.
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

  static func section(_ data: UsersData, _ context: ReportContext) -> Section {
    let days = days(data, context)
    let most = days.map(\.most).max() ?? 0
    let table = Table(
      id: "online", title: "Users online by day", of: days,
      columns: [
        Column("on", "On", .leading) { .text($0.day.long) },
        Column("loads", "Loads") { .count($0.counts.count) },
        Column("most", "Most at a load") { .count($0.most) },
        Column("last", "At the last load") { .count($0.counts.last?.online ?? 0) },
        Column("limit", "Load's limit", .leading) {
          .text(
            $0.counts.contains(where: \.isMinimum) ? "reached: at least so many" : "not reached")
        },
      ],
      emptyText: "No load of all users in this period.")
    return Section(
      id: id, title: "Online now",
      lead: "Users seen in the 5 minutes before a load, counted at each load of all users.",
      blocks: [
        .chart(
          Chart(
            form: .columns([Chart.Series("most", "Most at a load", .main)]),
            labels: days.map(\.day.short), unit: "most users online at a load",
            alternative: "At most \(NumberWords.counted(most, "user")) online at one load.",
            table: table))
      ])
  }

  private static func days(
    _ data: UsersData, _ context: ReportContext
  ) -> [(day: CivilDay, counts: [OnlineCount], most: Int)] {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let counts = data.onlineCounts.filter { $0.at >= context.start && $0.at < context.end }
    return Dictionary(grouping: counts) { calendar.day(of: $0.at) }
      .map { (day: $0, counts: $1, most: $1.map(\.online).max() ?? 0) }
      .sorted { $0.day < $1.day }
  }
}

/// The section that says when users were last seen, by queries.
enum UsersSeen {
  static let id = "last-seen"

  static func section(_ data: UsersData) -> Section {
    Section(
      id: id, title: "Last seen",
      lead:
        UsersSample.lead(data)
        + "Users by how long ago they were last seen: the 24 hours before this report one by one, and "
        + "all of them in wider steps.",
      blocks: [])
  }
}
