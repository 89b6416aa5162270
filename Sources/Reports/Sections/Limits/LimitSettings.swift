import Model

/// The settings in force, and the fields they came from.
enum LimitSettings {
  static let id = "settings"
  /// Fetched fields in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 60

  static func section(_ facts: LimitsFacts) -> Section {
    Section(
      id: id, title: "Settings in force",
      lead: "Weakest first: built-in, Remote Config, AppSettings, firetally.yml; the strongest "
        + "that names a setting decides.",
      blocks: [.table(effective(facts)), .table(fetched(facts))])
  }

  private static func effective(_ facts: LimitsFacts) -> Table {
    Table(
      id: "settings", title: "In force",
      columns: [
        Table.Column("setting", "Setting", .leading), Table.Column("value", "Value"),
        Table.Column("source", "Source", .leading), Table.Column("read_at", "Read", .leading),
        Table.Column("warning", "Warning", .leading, wraps: true),
      ],
      rows: facts.settings.all.map { setting in
        Table.Row([
          .code(setting.key.rawValue), setting.value.map(Cell.count) ?? .text("not limited"),
          .text(setting.source.rawValue), .optional(setting.fetchedAt), .optional(setting.warning),
        ])
      },
      emptyText: "No setting has a value.")
  }

  private static func fetched(_ facts: LimitsFacts) -> Table {
    Table(
      id: "fetched-settings", title: "As the sources sent them",
      columns: [
        Table.Column("field", "Field", .leading), Table.Column("value", "Value", .leading),
        Table.Column("source", "Source", .leading), Table.Column("read_at", "Read", .leading),
      ],
      rows: facts.fetched.map { field in
        Table.Row([
          .code(field.wireName), .code(field.rawValue), .text(field.source.rawValue),
          .instant(field.fetchedAt),
        ])
      },
      shownLimit: shownLimit, emptyText: "No source has sent settings yet.")
  }
}
