import Testing

@testable import Jobs

struct JobQueueTests {
  private func queue(_ names: [String]) throws -> JobQueue {
    JobQueue(
      waiting: try JobOrder.order(names, of: JobOrderTests.jobs), jobs: JobOrderTests.jobs)
  }

  /// Runs a queue to its end; gives what ran and what was blocked.
  private func run(
    _ names: [String], failing: Set<String>
  ) throws -> (ran: [String], blocked: [String]) {
    var queue = try queue(names)
    var ran: [String] = []
    var blocked: [String] = []
    while let job = queue.next() {
      ran.append(job.name)
      if failing.contains(job.name) { blocked += queue.blocked(by: job.name).map(\.name) }
    }
    return (ran, blocked)
  }

  @Test func `jobs that succeed all run, in order`() throws {
    let (ran, blocked) = try run(["report", "users", "settings", "events"], failing: [])
    #expect(ran == ["events", "settings", "users", "report"])
    #expect(blocked.isEmpty)
  }

  @Test func `a failure blocks its dependents, near and far, and no other`() throws {
    let (ran, blocked) = try run(
      ["report", "users", "settings", "events", "maintain"], failing: ["settings"])
    #expect(ran == ["events", "maintain", "settings"])
    #expect(blocked == ["users", "report"])
  }

  @Test func `a failure blocks also through a job that is not in the queue`() throws {
    let (ran, blocked) = try run(["alone", "maintain"], failing: ["maintain"])
    #expect(ran == ["maintain"])
    #expect(blocked == ["alone"])
  }

  @Test func `a job is blocked once, by the first failure`() throws {
    let (ran, blocked) = try run(["report", "users", "events"], failing: ["events", "users"])
    #expect(ran == ["events", "users"])
    #expect(blocked == ["report"])
  }

  @Test func `a report is written whatever became of what it needs`() throws {
    let jobs = [
      Job(name: "a", definition: MaintainOptions()),
      Job(name: "b", definition: MaintainOptions(), needs: ["report"]),
      Job(name: "report", definition: ReportOptions(), needs: ["a"]),
    ]
    var queue = JobQueue(waiting: try JobOrder.order(["report", "a", "b"], of: jobs), jobs: jobs)
    let next = queue.next()
    let first = try #require(next)
    #expect(first.name == "a")
    // What needs the report does not need the failed job less for that.
    let blocked = queue.blocked(by: first.name)
    #expect(blocked.map(\.name) == ["b"])
    let report = queue.next()
    #expect(report?.name == "report")
  }

  @Test func `a job whose file is wrong takes its dependents with it`() throws {
    let jobs = [
      Job(name: "a", definition: MaintainOptions(), needs: ["broken"]),
      Job(name: "b", definition: MaintainOptions()),
    ]
    var queue = JobQueue(waiting: try JobOrder.order(["a", "b"], of: jobs), jobs: jobs)
    let blocked = queue.blocked(by: "broken")
    let next = queue.next()
    #expect(blocked.map(\.name) == ["a"] && next?.name == "b")
  }

  @Test func `an empty queue is at its end`() throws {
    var queue = try queue([])
    #expect(queue.next() == nil)
  }
}
