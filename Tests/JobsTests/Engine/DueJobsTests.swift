import Fixtures
import Model
import Testing

@testable import Jobs

@Suite struct DueJobsTests {
  @Test(arguments: [(-1, true), (0, false), (1, false)])
  func `a job is due until a run began at its time or after`(microseconds: Int, isDue: Bool) {
    let due = Instant.morning
    let started = due + .microseconds(microseconds)
    #expect(StartRule.isMissed(due: due, lastStartedAt: started) == isDue)
  }

  @Test(arguments: [(-1, true), (0, false), (1, false)])
  func `what was due up to when no start was expected is not missed`(
    microseconds: Int, isMissed: Bool
  ) {
    let due = Instant.morning
    let since = due + .microseconds(microseconds)
    #expect(
      StartRule.isMissed(due: due, lastStartedAt: nil, expectedSince: since) == isMissed)
  }

  @Test func `a job that never ran is due`() {
    #expect(StartRule.isMissed(due: Instant(unixSeconds: 0), lastStartedAt: nil))
  }

  /// Starts are due at 0, 10 and 20.
  @Test(
    arguments: [
      ([], 0), ([-1], 0), ([0], 1), ([9], 1), ([10], 1), ([0, 9], 1), ([9, 10], 2), ([40], 1),
      ([19, 20, 30], 2), ([0, 10, 20], 3),
    ] as [([Int], Int)])
  func `a run makes the last start that was due, once`(runs: [Int], made: Int) {
    func instants(_ seconds: [Int]) -> [Instant] { seconds.map { .morning + .seconds($0) } }
    let found = StartRule.made(dues: instants([0, 10, 20]), startedAt: instants(runs))
    #expect(found == DueStarts(made: made, due: 3))
  }
}
