import Model
import Rules

/// How many may use each feature, and how many wait.
enum LimitFeatures {
  static func table(_ standings: [LimitStanding], _ settings: Settings) -> Table {
    let features = Feature.allCases.filter { settings.limit(of: $0) != nil }
    return Table(
      id: "standings-by-feature", title: "By feature",
      columns: [
        Table.Column("feature", "Feature", .leading), Table.Column("profiles", "Profiles"),
        Table.Column("available", "Available"),
        Table.Column("cooling_down", "Cooling down"), Table.Column("at_limit", "At the limit"),
        Table.Column("bypassing", "Bypassing"),
        Table.Column("next_free", "Next one free in", .leading),
      ],
      rows: features.compactMap { feature in
        settings.limit(of: feature).map { limit in
          row(feature, limit, standings.filter { $0.feature == feature })
        }
      },
      emptyText: "The settings limit no feature.")
  }

  private static func row(
    _ feature: Feature, _ limit: FeatureLimit, _ standings: [LimitStanding]
  ) -> Table.Row {
    func count(_ state: LimitStanding.State) -> Cell {
      .count(standings.count { $0.state == state })
    }
    let nextFree = standings.filter { $0.state == .coolingDown }
      .map(\.decision.remainingCooldown).min()
    return Table.Row([
      .text(feature.title), .count(standings.count), count(.available),
      count(.coolingDown), count(.atLimit), count(.bypassed),
      nextFree.map {
        .countdown(remaining: $0.fractionalSeconds, of: Double(limit.cooldownSeconds))
      } ?? .missing,
    ])
  }
}
