import Model
import Rules

/// Who may use what now.
enum LimitStandings {
  static let shownLimit = 60

  static func section(_ standings: [LimitStanding], _ settings: Settings) -> Section {
    Section(
      id: "standings", title: "Who may use what",
      lead: "What would happen at the next tap, at the time of this report.",
      blocks: [
        .table(LimitFeatures.table(standings, settings)), .table(table(standings)),
        .definitions(definitions),
      ])
  }

  private static func table(_ standings: [LimitStanding]) -> Table {
    Table(
      id: "standings", title: "Profile by profile",
      columns: [
        Table.Column("feature", "Feature", .leading), Table.Column("profile", "Profile", .leading),
        Table.Column("tier", "Tier", .leading), Table.Column("state", "State", .leading),
        Table.Column("used", "Used"), Table.Column("limit", "Limit"),
        Table.Column("time_left", "Time left", .leading),
      ],
      rows: standings.map(row), shownLimit: shownLimit,
      emptyText: "No profile has a limited feature.")
  }

  private static func row(_ standing: LimitStanding) -> Table.Row {
    let decision = standing.decision
    let limit = decision.limit
    return Table.Row([
      .text(standing.feature.title), .text(standing.profile.name),
      .text(standing.profile.tier.rawValue), standing.state.cell, .count(decision.currentUsage),
      limit.map { .count($0.limit) } ?? .missing,
      standing.state == .coolingDown
        ? .countdown(
          remaining: decision.remainingCooldown.fractionalSeconds,
          of: Double(limit?.cooldownSeconds ?? 0))
        : .missing,
    ])
  }

  private static let definitions = [
    Definition("Available", "The popup shows the action button with what is left."),
    Definition(
      "At the limit", "Nothing is left; the next tap opens the popup and starts the wait."),
    Definition("Cooling down", "The wait runs; the allowance is whole again when it ends."),
    Definition("Bypasses the limit", "Subscribed, or in the free period of a new account."),
  ]
}
