/// A run of a list: of fresh runs of one job, with nothing else of that job between them, the newest.
///
/// A job that runs every five minutes and finds nothing to do would fill the list:
/// `docs/runs.md#the-list`.
package struct ListedRun: Hashable, Sendable {
  package let run: Run
  /// How many runs it stands for; 1 unless they are fresh.
  package private(set) var count = 1
  /// When the oldest of them began.
  package private(set) var since: Instant

  private init(_ run: Run) {
    self.run = run
    since = run.startedAt
  }

  /// - Parameter runs: of any jobs, newest first.
  /// - Returns: the same with fresh runs folded, newest first.
  package static func folding(_ runs: some Sequence<Run>) -> [ListedRun] {
    var lines: [ListedRun] = []
    // The line that the next fresh run of a job belongs to.
    var open: [String: Int] = [:]
    for run in runs {
      if run.outcome == .fresh, let line = open[run.job] {
        lines[line].count += 1
        lines[line].since = run.startedAt
      } else {
        open[run.job] = run.outcome == .fresh ? lines.count : nil
        lines.append(ListedRun(run))
      }
    }
    return lines
  }
}
