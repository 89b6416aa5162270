package import Model
package import Store

/// The last runs of a ledger, whatever their dates.
extension Readable {
  private var endOfTime: Instant { Instant(microseconds: .max) }

  package func lastRuns() throws -> [String: Run] { try lastRuns(at: endOfTime) }
  package func lastJudgedRuns() throws -> [String: Run] { try lastJudgedRuns(at: endOfTime) }
  package func lastBegunRuns() throws -> [String: Run] { try lastBegunRuns(at: endOfTime) }
  package func lastSuccesses() throws -> [String: Run] { try lastSuccesses(at: endOfTime) }
}
