/// Whether a job was started when its schedule asked for it.
package enum StartRule {
  /// Whether nothing has made a start that was due.
  ///
  /// - Parameters:
  ///   - due: when it was; a run that began at that very instant has made it.
  ///   - lastStartedAt: when the job last began to run; nil for one that never did.
  ///   - expectedSince: up to when no start was expected, inclusive, because the machine slept or
  ///     the schedule was another one; nil when they always were.
  /// - Returns: whether it was missed.
  package static func isMissed(
    due: Instant, lastStartedAt: Instant?, expectedSince: Instant? = nil
  ) -> Bool {
    (expectedSince.map { due > $0 } ?? true) && (lastStartedAt.map { $0 < due } ?? true)
  }
}
