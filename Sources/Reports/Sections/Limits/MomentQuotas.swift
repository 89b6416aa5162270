import Model
import Rules

/// The quotas of moments, and where the profiles stand with them.
enum MomentQuotas {
  static let shownLimit = 60

  static func section(_ facts: LimitsFacts) -> Section {
    Section(
      id: "quotas", title: "Moments",
      lead: "Moments are counted by their service. The counts here are those of this workspace; a "
        + "quota is reached when the service has said so.",
      blocks: [
        .table(allowances(facts.settings)), .table(standings(facts)), .definitions(definitions),
      ])
  }

  private static func allowances(_ settings: Settings) -> Table {
    let allowance = MomentAllowance(settings)
    return Table(
      id: "quotas", title: "Quotas in force",
      columns: [
        Table.Column("who", "Who", .leading), Table.Column("per_day", "A day"),
        Table.Column("total", "In all"),
      ],
      rows: settings.limitsMoments
        ? [
          Table.Row([
            .text("Free"), .count(allowance.freePerDay), .count(allowance.freeTotal),
          ]),
          Table.Row([.text("Subscribed"), .count(allowance.premiumPerDay), .text("not limited")]),
        ] : [],
      emptyText: "The settings name no quotas of moments.")
  }

  private static func standings(_ facts: LimitsFacts) -> Table {
    Table(
      id: "quota-standings", title: "By profile",
      columns: [
        Table.Column("profile", "Profile", .leading), Table.Column("tier", "Tier", .leading),
        Table.Column("state", "State", .leading), Table.Column("today", "Today"),
        Table.Column("per_day", "Of a day's"), Table.Column("total", "In all"),
        Table.Column("total_limit", "Of"), Table.Column("until", "Until", .leading),
      ],
      rows: facts.settings.limitsMoments
        ? facts.profiles.filter { isListed($0, facts) }.map { row($0, facts.settings) } : [],
      shownLimit: shownLimit, emptyText: "No profile has logged a moment here.")
  }

  private static func isListed(_ limits: LimitsFacts.ProfileLimits, _ facts: LimitsFacts) -> Bool {
    limits.profile.name == facts.chosenProfile || limits.moments.countTotal > 0
      || limits.moments.marks != .none
  }

  private static func row(
    _ limits: LimitsFacts.ProfileLimits, _ settings: Settings
  ) -> Table.Row {
    let standing = MomentStanding(limits, settings)
    let total = standing.allowance.total(for: standing.tier)
    return Table.Row([
      .text(limits.profile.name), .text(standing.tier.rawValue),
      .level(standing.block == nil ? .pass : .warn, standing.stateWords),
      .count(standing.countToday), .count(standing.allowance.perDay(for: standing.tier)),
      .count(standing.countTotal), total.map(Cell.count) ?? .missing,
      standing.block == .daily ? .instant(standing.today.end) : .missing,
    ])
  }

  private static let definitions = [
    Definition("May log", "No quota is known to be reached; our own counts hold up nobody."),
    Definition("Day's quota reached", "The service said so; the next local day begins anew."),
    Definition("Quota of all reached", "The service said so; it stays until an upgrade."),
  ]
}

extension MomentStanding {
  /// Of one profile, as the facts have it.
  init(_ limits: LimitsFacts.ProfileLimits, _ settings: Settings) {
    self.init(
      tier: limits.profile.tier, today: limits.moments.today,
      countToday: limits.moments.countToday, countTotal: limits.moments.countTotal,
      allowance: MomentAllowance(settings), marks: limits.moments.marks)
  }

  var stateWords: String {
    switch block {
    case .daily: "Day's quota reached"
    case .total: "Quota of all reached"
    case nil: "May log"
    }
  }
}

extension Settings {
  /// Whether they name the quotas of moments, as all settings do that were resolved.
  var limitsMoments: Bool { value(.freeMomentsPerDay) != nil }
}
