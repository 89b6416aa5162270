import Jobs
import Model
import Reports
import Sync

/// Commands that read Firestore once, for the person who typed them.
extension Invocation {
  /// Performs `work` within the read budget, records it as a run, and tells what it cost.
  ///
  /// - Parameters:
  ///   - command: the name that the run bears.
  ///   - maxReads: billed reads that it may make; nil for no limit but the day's.
  ///   - opened: the workspace.
  ///   - work: returns its answer, and a sentence about it.
  /// - Returns: the answer.
  /// - Throws: what `work` throws.
  func oneOff<Answer>(
    _ command: String, maxReads: Int? = nil, in opened: OpenWorkspace,
    _ work: (OneOffReads) async throws -> (answer: Answer, summary: String)
  ) async throws -> Answer {
    try await oneOff(
      command, maxReads: maxReads,
      try context(opened, store: try opened.store(), claimsDatabase: false), work)
  }

  /// The same in a context that the command has made.
  func oneOff<Answer>(
    _ command: String, maxReads: Int? = nil, _ context: JobContext,
    _ work: (OneOffReads) async throws -> (answer: Answer, summary: String)
  ) async throws -> Answer {
    let price = context.config.cost.price
    return try await warningOfKeys(context) {
      try await OneOffReads.perform(for: command, maxReads: maxReads, context) { reads in
        let (answer, summary) = try await work(reads)
        let spent = reads.meter.spent
        tell(
          "\(summary) \(NumberWords.counted(spent, "billed read")), about "
            + "\(NumberWords.money(price.cost(of: spent))).")
        return (answer, summary)
      }
    }
  }

  /// Tells a person, on a terminal or with `--verbose`, beside the output.
  func tell(_ sentence: String) {
    if StandardStream.errors.isTerminal, !output.isJSON {
      log.notice(sentence)
    } else {
      log.note(sentence)
    }
  }
}
