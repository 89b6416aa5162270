import Model

/// The counts in every direction at once, for those who want to pivot them.
enum UsageCube {
  /// Rows in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 30

  static func table(_ tally: UsageTally) -> Table {
    Table(
      id: "usage-by-feature-segment-day", title: "By feature, segment and day",
      columns: [
        Table.Column("day", "Day", .leading), Table.Column("feature", "Feature", .leading),
        Table.Column("segment", "Segment", .leading),
      ] + UsageCounts.columns,
      rows: tally.days.reversed().flatMap { day in
        tally.features.flatMap { feature in
          (UserType.allCases + [nil]).compactMap { row(of: day, feature, $0, tally) }
        }
      },
      shownLimit: shownLimit, emptyText: "No feature was used in this period.")
  }

  /// Nil where nothing happened.
  private static func row(
    of day: CivilDay, _ feature: Feature, _ type: UserType?, _ tally: UsageTally
  ) -> Table.Row? {
    let segment = UsageTally.Segment(feature: feature, userType: type)
    guard let counts = tally.bySegmentAndDay[segment]?[day], !counts.isEmpty else { return nil }
    return Table.Row(
      [.day(day), .text(feature.title), .text(UserType.title(of: type))] + counts.cells)
  }
}
