import Model
import Store

/// The section with the quotas of moments, and how far each profile has used them.
enum MomentQuotas {
  static func section(_ data: LimitsData) -> Section {
    Section(.limits, "quotas", [.table(quotaTable(data.settings)), .table(profileTable(data))])
  }

  private static func quotaTable(_ settings: Settings) -> Table {
    let allowance = MomentAllowance(settings)
    let rows: [(who: String, perDay: Int, total: Int?)] = [
      ("Free", allowance.freePerDay, allowance.freeTotal),
      ("Subscribed", allowance.premiumPerDay, nil),
    ]
    return Table(
      id: "quotas", title: "Quotas in force", of: settings.limitsMoments ? rows : [],
      columns: [
        Column("who", "Who", .leading) { .text($0.who) },
        Column("per_day", "A day") { .count($0.perDay) },
        Column("total", "In all") { $0.total.map(Cell.count) ?? .text("not limited") },
      ],
      emptyText: "The settings name no quotas of moments.")
  }

  private static func profileTable(_ data: LimitsData) -> Table {
    let profiles = data.profiles.filter { data.settings.limitsMoments && isListed($0, data) }
    return Table(
      id: "quota-standings", title: "By profile",
      of: profiles.map {
        (name: $0.profile.name, moments: MomentSnapshot($0, data.settings))
      },
      columns: [
        Column("profile", "Profile", .leading) { .text($0.name) },
        Column("tier", "Tier", .leading) { .text($0.moments.tier.rawValue) },
        Column("state", "State", .leading) {
          .level($0.moments.block == nil ? .pass : .warn, $0.moments.stateWords)
        },
        Column("today", "Today") { .count($0.moments.countToday) },
        Column("per_day", "Daily quota") {
          .count($0.moments.allowance.perDay(for: $0.moments.tier))
        },
        Column("total", "In all") { .count($0.moments.countTotal) },
        Column("total_limit", "Total quota") {
          .optional($0.moments.allowance.total(for: $0.moments.tier))
        },
        Column("until", "Until", .leading) {
          $0.moments.block == .daily ? .instant($0.moments.today.end) : .missing
        },
      ],
      shownLimit: 60, emptyText: "No profile has logged a moment here.", isFolded: true)
  }

  private static func isListed(_ limits: LimitsData.ProfileLimits, _ data: LimitsData) -> Bool {
    limits.profile.name == data.chosenProfile || limits.moments.countTotal > 0
      || limits.moments.reached != .none
  }
}

extension MomentSnapshot {
  /// The moments of one profile under the settings in force.
  init(_ limits: LimitsData.ProfileLimits, _ settings: Settings) {
    self.init(
      tier: limits.profile.tier, today: limits.moments.today,
      countToday: limits.moments.countToday, countTotal: limits.moments.countTotal,
      allowance: MomentAllowance(settings), reached: limits.moments.reached,
      isTimelineRestricted: limits.profile.isTimelineRestricted)
  }

  var stateWords: String {
    switch block {
    case .daily: "Day's quota reached"
    case .total: "Quota of all reached"
    case nil where dueTrigger == .timelineRestricted: "May log, timeline restricted"
    case nil: "May log"
    }
  }
}

extension Settings {
  /// Whether the settings name the quotas of moments; resolved settings always do.
  var limitsMoments: Bool { value(.freeMomentsPerDay) != nil }
}
