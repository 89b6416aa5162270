import Model

/// The section with the attempts by feature, and by segment of people within each feature.
enum UsageFeatures {
  static func section(_ tally: UsageTally) -> Section {
    Section(
      id: "features", title: "Features and segments",
      lead: "Each feature has its own limit. Segments are what a decision saw in a person. "
        + tally.comparison.sentence,
      blocks: [
        .table(featureTable(tally)), .table(changeTable(tally).folded),
        .table(segmentTable(tally).folded),
        .table(UsageCube.table(tally).folded),
      ])
  }

  /// A feature in this period and in the one before.
  private struct FeatureRow {
    var feature: Feature
    var now: UsageTotals
    /// The two sides of the comparison.
    var compared: UsageTotals
    var before: UsageTotals

    init(_ feature: Feature, _ tally: UsageTally) {
      self.feature = feature
      now = tally.byFeature[feature] ?? UsageTotals()
      compared = tally.byFeatureCompared[feature] ?? UsageTotals()
      before = tally.byFeatureBefore[feature] ?? UsageTotals()
    }
  }

  private static func featureTable(_ tally: UsageTally) -> Table {
    Table(
      id: "usage-by-feature", title: "By feature",
      of: tally.features.map { FeatureRow($0, tally) },
      columns: [
        Column("feature", "Feature", .leading) { .text($0.feature.title) },
        Column("taps", "Taps") { .count($0.now.taps) },
        Column("change", "Change") {
          tally.comparison.cell(from: $0.before.taps, to: $0.compared.taps)
        },
        Column("blocked", "Blocked, of free taps") { .ratio($0.now.blockedShare) },
        Column("taps_by_day", "Taps by day", .leading) { .trend(tally.tapsByDay($0.feature)) },
      ],
      emptyText: tally.context.emptyText("No feature was used in this period."))
  }

  /// One of the numbers of a feature against the period before.
  private struct ChangeRow {
    var feature: Feature
    var title: String
    var count: Int
    var change: Cell
  }

  private static func changeTable(_ tally: UsageTally) -> Table {
    let rows = tally.features.map { FeatureRow($0, tally) }.flatMap { row in
      UsageTotals.numbers.map { number in
        ChangeRow(
          feature: row.feature, title: number.title, count: row.now[keyPath: number.path],
          change: tally.comparison.cell(
            from: row.before[keyPath: number.path], to: row.compared[keyPath: number.path]))
      }
    }
    return Table(
      id: "usage-changes", title: "Against the same weekdays before", of: rows,
      columns: [
        Column("feature", "Feature", .leading) { .text($0.feature.title) },
        Column("what", "What", .leading) { .text($0.title) },
        Column("count", "Events") { .count($0.count) },
        Column("change", "Change") { $0.change },
      ],
      emptyText: tally.context.emptyText(
        "No feature was used in this period or the one before."))
  }

  /// A segment of people within a feature, or all of them.
  private struct SegmentRow {
    var feature: Feature
    var segment: String
    var counts: UsageTotals
    var isTotal = false
  }

  private static func segmentTable(_ tally: UsageTally) -> Table {
    Table(
      id: "usage-by-segment", title: "By feature and segment",
      of: tally.features.flatMap { segmentRows(of: $0, tally) },
      columns: [
        Column("feature", "Feature", .leading) { .text($0.feature.title) },
        Column("segment", "Segment", .leading) { .text($0.segment) },
      ] + UsageTotals.columns(without: ["dismissed"]).reading { $0.counts },
      emptyText: tally.context.emptyText("No feature was used in this period."),
      isTotal: { $0.isTotal })
  }

  /// The segments with an event, and then their sum.
  private static func segmentRows(of feature: Feature, _ tally: UsageTally) -> [SegmentRow] {
    let types: [UserType?] = UserType.allCases + [nil]
    let rows = types.compactMap { type -> SegmentRow? in
      let key = UsageTally.Segment(feature: feature, userType: type)
      guard let counts = tally.bySegment[key], !counts.isEmpty else { return nil }
      return SegmentRow(feature: feature, segment: UserType.title(of: type), counts: counts)
    }
    let total = tally.byFeature[feature] ?? UsageTotals()
    return rows + [SegmentRow(feature: feature, segment: "All", counts: total, isTotal: true)]
  }
}

/// The table with the attempts by feature, segment and day, for a pivot table in a spreadsheet.
enum UsageCube {
  /// Rows in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 30

  private struct CubeRow {
    var day: CivilDay
    var segment: UsageTally.Segment
    var counts: UsageTotals
  }

  static func table(_ tally: UsageTally) -> Table {
    let rows = tally.days.reversed().flatMap { day in
      tally.features.flatMap { feature in
        (UserType.allCases + [nil]).compactMap { row(of: day, feature, $0, tally) }
      }
    }
    return Table(
      id: "usage-by-feature-segment-day", title: "By feature, segment and day", of: rows,
      columns: [
        Column("day", "Day", .leading) { .day($0.day) },
        Column("feature", "Feature", .leading) { .text($0.segment.feature.title) },
        Column("segment", "Segment", .leading) { .text(UserType.title(of: $0.segment.userType)) },
      ] + UsageTotals.columns(without: ["dismissed", "bypassed"]).reading { $0.counts },
      shownLimit: shownLimit,
      emptyText: tally.context.emptyText("No feature was used in this period."))
  }

  /// Nil when nothing happened.
  private static func row(
    of day: CivilDay, _ feature: Feature, _ type: UserType?, _ tally: UsageTally
  ) -> CubeRow? {
    let segment = UsageTally.Segment(feature: feature, userType: type)
    guard let counts = tally.bySegmentAndDay[segment]?[day], !counts.isEmpty else { return nil }
    return CubeRow(day: day, segment: segment, counts: counts)
  }
}
