import Model

/// Users by country and language.
enum UsersPlaces {
  /// Rows in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 12

  static func section(_ facts: UsersFacts) -> Section {
    Section(
      id: "places", title: "Countries and languages",
      lead: "The most frequent first.",
      blocks: [
        .table(
          table(
            "countries", "By country", Table.Column("country", "Country", .leading),
            facts.countries, of: facts.total)),
        .table(
          table(
            "languages", "By language", Table.Column("language", "Language", .leading),
            facts.languages, of: facts.total)),
      ])
  }

  static func table(
    _ id: String, _ title: String, _ column: Table.Column, _ counts: [UsersFacts.Count],
    of total: Int
  ) -> Table {
    Table(
      id: id, title: title,
      columns: [
        column, Table.Column("users", "Users", drawsBars: true), Table.Column("share", "Share"),
      ],
      rows: counts.map {
        Table.Row([
          .text($0.name.isEmpty ? "Not told" : $0.name), .count($0.count),
          .ratio(Ratio($0.count, of: total)),
        ])
      },
      shownLimit: shownLimit, emptyText: "No users yet.")
  }
}
