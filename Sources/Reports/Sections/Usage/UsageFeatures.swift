import Model

/// The section with the attempts by feature, and by segment of people within each feature.
enum UsageFeatures {
  static func section(_ tally: UsageTally) -> Section {
    Section(
      id: "features", title: "Features and segments",
      lead: "Each feature has its own limit. Segments are what a decision saw in a person. "
        + tally.comparison.sentence,
      blocks: [features(tally), changes(tally), segments(tally), cube(tally)])
  }

  private static func features(_ tally: UsageTally) -> Block {
    .table(
      id: "usage-by-feature", title: "By feature", of: tally.features,
      columns: [
        Column("feature", "Feature", .leading) { .text($0.title) },
        Column("taps", "Taps") { .count(tally.now($0).taps) },
        Column("change", "Change") {
          tally.comparison.cell(from: tally.before($0).taps, to: tally.compared($0).taps)
        },
        Column("blocked", "Blocked, of free taps") { .ratio(tally.now($0).blockedShare) },
        Column("taps_by_day", "Taps by day", .leading) { .trend(tally.tapsByDay($0)) },
      ],
      emptyText: tally.context.emptyText("No feature was used in this period."))
  }

  /// Each of the numbers of a feature against the period before.
  private static func changes(_ tally: UsageTally) -> Block {
    let rows = tally.features.flatMap { feature in
      UsageTotals.numbers.map { (feature: feature, title: $0.title, path: $0.path) }
    }
    return .table(
      id: "usage-changes", title: "Against the same weekdays before", of: rows,
      columns: [
        Column("feature", "Feature", .leading) { .text($0.feature.title) },
        Column("what", "What", .leading) { .text($0.title) },
        Column("count", "Events") { .count(tally.now($0.feature)[keyPath: $0.path]) },
        Column("change", "Change") {
          tally.comparison.cell(
            from: tally.before($0.feature)[keyPath: $0.path],
            to: tally.compared($0.feature)[keyPath: $0.path])
        },
      ],
      emptyText: tally.context.emptyText(
        "No feature was used in this period or the one before."), isFolded: true)
  }

  /// The segments of each feature with an event, and then their sum.
  private static func segments(_ tally: UsageTally) -> Block {
    typealias Row = (feature: Feature, segment: String, counts: UsageTotals, isTotal: Bool)
    let rows = tally.features.flatMap { feature in
      UsageTally.segments(of: feature).compactMap { segment -> Row? in
        tally.bySegment[segment].flatMap { counts in
          counts.isEmpty ? nil : (feature, UserType.title(of: segment.userType), counts, false)
        }
      } + [(feature, "All", tally.now(feature), true)]
    }
    return .table(
      id: "usage-by-segment", title: "By feature and segment", of: rows,
      columns: [
        Column("feature", "Feature", .leading) { .text($0.feature.title) },
        Column("segment", "Segment", .leading) { .text($0.segment) },
      ] + UsageTotals.columns(without: ["dismissed"]).reading { $0.counts },
      emptyText: tally.context.emptyText("No feature was used in this period."), isFolded: true,
      isTotal: { $0.isTotal })
  }

  /// The attempts by feature, segment and day, for a pivot table in a spreadsheet.
  private static func cube(_ tally: UsageTally) -> Block {
    typealias Row = (day: CivilDay, segment: UsageTally.Segment, counts: UsageTotals)
    let segments = tally.features.flatMap(UsageTally.segments)
    let rows = tally.days.reversed().flatMap { day in
      segments.compactMap { segment -> Row? in
        tally.bySegmentAndDay[segment]?[day].flatMap { $0.isEmpty ? nil : (day, segment, $0) }
      }
    }
    return .table(
      id: "usage-by-feature-segment-day", title: "By feature, segment and day", of: rows,
      columns: [
        Column("day", "Day", .leading) { .day($0.day) },
        Column("feature", "Feature", .leading) { .text($0.segment.feature.title) },
        Column("segment", "Segment", .leading) { .text(UserType.title(of: $0.segment.userType)) },
      ] + UsageTotals.columns(without: ["dismissed", "bypassed"]).reading { $0.counts },
      shownLimit: 30, emptyText: tally.context.emptyText("No feature was used in this period."),
      isFolded: true)
  }
}
