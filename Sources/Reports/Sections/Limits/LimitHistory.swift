import Model

/// How the settings came to be what they are.
enum LimitHistory {
  static let shownLimit = 30

  static func section(_ facts: LimitsFacts) -> Section {
    Section(
      id: "history", title: "Changes of the settings",
      lead: "Newest first, whenever they were.", blocks: [.table(table(facts))])
  }

  private static func table(_ facts: LimitsFacts) -> Table {
    Table(
      id: "setting-changes", title: "Changed values",
      columns: [
        Table.Column("changed_at", "When", .leading), Table.Column("field", "Field", .leading),
        Table.Column("old", "From"), Table.Column("new", "To"),
        Table.Column("source", "Source", .leading),
      ],
      rows: facts.changes.map { change in
        Table.Row([
          .instant(change.changedAt), .code(change.wireName),
          change.oldValue.map(Cell.code) ?? .missing, change.newValue.map(Cell.code) ?? .missing,
          .text(change.source.rawValue),
        ])
      },
      shownLimit: shownLimit, emptyText: "No setting has changed since the first one was read.")
  }
}
