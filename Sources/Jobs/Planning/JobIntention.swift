package import Model
package import Sync

/// What a job would do if it ran now, as far as that is known without a request.
package struct JobIntention: Sendable {
  package let job: Job
  package let trigger: Run.Trigger
  /// A sentence.
  package let plan: String
  /// What it would change in tables that are there.
  package let schemaChanges: [SchemaChange]
  /// What the run would fail with before its first request; nil when it would make one.
  package let problem: TablePlan.Conflict?

  init(of job: Job, _ context: JobContext) throws {
    let work = try job.definition.work(job.name, context)
    self.job = job
    trigger = work.trigger
    do {
      schemaChanges = try work.schemaChanges()
    } catch let conflict as TablePlan.Conflict {
      schemaChanges = []
      problem = conflict
      plan = "Would fail: \(conflict)"
      return
    }
    problem = nil
    plan = try work.plan()
  }
}
