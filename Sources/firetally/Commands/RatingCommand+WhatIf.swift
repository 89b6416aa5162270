import ArgumentParser
import Jobs
import Model
import Reports
import Store
import Workspace

extension RatingCommand {
  struct WhatIf: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "what-if",
      abstract: "Show how many people other settings would have asked, and with what stars.",
      discussion: """
        Replays the counters in the dialog's events under the settings in force and under each \
        --set. Commas join settings: --set rating.threshold=15,rating.maxPrompts=3.
        """,
      examples: [
        "firetally rating what-if --set rating.threshold=15",
        "firetally rating what-if --set rating.threshold=5 --set rating.maxPrompts=3",
      ])

    @OptionGroup var global: GlobalOptions

    @Option(
      name: .customLong("set"),
      help: ArgumentHelp(
        "The settings of a scenario. May be repeated.", valueName: "name=number,…"),
      transform: { try SettingAssignments(parsing: $0, among: Self.keys) })
    var scenarios: [SettingAssignments] = []

    @OptionGroup var counting: PlatformOption

    private static let keys: [SettingKey] = [.ratingThreshold, .ratingMaxPrompts]

    func validate() throws {
      guard !scenarios.isEmpty else {
        throw ValidationError("Give at least one scenario, such as --set rating.threshold=15.")
      }
    }

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let store = try opened.readStoreOrEmpty()
      let replay = RatingReplay(
        try store.read {
          try $0.ratingPrompts(
            from: Instant(unixSeconds: 0), to: invocation.now,
            on: opened.config.app.platform(counting: counting.platform))
        })
      let settings = try opened.settings(in: store)
      func number(_ key: SettingKey, _ scenario: SettingAssignments?) -> Int {
        scenario?.values[key].flatMap { Int($0) } ?? settings.value(key) ?? 0
      }
      let all = [nil] + scenarios.map(Optional.some)
      try RatingWhatIfTable(
        replay: replay,
        columns: all.map { scenario in
          let threshold = number(.ratingThreshold, scenario)
          let maxPrompts = number(.ratingMaxPrompts, scenario)
          return RatingWhatIfTable.Column(
            title: scenario?.text ?? "in force", threshold: threshold, maxPrompts: maxPrompts,
            outcome: replay.outcome(threshold: threshold, maxPrompts: maxPrompts))
        }
      ).print(on: invocation.output)
    }
  }
}

/// A comparison as text or JSON; docs/ratings.md#what-if.
private struct RatingWhatIfTable {
  struct Column {
    let title: String
    let threshold: Int
    let maxPrompts: Int
    let outcome: RatingReplay.Outcome
  }

  let replay: RatingReplay
  /// The settings in force come first.
  let columns: [Column]

  private var actual: RatingReplay.Outcome { replay.actual }

  /// The deviation of the replay under the settings in force, in percent; nil when nobody was
  /// asked.
  private var error: Double? {
    guard actual.asked > 0, let inForce = columns.first?.outcome else { return nil }
    return 100 * Double(inForce.asked - actual.asked) / Double(actual.asked)
  }

  private func calibrated(_ column: Column) -> Int? {
    columns.first.flatMap { column.outcome.calibrated(by: actual, inForce: $0.outcome) }
  }

  func print(on output: Output) throws {
    guard output.isJSON else { return output.print(text) }
    try output.print(json: line("what happened", nil, actual))
    for column in columns { try output.print(json: line(column.title, column, column.outcome)) }
  }

  private func line(
    _ scenario: String, _ column: Column?, _ outcome: RatingReplay.Outcome
  ) -> JSONObject {
    [
      "message_type": "rating_what_if", "scenario": scenario, "threshold": column?.threshold,
      "maxPrompts": column?.maxPrompts, "asked": outcome.asked,
      "askedCalibrated": column.flatMap(calibrated), "people": outcome.people,
      "later": outcome.later, "stars": outcome.estimatedStars(by: actual),
      "meanStars": outcome.meanStars, "unknown": outcome.unknown,
      "errorPercent": column == nil ? nil : error, "dialogsWithoutCounters": replay.untold,
    ]
  }

  private var text: String {
    let untold =
      replay.untold == 0
      ? ""
      : "\n\(NumberWords.counted(replay.untold, "dialog")) of people whose events tell no counters "
        + "\(replay.untold == 1 ? "is" : "are") left out."
    guard actual.asked > 0 || columns.contains(where: { $0.outcome.asked > 0 }) else {
      return "No dialog of the ledger has its counters, so nothing can be replayed." + untold
    }
    return "\(table)\n\n\(errorSentence)\(untold)\n\(Self.definitions)"
  }

  private var table: String {
    var table = TextTable(["ASKED FOR A RATING", "what happened"] + columns.map(\.title))
    func add(_ name: String, _ count: (RatingReplay.Outcome) -> Int) {
      table.add([name] + ([actual] + columns.map(\.outcome)).map { NumberWords.grouped(count($0)) })
    }
    add("asked") { $0.asked }
    table.add(
      ["asked, calibrated", "-"] + columns.map { calibrated($0).map(NumberWords.grouped) ?? "-" })
    add("people") { $0.people }
    add("maybe later") { $0.later }
    for stars in (1...5).reversed() {
      add(NumberWords.counted(stars, "star")) { $0.estimatedStars(by: actual)[stars - 1] }
    }
    add("answer unknown") { $0.unknown }
    table.add(
      ["mean stars"]
        + ([actual] + columns.map(\.outcome)).map { outcome in
          outcome.meanStars.map { NumberWords.decimal($0, places: 2) } ?? "-"
        })
    return table.text
  }

  private var errorSentence: String {
    guard let error else { return "Nobody was asked, so the replay cannot be compared." }
    let sign = error > 0 ? "+" : ""
    return "Error of the replay: under the settings in force it is off by "
      + "\(sign)\(NumberWords.decimal(error, places: 1))% of the askings. Each scenario may be "
      + "wrong by as much."
  }

  private static let definitions = """
    Asked: a dialog that the app opened. A dialog that comes again until it is answered counts once.
    Calibrated: corrected by the error of the replay. Stars of unknown answers are estimated from
    how people answered. People who neither met the conditions nor saw a dialog are not counted: a
    lower threshold asks more people.
    """
}
