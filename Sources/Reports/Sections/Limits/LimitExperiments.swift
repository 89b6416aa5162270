import Model

/// The section with what people did before and after the settings changed; with two limits at once,
/// a query says: docs/people.md#experiments.
enum LimitExperiments {
  static let id = "experiments"

  static func section(_ data: ExperimentData?, _ time: TimeWords) -> Section {
    let result = PeopleDigest.sentence(data, CellWords(time: time)).map(Block.text)
    let cards = [result].compactMap(\.self) + (data?.experiments.flatMap { card($0, time) } ?? [])
    return Section(.limits, id, cards.isEmpty ? nil : cards) { lead in
      guard let data else {
        return "Changes are judged by everybody's events. This report is about one profile."
      }
      return data.experiments.isEmpty ? "No limit changed in the last 60 days." : lead
    }
  }

  static func verdict(_ earlier: Ratio, _ later: Ratio) -> String {
    ShareVerdict(from: earlier, to: later)?.rawValue ?? "no people on one side"
  }

  private static func card(_ card: ExperimentData.Experiment, _ time: TimeWords) -> [Block] {
    let days = NumberWords.counted(card.countedDays, "day")
    let measures: [(title: String, part: KeyPath<ExperimentData.Side, Int>)] = [
      ("tapped to subscribe", \.tapped), ("were blocked", \.blocked),
    ]
    let rows = measures.map { measure in
      (
        title: measure.title,
        before: Ratio(card.before[keyPath: measure.part], of: card.before.people),
        after: Ratio(card.after[keyPath: measure.part], of: card.after.people)
      )
    }
    return [
      .table(
        id: "experiment-\(card.at.unixSeconds)",
        title: "\(words(card)), \(time.dateAndTime(card.at))",
        of: card.before.people + card.after.people == 0 ? [] : rows,
        columns: [
          Column("measure", "People who", .leading) { .text($0.title) },
          Column("before", "\(days) before") { .rate($0.before) },
          Column("after", "\(days) after") { .rate($0.after) },
          Column("difference", "Difference") { .points(from: $0.before, to: $0.after) },
          Column("verdict", "Verdict", .leading) { .text(verdict($0.before, $0.after)) },
        ],
        emptyText: card.countedDays == 0
          ? "Not a whole day is known on both sides." : "Nobody was active on either side.")
    ] + notes(card, time).map(Block.text)
  }

  /// `refresh limit 2 → 5`, for each setting of the change.
  static func words(_ card: ExperimentData.Experiment) -> String {
    card.changes.map(\.words).joined(separator: ", ")
  }

  private static func notes(_ card: ExperimentData.Experiment, _ time: TimeWords) -> [String] {
    var notes: [String] = []
    if card.days > 0, card.days < ExperimentData.longestDays {
      notes.append(
        "Fewer than \(ExperimentData.longestDays) days are known on one side, so both are "
          + "\(NumberWords.counted(card.days, "day")) long."
          + (card.days % 7 == 0 ? "" : " They do not hold the same weekdays."))
    }
    if card.leftOut > 0 {
      let missing = card.missing.map { time.calendar.day(of: $0).short }.listed
      notes.append(
        "\(NumberWords.counted(card.leftOut, "day")) of each side "
          + "\(card.leftOut == 1 ? "is" : "are") left out: lines of \(missing) are missing.")
    }
    if !card.overlapping.isEmpty {
      let others = card.overlapping.map(time.dateAndTime).joined(separator: "; ")
      notes.append("Not this change alone: limits also changed within these days (\(others)).")
    }
    return notes
  }
}
