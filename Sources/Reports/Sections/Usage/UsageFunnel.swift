import Model

/// From the tap to the wish to subscribe.
enum UsageFunnel {
  static func section(_ tally: UsageTally) -> Section {
    Section(
      id: "funnel", title: "From tap to subscription",
      lead: "How far attempts went towards a subscription, and where they ended.",
      blocks: [.chart(chart(tally)), .table(byFeature(tally)), .definitions(definitions)])
  }

  private static func chart(_ tally: UsageTally) -> Chart {
    let now = tally.current
    let stages = [
      ("Tap", now.taps, now.taps), ("Popup shown", now.popups, now.taps),
      ("Subscription tapped", now.subscriptionTaps, now.popups),
    ]
    return Chart(
      form: .funnel(column: "count"), labels: stages.map(\.0), unit: "events",
      alternative: "\(NumberWords.counted(now.taps, "tap")) led to "
        + "\(NumberWords.counted(now.popups, "popup")), and those to "
        + "\(NumberWords.counted(now.subscriptionTaps, "tap")) on the subscription button.",
      table: Table(
        id: "funnel", title: "Taps, popups and subscription taps",
        columns: [
          Table.Column("stage", "Stage", .leading), Table.Column("count", "Events"),
          Table.Column("of_previous", "Of the stage before"),
        ],
        rows: now.taps + now.popups + now.subscriptionTaps == 0
          ? []
          : stages.enumerated().map { index, stage in
            let share: Cell = index == 0 ? .missing : .ratio(Ratio(stage.1, of: stage.2))
            return Table.Row([.text(stage.0), .count(stage.1), share])
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
    Definition(
      "Subscription tap",
      "The subscription button of a popup was pressed. Whether a purchase followed is known to "
        + "the App Store, not here."),
  ]
}
