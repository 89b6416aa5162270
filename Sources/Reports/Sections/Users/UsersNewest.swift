import Model

/// The users seen last.
enum UsersNewest {
  /// Rows in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 25

  static func section(_ facts: UsersFacts) -> Section {
    Section(
      id: "newest", title: "Seen last", lead: "The users last seen, newest first.",
      blocks: [.table(table(facts))])
  }

  private static func table(_ facts: UsersFacts) -> Table {
    Table(
      id: "newest", title: "Newest",
      columns: [
        Table.Column("last_seen_at", "Last seen", .leading),
        Table.Column("name", "Name", .leading), Table.Column("gender", "Gender", .leading),
        Table.Column("age", "Age"), Table.Column("country", "Country", .leading),
        Table.Column("city", "City", .leading), Table.Column("user_id", "User", .leading),
      ],
      rows: facts.newest.map(row), shownLimit: shownLimit,
      totalCount: max(facts.total, facts.newest.count), emptyText: "No users yet.")
  }

  private static func row(_ user: OnlineUser) -> Table.Row {
    Table.Row([
      .instant(user.lastSeenAt), .text(user.name), text(user.gender),
      user.ageInYears.map(Cell.count) ?? .missing, text(user.country), text(user.city),
      .code(user.userId),
    ])
  }

  private static func text(_ text: String) -> Cell {
    text.isEmpty ? .missing : .text(text)
  }
}
