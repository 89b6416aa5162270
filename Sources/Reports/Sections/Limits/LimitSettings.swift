import Model

/// The section with the settings in force, and the fields that their sources sent.
enum LimitSettings {
  static let id = "settings"
  /// Fetched fields in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 60

  static func section(_ data: LimitsData) -> Section {
    Section(
      id: id, title: "Settings in force",
      lead: "Weakest first: built-in, Remote Config, AppSettings, firetally.yml; the strongest "
        + "that names a setting decides.",
      blocks: [.table(effective(data)), .table(fetched(data))])
  }

  private static func effective(_ data: LimitsData) -> Table {
    Table(
      id: "settings", title: "In force", of: data.settings.all,
      columns: [
        Column("setting", "Setting", .leading) { .code($0.key.rawValue) },
        Column("value", "Value") { $0.value.map(Cell.count) ?? .text("not limited") },
        Column("source", "Source", .leading) { .text($0.source.rawValue) },
        Column("read_at", "Read", .leading) { .optional($0.fetchedAt) },
        Column("warning", "Warning", .leading, wraps: true) { .optional($0.warning) },
      ],
      emptyText: "No setting has a value.")
  }

  private static func fetched(_ data: LimitsData) -> Table {
    Table(
      id: "fetched-settings", title: "As the sources sent them", of: data.fetched,
      columns: [
        Column("field", "Field", .leading) { .code($0.wireName) },
        Column("value", "Value", .leading) { .code($0.rawValue) },
        Column("source", "Source", .leading) { .text($0.source.rawValue) },
        Column("read_at", "Read", .leading) { .instant($0.fetchedAt) },
      ],
      shownLimit: shownLimit, emptyText: "No source has sent settings yet.")
  }
}

/// The section with the changes of the settings, newest first.
enum LimitHistory {
  /// Changes in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 30

  static func section(_ data: LimitsData) -> Section {
    Section(
      id: "history", title: "Changes of the settings",
      lead: "Newest first, whenever they were.", blocks: [.table(table(data))])
  }

  private static func table(_ data: LimitsData) -> Table {
    Table(
      id: "setting-changes", title: "Changed values", of: data.changes,
      columns: [
        Column("changed_at", "When", .leading) { .instant($0.changedAt) },
        Column("field", "Field", .leading) { .code($0.wireName) },
        Column("old", "From") { $0.oldValue.map(Cell.code) ?? .missing },
        Column("new", "To") { $0.newValue.map(Cell.code) ?? .missing },
        Column("source", "Source", .leading) { .text($0.source.rawValue) },
      ],
      shownLimit: shownLimit, emptyText: "No setting has changed since the first one was read.")
  }
}
