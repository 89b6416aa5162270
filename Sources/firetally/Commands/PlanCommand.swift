import ArgumentParser
import Firestore
import Jobs
import Model
import Store
import Workspace

struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what jobs would read, upload and cost if they ran now.",
    discussion: """
      Counts the documents that each job would read, asks Firestore whether it has the indexes, \
      and prices the billed reads. Changes nothing. The plan itself costs one billed read per \
      query and one per thousand documents counted; of an Enterprise database a sample, and at \
      most one scan. It prints that number, too.

      With a saved filter, a plan of the users' job also prices `filter apply`. With --filtered or \
      criteria, the plan has only that and the named jobs.

      --indexes prints firestore.indexes.json for every query of the workspace's jobs and of the \
      filter commands. It makes no request.

      Where a job's columns have changed, it shows what the run would change in the table, and \
      what fills it.

      Exit status: 0 success; 65 a job file is wrong or a table is taken, 78 an index is missing, \
      so the run would fail.
      """,
    examples: ["firetally plan", "firetally plan online-users --full", "firetally plan --indexes"])

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The jobs to plan, by name. Default: all.", completion: NameCompletion.jobs)
  var jobs: [String] = []

  @Flag(help: "Include the jobs that the named jobs need.")
  var withNeeds = false

  @Flag(help: "Plan for `run --force`.")
  var force = false

  @Flag(help: "Plan for `run --full`.")
  var full = false

  @Flag(help: "Price `filter apply` with the saved filter and the given criteria.")
  var filtered = false

  @OptionGroup(title: "Criteria of `filter apply`") var criteria: FilterOptions

  @Flag(help: "Print firestore.indexes.json for all queries; makes no request.")
  var indexes = false

  private var asksFilter: Bool { filtered || !criteria.isEmpty }

  func run() async throws {
    let (invocation, opened) = try global.openWorkspace()
    let catalog = try opened.workspace.jobs()
    guard !indexes else {
      let config = try opened.readStoreOrEmpty().read { try opened.config.priced(in: $0) }
      return invocation.output.print(
        IndexFile.text(
          of: catalog.jobs, in: config.cost.edition.rules, onOneLine: invocation.output.isJSON))
    }
    let all = catalog.jobs.map(\.name) + catalog.broken.map(\.name)
    let names = jobs.isEmpty && !asksFilter ? all : jobs
    let selection = try JobSelection(named: names, of: catalog, withNeeds: withNeeds)
    let context = try invocation.context(
      opened, store: try opened.readStoreOrEmpty(), catalog: catalog, isForced: force || full,
      isFull: full, claimsDatabase: false)
    let plan = try await invocation.warningOfKeys(context) {
      try await priced(selection, opened, context)
    }
    try plan.print(on: invocation.output)
    let asked = plan.jobs + (asksFilter ? [plan.filter].compactMap(\.self) : [])
    guard !asked.contains(where: \.lacksIndex) else {
      throw StatusOnly(status: .configuration)
    }
    guard plan.broken.isEmpty else { throw StatusOnly(status: .badData) }
    if let problem = plan.jobs.lazy.compactMap(\.intention.problem).first {
      throw StatusOnly(status: ExitStatus(of: problem))
    }
  }

  private func priced(
    _ selection: JobSelection, _ opened: OpenWorkspace, _ context: JobContext
  ) async throws -> WorkspaceEstimate {
    let estimator = JobEstimator(context)
    var plan = WorkspaceEstimate(
      jobs: try await estimator.estimates(of: selection.jobs), broken: selection.broken,
      price: context.config.cost.price, budget: try estimator.budget(), ownReads: 0)
    let isAboutUsers = selection.jobs.contains { $0.kind == SyncUsersOptions.kind }
    if let filter = try filter(isAboutUsers: isAboutUsers, context.store) {
      plan.filter = try await estimator.estimate(applying: filter, after: plan.billedReads)
    }
    if (plan.jobs + [plan.filter].compactMap(\.self)).contains(where: { !$0.quotes.isEmpty }) {
      try await plan.learnPrice(of: estimator.database(), context)
    }
    plan.ownReads = await context.services.firestore.traffic().billedReadCount
    return plan
  }

  /// Returns the filter to price: the requested one, else a saved one if the users' job is planned.
  private func filter(isAboutUsers: Bool, _ store: Store) throws -> UserFilter? {
    if asksFilter {
      return try store.read { try criteria.onTopOfSaved(global.profile, in: $0) }
    }
    let profile = try store.read { try $0.profile(named: global.profile) }
    guard isAboutUsers, let profile, !profile.filter.isEmpty else { return nil }
    // A run reports by itself why it cannot use this filter.
    return profile.filter.isNearbyOnly && profile.city?.isEmpty != false ? nil : profile.filter
  }
}
