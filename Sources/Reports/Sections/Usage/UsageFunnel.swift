import Model

/// From the tap to the wish to subscribe.
enum UsageFunnel {
  private struct Stage {
    var title: String
    var count: Int
    /// The stage before; nil for the first.
    var whole: Int?
  }

  static func section(_ tally: UsageTally, _ subscriptions: UsageSubscriptions) -> Section {
    Section(
      id: "funnel", title: "From tap to subscription",
      lead: "How far attempts went towards a subscription, and where they ended.",
      blocks: [
        .chart(chart(stages(tally.current, subscriptions))), .table(byFeature(tally)),
        .definitions(definitions),
      ])
  }

  /// The last stage is there only when events say who subscribes.
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
        columns: [
          Table.Column("stage", "Stage", .leading), Table.Column("count", "Events"),
          Table.Column("of_previous", "Of the stage before"),
        ],
        rows: stages.allSatisfy { $0.count == 0 }
          ? []
          : stages.map { stage in
            let share = stage.whole.map { Cell.ratio(Ratio(stage.count, of: $0)) }
            return Table.Row([.text(stage.title), .count(stage.count), share ?? .missing])
          },
        emptyText: "No attempt in this period."))
  }

  private static func byFeature(_ tally: UsageTally) -> Table {
    Table(
      id: "funnel-by-feature", title: "By feature",
      columns: [
        Table.Column("feature", "Feature", .leading), Table.Column("taps", "Taps"),
        Table.Column("popups", "Popups, of taps"),
        Table.Column("subscription_taps", "Subscription taps, of popups"),
      ],
      rows: tally.features.map { feature in
        let counts = tally.byFeature[feature] ?? UsageCounts()
        return Table.Row([
          .text(feature.title), .count(counts.taps), .ratio(Ratio(counts.popups, of: counts.taps)),
          .ratio(Ratio(counts.subscriptionTaps, of: counts.popups)),
        ])
      },
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
