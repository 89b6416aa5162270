package import Model

/// What is said of runs dated in the future: docs/running.md#times-in-the-future.
extension FutureRuns {
  /// What to do about them, as a sentence.
  package static let advice =
    "Set this machine's clock if it is wrong; else remove them with `firetally runs forget`."

  /// How many there are, and the latest.
  package var sentence: String {
    let run = latest.id.map { "run \($0) of \(latest.job)" } ?? "a run of \(latest.job)"
    guard count > 1 else {
      return "The clock was wrong: \(run) is dated in the future, \(latest.startedAt), and does "
        + "not count."
    }
    return "The clock was wrong: \(NumberWords.grouped(count)) runs are dated in the future and do "
      + "not count, the latest is \(run), \(latest.startedAt)."
  }

  /// An error, since the schedule and the ledger are wrong by them until they are removed.
  var finding: Finding {
    Finding(
      .error, "\(sentence) \(Self.advice)", report: .runs, section: RunJobs.id,
      subject: "runs dated in the future")
  }
}
