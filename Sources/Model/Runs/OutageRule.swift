/// What to notify about a job that fails repeatedly: `docs/running.md#outages`.
package enum OutageRule {
  /// What to notify after a run.
  package enum Notice: Hashable, Sendable {
    /// Nothing: it succeeded as before, or neither failed nor succeeded.
    case none
    /// It failed; `isNew` says whether the reason is new in this outage.
    case failed(isNew: Bool)
    /// It succeeded again; the outage is over.
    case recovered(Outage)
  }

  /// The most reasons that an outage remembers; an older one counts as new again.
  package static let mostReasons = 20

  /// The outage after a run, and what to notify.
  ///
  /// - Parameters:
  ///   - outcome: the run's outcome.
  ///   - problem: why it failed; nil when it did not, or when a job that it needs failed.
  ///   - startedAt: when it began.
  ///   - outage: the outage before the run; nil when the run before succeeded. One that begins too
  ///     far in the future counts as nil.
  /// - Returns: the outage after the run, nil when there is none, and the notice.
  package static func judge(
    _ outcome: Run.Outcome, problem: String?, startedAt: Instant, after outage: Outage?
  ) -> (outage: Outage?, notice: Notice) {
    let outage = outage.flatMap { $0.since.counts(at: startedAt) ? $0 : nil }
    switch outcome {
    case .ok, .partial, .fresh: return (nil, outage.map(Notice.recovered) ?? .none)
    // The person who interrupted it knows, and it says nothing about the job.
    case .interrupted: return (outage, .failed(isNew: true))
    // Another process had the workspace, which says nothing about the job either.
    case .locked: return (outage, problem == nil ? .none : .failed(isNew: true))
    case .failed, .blocked: break
    }
    guard let problem else { return (outage, .none) }
    var next = outage ?? Outage(since: startedAt, failures: 0, reasons: [])
    let reason = withoutNumbers(problem)
    let isNew = !next.reasons.contains(reason)
    next.failures += 1
    if isNew { next.reasons = (next.reasons + [reason]).suffix(mostReasons) }
    return (next, .failed(isNew: isNew))
  }

  /// The reason with `#` for every number: other waits, counts or times are the same reason.
  static func withoutNumbers(_ text: String) -> String {
    var result = ""
    for character in text {
      guard character.isASCII, character.isNumber else {
        result.append(character)
        continue
      }
      if result.last != "#" { result.append("#") }
    }
    return result
  }
}
