package import Model
import Store
package import Workspace

/// How a job of kind `maintain` works; see `docs/jobs/maintain.md`.
package struct MaintainOptions: JobKind {
  package static let kind = JobKindName.maintain

  /// The retention of backups; a policy that keeps none makes none.
  package var keep = RetentionPolicy(daily: 7)
  /// The retention of rows.
  package var retention = RetentionOptions()

  package static let dayCounts = 0...365
  package static let weekCounts = 0...520
  package static let monthCounts = 0...120

  package static let options = OptionKeys(
    MaintainOptions(),
    [
      .section("keep", \.keep, policy),
      .custom(ConfigurationKey("keep_backups", .integer(dayCounts))) { reader, options in
        guard let entry = reader.entry("keep_backups") else { return }
        if reader.entry("keep") != nil {
          reader.problem(
            entry, "cannot be used with keep; write its number as keep.daily, and remove it")
        }
        options.keep.daily = reader.integer("keep_backups", in: dayCounts) ?? options.keep.daily
      },
      .section("retention", \.retention, RetentionOptions.options),
    ])

  private static let policy = OptionKeys(
    MaintainOptions().keep,
    [
      .key("daily", \.daily, .integer(dayCounts)),
      .key("weekly", \.weekly, .integer(weekCounts)),
      .key("monthly", \.monthly, .integer(monthCounts)),
    ])

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    MaintainWork(job: job, options: self, context: context)
  }
}

/// How long events, feedback and runs are kept; see `docs/privacy.md#retention`.
package struct RetentionOptions: Hashable, Sendable {
  /// Nil keeps them for ever, like the other three.
  package var events: Duration?
  package var feedback: Duration?
  package var purchases: Duration?
  package var runs: Duration?

  /// At least two days, because a day's read budget counts the runs of that day.
  package static let bounds = Duration.seconds(2 * 86_400)...Duration.seconds(3_650 * 86_400)
  static let options = OptionKeys(
    RetentionOptions(),
    [
      .key("events", \.events, .retention), .key("feedback", \.feedback, .retention),
      .key("purchases", \.purchases, .retention), .key("runs", \.runs, .retention),
    ])

  /// Returns what would be removed, for a sentence after "would"; nil when everything is kept.
  var intention: String? {
    let ages = [
      ("events", events), ("feedback", feedback), ("purchases", purchases), ("runs", runs),
    ]
    let parts = ages.compactMap { what, age in
      age.map { "\(what) older than \(DurationText.text($0))" }
    }
    return parts.isEmpty ? nil : "remove \(parts.joined(separator: ", "))"
  }

  /// Removes rows that are too old at `now`, each kind in its own transaction.
  func removeAged(from store: Store, at now: Instant) throws -> AgedRows {
    var removed = AgedRows()
    if let events {
      removed.events = try store.erasing { try $0.removeEvents(before: now - events) }
    }
    if let feedback {
      removed.feedback = try store.erasing { try $0.removeFeedback(before: now - feedback) }
    }
    if let purchases {
      removed.purchases = try store.erasing { try $0.removePurchases(before: now - purchases) }
    }
    if let runs { removed.runs = try store.erasing { try $0.removeRuns(before: now - runs) } }
    return removed
  }
}

extension AgedRows {
  /// The end of a sentence: `, 12 events, 1 feedback, 3 runs removed by age`; empty when none were.
  var clause: String {
    guard total > 0 else { return "" }
    let bought = purchases > 0 ? ", \(purchases) purchase events" : ""
    return ", \(events) events, \(feedback) feedback\(bought), \(runs) runs removed by age"
  }
}

extension KeyType<Duration> {
  fileprivate static var retention: Self {
    Self(.time(longest: RetentionOptions.bounds.upperBound), text: DurationText.text) {
      $0.retention($1)
    }
  }
}

extension MappingReader {
  fileprivate func retention(_ key: String) -> Duration? {
    guard let entry = entry(key) else { return nil }
    if case .text(let text) = entry.scalar, let age = DurationText.duration(text),
      RetentionOptions.bounds.contains(age)
    {
      return age
    }
    let bounds = RetentionOptions.bounds
    wrongType(
      entry,
      wanted: "a time from \(DurationText.text(bounds.lowerBound)) to "
        + "\(DurationText.text(bounds.upperBound)), such as 400d")
    return nil
  }
}
