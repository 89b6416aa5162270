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
}
