/// What is left of a run of several jobs; a failure takes its dependents with it, and no other.
///
/// A report only comes after what it needs: it is written whatever became of that.
package struct JobQueue: Sendable {
  private var waiting: [Job]
  /// For every job, all that it needs, also through jobs that are not in the queue.
  private let needs: [String: Set<String>]

  /// Takes the jobs as `JobOrder` put them, and all jobs of the workspace.
  package init(_ ordered: [Job], of jobs: [Job]) {
    waiting = ordered
    let all = Dictionary(jobs.map { ($0.name, $0) }) { first, _ in first }
    needs = Dictionary(
      ordered.map { ($0.name, JobOrder.needed(by: $0.name, in: all)) }
    ) { first, _ in first }
  }

  /// The next job to run, which leaves the queue; nil when all are done or blocked.
  package mutating func next() -> Job? {
    waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Records how a job ended.
  ///
  /// - Returns: the jobs that leave the queue because they need it, in the order of the queue;
  ///   empty when it succeeded.
  package mutating func finished(_ job: Job, succeeded: Bool) -> [Job] {
    succeeded ? [] : blocked(by: job.name)
  }

  /// Takes out the jobs that need one that did not succeed, in the order of the queue.
  package mutating func blocked(by failed: String) -> [Job] {
    let blocked = waiting.filter {
      !$0.isReadOnly && needs[$0.name]?.contains(failed) == true
    }
    waiting.removeAll { blocked.contains($0) }
    return blocked
  }
}
