import Model
import Store

/// When removal by age waits because the clock may be wrong: docs/privacy.md#retention.
///
/// What is removed by age cannot come back, and a clock that is years ahead makes everything old.
struct RetentionPause: Hashable {
  /// When a run removed by age, or would have done so; nil before the first one.
  var lastRunAt: Instant?
  /// When the first run after a long silence began, until it is over; else nil.
  var resumedAt: Instant?

  /// A longer time without a run looks like a jump of the clock.
  static let longestSilence = Duration.seconds(180 * 86_400)
  /// How long nothing is removed after it: time for somebody to set the clock.
  static let duration = Duration.seconds(7 * 86_400)

  /// Computes the state after a run at `now`, which removes nothing if it has `resumedAt`.
  ///
  /// A run in the future, by a clock that was set back since, counts as none.
  func next(at now: Instant) -> RetentionPause {
    guard let lastRunAt, lastRunAt.counts(at: now) else { return RetentionPause(lastRunAt: now) }
    guard now - lastRunAt <= Self.longestSilence else {
      return RetentionPause(lastRunAt: now, resumedAt: now)
    }
    let isOver = resumedAt.map { now - $0 >= Self.duration } ?? true
    return RetentionPause(lastRunAt: now, resumedAt: isOver ? nil : resumedAt)
  }

  /// The warning of a run that removes nothing; nil when it removes.
  ///
  /// `last` is the state before that run.
  func warning(after last: RetentionPause) -> String? {
    guard let resumedAt else { return nil }
    let since = last.resumedAt == nil ? last.lastRunAt : nil
    return "Nothing was removed by age: "
      + (since.map { "the last such run was on \($0.iso8601), so" } ?? "after a long pause")
      + " this machine's clock may be wrong. Set it if it is; if not, removal goes on after "
      + "\((resumedAt + Self.duration).iso8601)."
  }
}

extension RetentionPause {
  private static let mark: MarkName = "retention"

  /// Reads the state; that of no run before the first one.
  init(_ reader: some Readable) throws {
    let numbers = try reader.mark(named: Self.mark)?.split(separator: " ").map { Int64($0) } ?? []
    lastRunAt = numbers.first?.map(Instant.init(microseconds:))
    resumedAt = numbers.dropFirst().first?.map(Instant.init(microseconds:))
  }

  func store(in writer: Writer) throws {
    let numbers = [lastRunAt, resumedAt].compactMap { $0?.microseconds }
    try writer.setMark(numbers.map(String.init).joined(separator: " "), named: Self.mark)
  }
}
