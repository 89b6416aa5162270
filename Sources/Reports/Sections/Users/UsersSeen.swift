import Model

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
