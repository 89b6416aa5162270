import Model

/// Who tapped most.
enum UsagePeople {
  /// Rows in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 15

  static func section(_ facts: UsageFacts) -> Section {
    Section(
      id: "people", title: "Heaviest users",
      lead: "The people who tapped most in this period, and what they got for it.",
      blocks: [.table(table(facts))])
  }

  private static func table(_ facts: UsageFacts) -> Table {
    Table(
      id: "heaviest-users", title: "By taps",
      columns: [
        Table.Column("user_id", "User", .leading), Table.Column("name", "Name", .leading),
        Table.Column("taps", "Taps", drawsBars: true), Table.Column("performed", "Performed"),
        Table.Column("blocked", "Blocked, of taps"),
      ],
      rows: facts.heaviestUsers.map { user in
        Table.Row([
          .code(user.userId), .optional(user.name), .count(user.taps), .count(user.performed),
          .ratio(Ratio(user.blocked, of: user.taps)),
        ])
      },
      shownLimit: shownLimit, totalCount: max(facts.activeUsers, facts.heaviestUsers.count),
      emptyText: "Nobody used a feature in this period.")
  }
}
