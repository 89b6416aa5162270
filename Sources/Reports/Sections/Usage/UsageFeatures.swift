import Model

/// The same numbers by feature, and within each feature by who the people were.
enum UsageFeatures {
  static func section(_ tally: UsageTally) -> Section {
    Section(
      id: "features", title: "Features and segments",
      lead: "Each feature has its own limit. Segments are what a decision saw in a person.",
      blocks: [
        .table(features(tally)), .table(changes(tally)), .table(segments(tally)),
        .table(UsageCube.table(tally)),
      ])
  }

  private static func features(_ tally: UsageTally) -> Table {
    Table(
      id: "usage-by-feature", title: "By feature",
      columns: [
        Table.Column("feature", "Feature", .leading), Table.Column("taps", "Taps"),
        Table.Column("change", "Change"), Table.Column("blocked", "Blocked, of taps"),
        Table.Column("taps_by_day", "Taps by day", .leading),
      ],
      rows: tally.features.map { row(of: $0, tally) },
      emptyText: "No feature was used in this period.")
  }

  private static func row(of feature: Feature, _ tally: UsageTally) -> Table.Row {
    let now = tally.byFeature[feature] ?? UsageCounts()
    let before = tally.byFeatureBefore[feature] ?? UsageCounts()
    let byDay = tally.tapsByFeatureAndDay[feature] ?? [:]
    return Table.Row([
      .text(feature.title), .count(now.taps), .change(Change(from: before.taps, to: now.taps)),
      .ratio(Ratio(now.blocked, of: now.taps)), .trend(tally.days.map { byDay[$0] ?? 0 }),
    ])
  }

  private static func changes(_ tally: UsageTally) -> Table {
    Table(
      id: "usage-changes", title: "Against the period before",
      columns: [
        Table.Column("feature", "Feature", .leading), Table.Column("what", "What", .leading),
        Table.Column("count", "Events"), Table.Column("change", "Change"),
      ],
      rows: tally.features.flatMap { feature in
        let now = tally.byFeature[feature] ?? UsageCounts()
        let before = tally.byFeatureBefore[feature] ?? UsageCounts()
        return zip(UsageCounts.columns, zip(before.numbers, now.numbers)).map { column, counts in
          Table.Row([
            .text(feature.title), .text(column.title), .count(counts.1),
            .change(Change(from: counts.0, to: counts.1)),
          ])
        }
      },
      emptyText: "No feature was used in this period or the one before.")
  }

  private static func segments(_ tally: UsageTally) -> Table {
    Table(
      id: "usage-by-segment", title: "By feature and segment",
      columns: [
        Table.Column("feature", "Feature", .leading), Table.Column("segment", "Segment", .leading),
      ] + UsageCounts.columns,
      rows: tally.features.flatMap { segmentRows(of: $0, tally) },
      emptyText: "No feature was used in this period.")
  }

  private static func segmentRows(of feature: Feature, _ tally: UsageTally) -> [Table.Row] {
    let types: [UserType?] = UserType.allCases + [nil]
    let rows = types.compactMap { type -> Table.Row? in
      let key = UsageTally.Segment(feature: feature, userType: type)
      guard let counts = tally.bySegment[key], !counts.isEmpty else { return nil }
      return Table.Row([.text(feature.title), .text(UserType.title(of: type))] + counts.cells)
    }
    let total = tally.byFeature[feature] ?? UsageCounts()
    return rows + [
      Table.Row([.text(feature.title), .text("All")] + total.cells, isTotal: true)
    ]
  }
}
