import Model

/// The same ratings by app version and by country.
enum RatingGroups {
  static let shownLimit = 12

  static func section(_ tally: RatingsTally) -> Section {
    Section(
      id: "groups", title: "Versions and countries",
      lead: "Where a rating came from, when its event said so.",
      blocks: [
        .table(
          table(
            "ratings-by-version", "By app version", Table.Column("version", "Version", .leading),
            tally.byVersion)),
        .table(
          table(
            "ratings-by-country", "By country", Table.Column("country", "Country", .leading),
            tally.byCountry)),
      ])
  }

  private static func table(
    _ id: String, _ title: String, _ column: Table.Column, _ groups: [String?: StarCounts]
  ) -> Table {
    let ordered = groups.sorted { left, right in
      (right.value.count, left.key ?? "\u{10FFFF}") < (left.value.count, right.key ?? "\u{10FFFF}")
    }
    return Table(
      id: id, title: title,
      columns: [column] + StarCounts.columns,
      rows: ordered.map { name, counts in
        Table.Row([.text(name ?? "Not told")] + counts.cells)
      },
      shownLimit: shownLimit, emptyText: "No rating in this period.")
  }
}
