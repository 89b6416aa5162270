import Model

/// Whether the limit brings subscriptions: popups with uses left against popups at the limit.
struct UsageSubscriptions {
  /// What popups of one kind came to.
  struct Outcome {
    var popups = 0
    var taps = 0
    var subscribed = 0

    static func + (left: Outcome, right: Outcome) -> Outcome {
      Outcome(
        popups: left.popups + right.popups, taps: left.taps + right.taps,
        subscribed: left.subscribed + right.subscribed)
    }
  }

  private let tally: UsageTally
  private let facts: UsageFacts

  init(_ facts: UsageFacts, _ tally: UsageTally) {
    self.facts = facts
    self.tally = tally
  }

  /// Whether events say who subscribes at all.
  var isKnown: Bool { tally.bySegment.keys.contains { $0.userType != nil } }

  var subscribed: Int { facts.subscriptions.map(\.subscribed).reduce(0, +) }

  /// Each blocked attempt opens one popup; all others had uses left.
  func outcome(of feature: Feature, isAtLimit: Bool) -> Outcome {
    let counts = tally.byFeature[feature] ?? UsageCounts()
    let found = facts.subscriptions.first { $0.feature == feature && $0.isAtLimit == isAtLimit }
    return Outcome(
      popups: isAtLimit
        ? min(counts.blocked, counts.popups) : max(0, counts.popups - counts.blocked),
      taps: found?.taps ?? 0, subscribed: found?.subscribed ?? 0)
  }

  /// The same of all features.
  func outcome(isAtLimit: Bool) -> Outcome {
    tally.features.map { outcome(of: $0, isAtLimit: isAtLimit) }.reduce(Outcome(), +)
  }

  var section: Section {
    Section(
      id: "subscriptions", title: "Does the limit bring subscriptions?", lead: lead,
      blocks: [.table(table), .definitions(Self.definitions)])
  }

  private var lead: String {
    let (free, limited) = (outcome(isAtLimit: false), outcome(isAtLimit: true))
    guard free.popups + limited.popups > 0 else { return "No popup in this period." }
    func share(_ outcome: Outcome) -> String {
      NumberWords.percent(Ratio(outcome.taps, of: outcome.popups).percent)
        + " of \(NumberWords.counted(outcome.popups, "popup"))"
    }
    return "The subscription button was tapped at \(share(limited)) at the limit, and at "
      + "\(share(free)) with uses left."
  }

  private var table: Table {
    Table(
      id: "subscriptions", title: "Popups at the limit and before it",
      columns: [
        Table.Column("feature", "Feature", .leading), Table.Column("popup", "Popup", .leading),
        Table.Column("popups", "Popups"),
        Table.Column("subscription_taps", "Subscription taps, of popups"),
        Table.Column("subscribed", "Seen as subscribers, of taps"),
      ],
      rows: tally.current.popups + tally.current.subscriptionTaps == 0
        ? []
        : tally.features.flatMap { feature in
          [false, true].map { isAtLimit in
            row(feature.title, isAtLimit, outcome(of: feature, isAtLimit: isAtLimit))
          }
        } + [false, true].map { row("All features", $0, outcome(isAtLimit: $0)) },
      emptyText: "No popup in this period.")
  }

  private func row(
    _ name: String, _ isAtLimit: Bool, _ outcome: Outcome
  ) -> Table.Row {
    Table.Row([
      .text(name), .text(isAtLimit ? "At the limit" : "With uses left"), .count(outcome.popups),
      .ratio(Ratio(outcome.taps, of: outcome.popups)),
      isKnown ? .ratio(Ratio(outcome.subscribed, of: outcome.taps)) : .missing,
    ])
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
