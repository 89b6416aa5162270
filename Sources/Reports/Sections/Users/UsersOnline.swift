import Model

/// The section with the users online at each load: docs/loads.md#online-now.
enum UsersOnline {
  static let id = "online"

  /// The loads of one day.
  private struct DayOfLoads {
    var day: CivilDay
    var counts: [OnlineCount]

    var most: Int { counts.map(\.online).max() ?? 0 }
    var last: Int { counts.last?.online ?? 0 }
    var isMinimum: Bool { counts.contains(where: \.isMinimum) }
  }

  static func figure(_ data: UsersData) -> Figure {
    let newest = data.newestOnlineCount
    return Figure(
      id: "online-now", label: "Online now", value: .optional(newest?.online),
      note: newest.map { $0.isMinimum ? "at least, at the last load" : "at the last load" }
        ?? "counted from the next load on",
      section: id)
  }

  static func section(_ data: UsersData, _ context: ReportContext) -> Section {
    Section(
      id: id, title: "Online now",
      lead: "Users seen in the 5 minutes before a load, counted at each load of all users.",
      blocks: [.chart(chart(data, context))])
  }

  private static func chart(_ data: UsersData, _ context: ReportContext) -> Chart {
    let days = days(data, context)
    let most = days.map(\.most).max() ?? 0
    return Chart(
      form: .columns([Chart.Series("most", "Most at a load", .main)]),
      labels: days.map(\.day.short), unit: "most users online at a load",
      alternative: "At most \(NumberWords.counted(most, "user")) online at one load.",
      table: Table(
        id: "online", title: "Users online by day", of: days,
        columns: [
          Column("on", "On", .leading) { .text($0.day.long) },
          Column("loads", "Loads") { .count($0.counts.count) },
          Column("most", "Most at a load") { .count($0.most) },
          Column("last", "At the last load") { .count($0.last) },
          Column("limit", "Load's limit", .leading) {
            .text($0.isMinimum ? "reached: at least so many" : "not reached")
          },
        ],
        emptyText: "No load of all users in this period."))
  }

  private static func days(_ data: UsersData, _ context: ReportContext) -> [DayOfLoads] {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let counts = data.onlineCounts.filter { $0.at >= context.start && $0.at < context.end }
    return Dictionary(grouping: counts) { calendar.day(of: $0.at) }
      .map { DayOfLoads(day: $0, counts: $1) }.sorted { $0.day < $1.day }
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
      ? "Only \(words(data).lowercased()), where the load ends: a sample, so without shares. " : ""
  }

  /// The column with the shares of all users; none for a sample.
  static func shares<Row>(
    of data: UsersData, _ count: @escaping (Row) -> Int
  ) -> [Column<Row>] {
    data.isSample ? [] : [Column("share", "Share") { .ratio(Ratio(count($0), of: data.total)) }]
  }
}
