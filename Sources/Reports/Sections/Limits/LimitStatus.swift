import Model
import Store

/// What the limit of one feature allows one profile now; reading it uses nothing up.
struct LimitStatus {
  let profile: Profile
  let feature: Feature
  let decision: LimitResult

  init(
    _ feature: Feature, of limits: LimitsData.ProfileLimits, settings: Settings, now: Instant
  ) {
    profile = limits.profile
    self.feature = feature
    decision = LimitRule.decide(
      LimitInput(
        feature: feature, state: limits.states[feature] ?? .initial, profile: limits.profile,
        settings: settings, now: now), action: .peek)
  }

  var availability: LimitAvailability {
    guard decision.limit != nil else { return .unlimited }
    guard decision.userType == .freeUser else { return .bypassed }
    if decision.canProceed { return .available }
    return decision.remainingCooldown > .zero ? .coolingDown : .atLimit
  }

  /// Every limited feature with the profiles that have used it.
  ///
  /// Ordered by feature, then waiting profiles first, then the shortest wait first. The default
  /// profile and the chosen one are listed even when they have not used the feature.
  static func all(_ data: LimitsData, now: Instant) -> [LimitStatus] {
    Feature.allCases.filter { data.settings.limit(of: $0) != nil }.flatMap { feature in
      data.profiles.filter { isListed(feature, of: $0, data) }
        .map { LimitStatus(feature, of: $0, settings: data.settings, now: now) }
        .enumerated()
        .sorted { left, right in
          (left.element.rank, left.element.decision.remainingCooldown, left.offset)
            < (right.element.rank, right.element.decision.remainingCooldown, right.offset)
        }
        .map(\.element)
    }
  }

  private static func isListed(
    _ feature: Feature, of limits: LimitsData.ProfileLimits, _ data: LimitsData
  ) -> Bool {
    [Profile.defaultName, data.chosenProfile].contains(limits.profile.name)
      || limits.states[feature] != nil
  }

  /// The place in a list; waiting profiles come first.
  private var rank: Int {
    let order: [LimitAvailability] = [.coolingDown, .atLimit, .available, .bypassed]
    return order.firstIndex(of: availability) ?? order.count
  }
}

/// Whether a profile may use a feature.
enum LimitAvailability: String {
  case unlimited = "Not limited"
  case bypassed = "Bypasses the limit"
  case available = "Available"
  case coolingDown = "Cooling down"
  /// At the limit with no cooldown running: the next attempt starts one.
  case atLimit = "At the limit"

  var cell: Cell {
    switch self {
    case .unlimited, .bypassed: .level(.notice, rawValue)
    case .available: .level(.pass, rawValue)
    case .coolingDown, .atLimit: .level(.warn, rawValue)
    }
  }
}

/// The section that traces each decision about the chosen profile, rule by rule.
enum LimitDecisions {
  static func section(_ data: LimitsData, now: Instant) -> Section {
    let tables = data.chosen.map { chosen in
      Feature.allCases
        .filter { data.settings.limit(of: $0) != nil }
        .map { LimitStatus($0, of: chosen, settings: data.settings, now: now) }
        .map(table)
    }
    return Section(
      id: "decisions", title: "Why",
      lead: "The rules in their order, as they answer the profile \(data.chosenProfile) at the "
        + "time of this report. The first that proceeds or blocks decides; the later ones are not "
        + "asked.",
      blocks: (tables ?? []).isEmpty
        ? [.text("No feature is limited, so nothing is decided.")] : (tables ?? []).map(Block.table)
    )
  }

  private static func table(_ status: LimitStatus) -> Table {
    Table(
      id: "decision-\(status.feature.rawValue)",
      title: "\(status.feature.title): \(status.availability.rawValue.lowercased())",
      of: status.decision.trace,
      columns: [
        Column("rule", "Rule", .leading) { .code($0.rule.rawValue) },
        Column("verdict", "Verdict", .leading) { $0.effect.cell },
        Column("inputs", "Looks at", .leading, wraps: true) {
          $0.inputs.isEmpty ? .missing : .text($0.inputs.joined(separator: ", "))
        },
        Column("finding", "Finds", .leading, wraps: true) { .optional($0.finding) },
      ])
  }
}

extension LimitTraceEntry.Effect {
  fileprivate var cell: Cell {
    switch self {
    case .goesOn: .level(.notice, "goes on")
    case .proceeds: .level(.pass, "proceeds")
    case .blocks: .level(.warn, "blocks")
    case .notAsked: .missing
    }
  }
}
