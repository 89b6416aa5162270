import Fixtures
import Model
import Testing

@testable import Jobs

@Suite struct DueJobsTests {
  @Test(
    "a job is due until a run began at its time or after",
    arguments: [(-1, true), (0, false), (1, false)])
  func boundary(microseconds: Int, isDue: Bool) {
    let due = Instant.morning
    let started = due + .microseconds(microseconds)
    #expect(DueJobs.isDue(since: due, lastStartedAt: started) == isDue)
  }

  @Test("a job that never ran is due")
  func neverRan() {
    #expect(DueJobs.isDue(since: Instant(unixSeconds: 0), lastStartedAt: nil))
  }
}
