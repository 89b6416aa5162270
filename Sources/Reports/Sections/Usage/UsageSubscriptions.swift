import Model

/// The section that asks whether the limit brings subscriptions: it compares popups at the limit
/// with popups that had uses left.
struct UsageSubscriptions {
  /// How far popups led.
  struct PopupOutcome {
    var popups = 0
    var taps = 0
    var subscribed = 0

    static func + (left: PopupOutcome, right: PopupOutcome) -> PopupOutcome {
      PopupOutcome(
        popups: left.popups + right.popups, taps: left.taps + right.taps,
        subscribed: left.subscribed + right.subscribed)
    }
  }

  private let tally: UsageTally
  private let data: UsageData

  init(_ data: UsageData, _ tally: UsageTally) {
    self.data = data
    self.tally = tally
  }

  /// Whether any event says who subscribes.
  var isKnown: Bool { tally.bySegment.keys.contains { $0.userType != nil } }

  var subscribed: Int { data.subscriptions.map(\.subscribed).reduce(0, +) }

  /// Each blocked attempt opens one popup; all other popups had uses left.
  func outcome(of feature: Feature, isAtLimit: Bool) -> PopupOutcome {
    let counts = tally.byFeature[feature] ?? UsageCounts()
    let found = data.subscriptions.first { $0.feature == feature && $0.isAtLimit == isAtLimit }
    return PopupOutcome(
      popups: isAtLimit
        ? min(counts.blocked, counts.popups) : max(0, counts.popups - counts.blocked),
      taps: found?.taps ?? 0, subscribed: found?.subscribed ?? 0)
  }

  /// The sum over all features.
  func outcome(isAtLimit: Bool) -> PopupOutcome {
    tally.features.map { outcome(of: $0, isAtLimit: isAtLimit) }.reduce(PopupOutcome(), +)
  }

  var section: Section {
    Section(
      id: "subscriptions", title: "Does the limit bring subscriptions?", lead: lead,
      blocks: [.table(table.folded), .definitions(Self.definitions)])
  }

  private var lead: String {
    let (free, limited) = (outcome(isAtLimit: false), outcome(isAtLimit: true))
    guard free.popups + limited.popups > 0 else { return "No popup in this period." }
    func share(_ outcome: PopupOutcome) -> String {
      NumberWords.percent(Ratio(outcome.taps, of: outcome.popups).percent)
        + " of \(NumberWords.counted(outcome.popups, "popup"))"
    }
    return "The subscription button was tapped at \(share(limited)) at the limit, and at "
      + "\(share(free)) with uses left."
  }

  private struct PopupRow {
    var feature: String
    var isAtLimit: Bool
    var outcome: PopupOutcome
  }

  private var rows: [PopupRow] {
    let byFeature = tally.features.flatMap { feature in
      [false, true].map { isAtLimit in
        PopupRow(
          feature: feature.title, isAtLimit: isAtLimit,
          outcome: outcome(of: feature, isAtLimit: isAtLimit))
      }
    }
    let all = [false, true].map {
      PopupRow(feature: "All features", isAtLimit: $0, outcome: outcome(isAtLimit: $0))
    }
    return byFeature + all
  }

  private var table: Table {
    let isEmpty = tally.current.popups + tally.current.subscriptionTaps == 0
    let isKnown = isKnown
    return Table(
      id: "subscriptions", title: "Popups at the limit and before it", of: isEmpty ? [] : rows,
      columns: [
        Column("feature", "Feature", .leading) { .text($0.feature) },
        Column("popup", "Popup", .leading) {
          .text($0.isAtLimit ? "At the limit" : "With uses left")
        },
        Column("popups", "Popups") { .count($0.outcome.popups) },
        Column("subscription_taps", "Subscription taps, of popups") {
          .ratio(Ratio($0.outcome.taps, of: $0.outcome.popups))
        },
        Column("subscribed", "Seen as subscribers, of taps") {
          isKnown ? .ratio(Ratio($0.outcome.subscribed, of: $0.outcome.taps)) : .missing
        },
      ],
      emptyText: "No popup in this period.")
  }

  static let definitions = [
    Definition(
      "At the limit",
      "The attempt was blocked before the tap; each blocked attempt opens one popup."),
    Definition(
      "Seen as subscribers",
      "People whose events call them subscribers for the first time after they had tapped the "
        + "subscription button, in this period or the one before; each once, at the popup of the last "
        + "tap. What the App Store sold is not known here: a person who subscribed and has not "
        + "come back to a limited feature is not counted."),
  ]
}
