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

/// The section that says when users were last seen.
enum UsersSeen {
  static let id = "last-seen"

  static func section(_ data: UsersData) -> Section {
    Section(
      id: id, title: "Last seen",
      lead:
        UsersSample.lead(data)
        + "Users by how long ago they were last seen: the 24 hours before this report one by one, and "
        + "all of them in wider steps.",
      blocks: [.chart(chart(data)), .table(bands(data))])
  }

  /// Counts each user once; each count of the data contains the one before it.
  private static func bands(_ data: UsersData) -> Table {
    let within = [
      data.seenWithinHour, data.seenWithinDay, data.seenWithinWeek, data.seenWithinMonth,
      data.total,
    ]
    let counts = zip(within, [0] + within).map { max(0, $0 - $1) }
    let names = ["Within an hour", "Within a day", "Within a week", "Within 30 days", "Earlier"]
    let rows = zip(names, counts).map { (name: $0, count: $1) }
    return Table(
      id: "last-seen-bands", title: "All users by when they were last seen",
      of: data.total == 0 ? [] : rows,
      columns: [
        Column("last_seen", "Last seen", .leading) { .text($0.name) },
        Column("users", "Users", drawsBars: true) { .count($0.count) },
      ] + UsersSample.shares(of: data) { $0.count },
      emptyText: "No users yet.")
  }

  private static func chart(_ data: UsersData) -> Chart {
    let hours = data.seenByHoursAgo
    let most = hours.max() ?? 0
    return Chart(
      form: .columns([Chart.Series("users", "Users", .main)]),
      labels: hours.indices.map { $0 == 0 ? "now" : "\($0) h" }, unit: "users an hour",
      alternative: "Columns by hours ago, newest first: at most "
        + "\(NumberWords.counted(most, "user")) in one hour, "
        + "\(NumberWords.grouped(hours.first ?? 0)) in the last.",
      table: Table(
        id: "last-seen", title: "Users by hours since last seen",
        of: most == 0 ? [] : Array(hours.indices),
        columns: [
          Column("hours_ago", "Hours ago") { .count($0) },
          Column("users", "Users") { .count(hours[$0]) },
        ],
        emptyText: "Nobody was seen in the last 24 hours."))
  }
}

/// The section with the users seen last.
enum UsersNewest {
  /// Rows in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 25

  static func section(_ data: UsersData) -> Section {
    Section(
      id: "newest", title: "Seen last", lead: "The users last seen, newest first.",
      blocks: [.table(table(data))])
  }

  private static func table(_ data: UsersData) -> Table {
    Table(
      id: "newest", title: "Newest", of: data.newest,
      columns: [
        Column("last_seen_at", "Last seen", .leading) { .instant($0.lastSeenAt) },
        Column("name", "Name", .leading) { .text($0.name) },
        Column("gender", "Gender", .leading) { text($0.gender) },
        Column("age", "Age") { .optional($0.ageInYears) },
        Column("country", "Country", .leading) { text($0.country) },
        Column("city", "City", .leading) { text($0.city) },
        Column("user_id", "User", .leading) { .code($0.userId) },
      ],
      shownLimit: shownLimit, totalCount: max(data.total, data.newest.count),
      emptyText: "No users yet.")
  }

  private static func text(_ text: String) -> Cell {
    text.isEmpty ? .missing : .text(text)
  }
}
