import Model

/// When users were last seen.
enum UsersSeen {
  static let id = "last-seen"

  static func section(_ facts: UsersFacts) -> Section {
    Section(
      id: id, title: "Last seen",
      lead:
        "Users by how long ago they were last seen: the 24 hours before this report one by one, and "
        + "all of them in wider steps.",
      blocks: [.chart(chart(facts)), .table(bands(facts))])
  }

  /// Each user once: the counts of the facts contain one another.
  private static func bands(_ facts: UsersFacts) -> Table {
    let within = [
      facts.seenWithinHour, facts.seenWithinDay, facts.seenWithinWeek, facts.seenWithinMonth,
      facts.total,
    ]
    let counts = zip(within, [0] + within).map { max(0, $0 - $1) }
    let names = ["Within an hour", "Within a day", "Within a week", "Within 30 days", "Earlier"]
    return Table(
      id: "last-seen-bands", title: "All users by when they were last seen",
      columns: [
        Table.Column("last_seen", "Last seen", .leading),
        Table.Column("users", "Users", drawsBars: true), Table.Column("share", "Share"),
      ],
      rows: facts.total == 0
        ? []
        : zip(names, counts).map { name, count in
          Table.Row([.text(name), .count(count), .ratio(Ratio(count, of: facts.total))])
        },
      emptyText: "No users yet.")
  }

  private static func chart(_ facts: UsersFacts) -> Chart {
    let hours = facts.seenByHoursAgo
    let most = hours.max() ?? 0
    return Chart(
      form: .columns([Chart.Series("users", "Users", .main)]),
      labels: hours.indices.map { $0 == 0 ? "now" : "\($0) h" }, unit: "users an hour",
      alternative: "Columns by hours ago, newest first: at most "
        + "\(NumberWords.counted(most, "user")) in one hour, "
        + "\(NumberWords.grouped(hours.first ?? 0)) in the last.",
      table: Table(
        id: "last-seen", title: "Users by hours since last seen",
        columns: [
          Table.Column("hours_ago", "Hours ago"), Table.Column("users", "Users"),
        ],
        rows: most == 0
          ? [] : hours.enumerated().map { Table.Row([.count($0.offset), .count($0.element)]) },
        emptyText: "Nobody was seen in the last 24 hours."))
  }
}
