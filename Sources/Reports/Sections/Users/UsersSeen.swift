import Model

/// When users were last seen.
enum UsersSeen {
  static let id = "last-seen"

  static func section(_ facts: UsersFacts) -> Section {
    Section(
      id: id, title: "Last seen",
      lead:
        "Users by how many hours ago they were last seen, over the 24 hours before this report.",
      blocks: [.chart(chart(facts))])
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
