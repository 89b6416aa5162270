import Model

/// The section that says who may use what now, by feature and by profile.
enum LimitOverview {
  static func section(_ statuses: [LimitStatus], _ settings: Settings) -> Section {
    Section(
      .limits, "standings",
      [.table(featureTable(statuses, settings)), .table(profileTable(statuses))]
    ) { "\($0) \(sentence(statuses))" }
  }

  /// Which profiles wait, and for what.
  static func sentence(_ statuses: [LimitStatus]) -> String {
    guard !statuses.isEmpty else { return "No profile has a limited feature." }
    let waiting = statuses.filter {
      $0.availability == .coolingDown || $0.availability == .atLimit
    }
    guard !waiting.isEmpty else {
      return "No profile of this workspace is waiting: every feature may be used now."
    }
    let names = waiting.map { "\($0.feature.rawValue) (\($0.profile.name))" }
    return "Profiles of this workspace that wait for a new allowance: \(names.listed(5))."
  }

  /// A limited feature with its profiles.
  private struct FeatureRow {
    var feature: Feature
    var limit: FeatureLimit
    var statuses: [LimitStatus]

    func count(_ availability: LimitAvailability) -> Cell {
      .count(statuses.count { $0.availability == availability })
    }

    /// The shortest of the running cooldowns.
    var nextFree: Cell {
      let waits = statuses.filter { $0.availability == .coolingDown }
        .map(\.decision.remainingCooldown)
      return waits.min().map {
        .countdown(remaining: $0.fractionalSeconds, of: Double(limit.cooldownSeconds))
      } ?? .missing
    }
  }

  static func featureTable(_ statuses: [LimitStatus], _ settings: Settings) -> Table {
    let rows = Feature.allCases.compactMap { feature in
      settings.limit(of: feature).map { limit in
        FeatureRow(
          feature: feature, limit: limit, statuses: statuses.filter { $0.feature == feature })
      }
    }
    return Table(
      id: "standings-by-feature", title: "By feature", of: rows,
      columns: [
        Column("feature", "Feature", .leading) { .text($0.feature.title) },
        Column("profiles", "Profiles") { .count($0.statuses.count) },
        Column("available", "Available") { $0.count(.available) },
        Column("cooling_down", "Cooling down") { $0.count(.coolingDown) },
        Column("at_limit", "At the limit") { $0.count(.atLimit) },
        Column("bypassing", "Bypassing") { $0.count(.bypassed) },
        Column("next_free", "Next one free in", .leading) { $0.nextFree },
      ],
      emptyText: "The settings limit no feature.")
  }

  private static func profileTable(_ statuses: [LimitStatus]) -> Table {
    Table(
      id: "standings", title: "Profile by profile", of: statuses,
      columns: [
        Column("feature", "Feature", .leading) { .text($0.feature.title) },
        Column("profile", "Profile", .leading) { .text($0.profile.name) },
        Column("tier", "Tier", .leading) { .text($0.profile.tier.rawValue) },
        Column("state", "State", .leading) { $0.availability.cell },
        Column("used", "Used") { .count($0.decision.currentUsage) },
        Column("limit", "Limit") { .optional($0.decision.limit?.limit) },
        Column("time_left", "Time left", .leading) { timeLeft($0) },
      ],
      shownLimit: 60, emptyText: "No profile has a limited feature.", isFolded: true)
  }

  private static func timeLeft(_ status: LimitStatus) -> Cell {
    guard status.availability == .coolingDown else { return .missing }
    return .countdown(
      remaining: status.decision.remainingCooldown.fractionalSeconds,
      of: Double(status.decision.limit?.cooldownSeconds ?? 0))
  }
}
