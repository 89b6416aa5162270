import Model

/// The section with the stages from the tap on a feature to a subscription.
enum UsageFunnel {
  private struct Stage {
    var title: String
    var count: Int
    /// The count of the stage before; nil for the first stage.
    var whole: Int?
  }

  static func section(_ tally: UsageTally, _ subscriptions: UsageSubscriptions) -> Section {
    Section(
      id: "funnel", title: "From tap to subscription",
      lead: "How far attempts went towards a subscription, and where they ended.",
      blocks: [
        .chart(chart(stages(tally.current, subscriptions))), .table(byFeature(tally).folded),
        .definitions(definitions),
      ])
  }

  /// Leaves out the last stage when the events do not say who subscribes.
  private static func stages(
    _ now: UsageCounts, _ subscriptions: UsageSubscriptions
  ) -> [Stage] {
    let stages = [
      Stage(title: "Tap", count: now.taps),
      Stage(title: "Popup shown", count: now.popups, whole: now.taps),
      Stage(title: "Subscription tapped", count: now.subscriptionTaps, whole: now.popups),
    ]
    guard subscriptions.isKnown else { return stages }
    return stages + [
      Stage(
        title: "Seen as subscriber", count: subscriptions.subscribed, whole: now.subscriptionTaps)
    ]
  }

  private static func chart(_ stages: [Stage]) -> Chart {
    let steps = stages.map { "\($0.title.lowercased()) \(NumberWords.grouped($0.count))" }
    return Chart(
      form: .funnel(column: "count"), labels: stages.map(\.title), unit: "events",
      alternative: "From stage to stage: " + steps.joined(separator: ", ") + ".",
      table: Table(
        id: "funnel", title: "From tap to subscription",
        of: stages.allSatisfy { $0.count == 0 } ? [] : stages,
        columns: [
          Column("stage", "Stage", .leading) { .text($0.title) },
          Column("count", "Events") { .count($0.count) },
          Column("of_previous", "Of the stage before") { share($0) },
        ],
        emptyText: "No attempt in this period."))
  }

  private static func share(_ stage: Stage) -> Cell {
    stage.whole.map { .ratio(Ratio(stage.count, of: $0)) } ?? .missing
  }

  private static func byFeature(_ tally: UsageTally) -> Table {
    let rows = tally.features.map {
      (feature: $0, counts: tally.byFeature[$0] ?? UsageCounts())
    }
    return Table(
      id: "funnel-by-feature", title: "By feature", of: rows,
      columns: [
        Column("feature", "Feature", .leading) { .text($0.feature.title) },
        Column("taps", "Taps") { .count($0.counts.taps) },
        Column("popups", "Popups, of taps") { .ratio(Ratio($0.counts.popups, of: $0.counts.taps)) },
        Column("subscription_taps", "Subscription taps, of popups") {
          .ratio(Ratio($0.counts.subscriptionTaps, of: $0.counts.popups))
        },
      ],
      emptyText: "No attempt in this period.")
  }

  private static let definitions = [
    Definition(
      "Of the stage before",
      "Events of a stage divided by events of the one before it, in the same period. Events are "
        + "counted, not people: one person may tap many times."),
    Definition("Subscription tap", "The subscription button of a popup was pressed."),
    Definition(
      "Seen as subscriber",
      "A person's first event as a subscriber after such a tap, one a person; not shown when the "
        + "events do not say who subscribes."),
  ]
}
