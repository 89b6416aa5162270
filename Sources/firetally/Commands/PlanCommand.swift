import ArgumentParser
import Firestore
import Jobs

struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Say what jobs would read, upload and cost if they ran now.",
    discussion: """
      Counts the documents that each job would read, asks Firestore whether it has the indexes, and \
      prices the billed reads. Without names it plans every job. It changes nothing, and says what \
      it cost itself: one billed read for each query and one for each thousand documents counted.

      Exit status: 0; 78 when an index is missing, so that the run would fail.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The jobs to plan, by name; all of them when left out.")
  var jobs: [String] = []

  @Flag(help: "Also what the named jobs need.")
  var withNeeds = false

  @Flag(help: "As `run --force` would: fetch even what is fresh.")
  var force = false

  @Flag(help: "As `run --full` would: everything, also where jobs only ask for what changed.")
  var full = false

  func run() async throws {
    let invocation = Invocation(global)
    let desk = try invocation.desk()
    let workspaceJobs = try desk.workspace.jobs()
    let selected = try JobOrder.order(
      jobs.isEmpty ? workspaceJobs.map(\.name) : jobs, of: workspaceJobs, withNeeds: withNeeds)
    let plan = try await desk.reading { store in
      var context = try invocation.context(
        desk, store: store, jobs: workspaceJobs, isForced: force || full, claimsDatabase: false)
      context.isFull = full
      let planner = JobPlanner(context)
      return WorkspacePlan(
        jobs: try await planner.plans(of: selected), price: desk.config.cost.price,
        budget: try planner.budget(), ownReads: await context.traffic().billedReadCount)
    }
    invocation.output.show(invocation.output.isJSON ? plan.lines : plan.text)
    guard !plan.jobs.contains(where: \.lacksIndex) else {
      throw StatusOnly(status: .configuration)
    }
  }
}
