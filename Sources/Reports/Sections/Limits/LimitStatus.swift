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

/// The section that says which rule decides about each feature of the chosen profile, and what all
/// rules say.
enum LimitDecisions {
  static func section(_ data: LimitsData, now: Instant) -> Section {
    let statuses = data.chosen.map { chosen in
      Feature.allCases.filter { data.settings.limit(of: $0) != nil }
        .map { LimitStatus($0, of: chosen, settings: data.settings, now: now) }
    }
    return Section(
      id: "decisions", title: "Why",
      lead: "The rules in their order, as they answer the profile \(data.chosenProfile) at the "
        + "time of this report. The first that proceeds or blocks decides; the later ones are not "
        + "asked.",
      blocks: statuses.flatMap { $0.isEmpty ? nil : [.table(answers($0)), .table(rules($0))] }
        ?? [.text("No feature is limited, so nothing is decided.")])
  }

  /// A rule, and what it says of a feature.
  private typealias Row = (status: LimitStatus, entry: LimitTraceEntry)

  private static func answers(_ statuses: [LimitStatus]) -> Table {
    let rows = statuses.compactMap { status -> Row? in
      status.decision.trace.last { $0.effect != .notAsked }.map { (status, $0) }
    }
    return Table(
      id: "decisions", title: "The rule that decides", of: rows,
      columns: [
        feature, Column("state", "State", .leading) { $0.status.availability.cell },
      ] + rule)
  }

  private static func rules(_ statuses: [LimitStatus]) -> Table {
    Table(
      id: "decision-rules", title: "Rule by rule",
      of: statuses.flatMap { status in status.decision.trace.map { (status, $0) } },
      columns: [feature] + rule.prefix(1)
        + [Column("verdict", "Verdict", .leading) { $0.entry.effect.cell }] + rule.dropFirst(),
      isFolded: true)
  }

  private static var feature: Column<Row> {
    Column("feature", "Feature", .leading) { .text($0.status.feature.title) }
  }

  private static var rule: [Column<Row>] {
    [
      Column("rule", "Rule", .leading) { .code($0.entry.rule.rawValue) },
      Column("inputs", "Looks at", .leading, wraps: true) {
        $0.entry.inputs.isEmpty ? .missing : .text($0.entry.inputs.joined(separator: ", "))
      },
      Column("finding", "Finds", .leading, wraps: true) { .optional($0.entry.finding) },
    ]
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
