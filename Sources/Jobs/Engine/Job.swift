import Foundation
import Model
import Store
import Sync

/// One job of the workspace, as its file describes it.
package struct Job: Sendable {
  /// The file's name without `.yml`.
  package var name: String
  /// What it does, and how.
  package var definition: any JobDefinition
  package var description = ""
  /// Nil: runs only when asked for.
  package var schedule: CronSchedule?
  /// Jobs that come first when both are selected; sorted.
  package var needs: [String] = []
  /// Nil: as long as it takes.
  package var timeout: Duration?
  /// How late it may start before it is late; nil for the default of `grace`.
  package var lateAfter: Duration?
  package var hooks = JobHooks()

  package var kind: JobKind { type(of: definition).kind }

  /// The path of the collection that the job copies, or the group's id; nil for other jobs.
  package var collection: String? {
    definition.copies.map {
      [$0.parent, $0.collectionId].compactMap(\.self).joined(separator: "/")
    }
  }

  /// Whether its runs need no lock; see `JobDefinition.isReadOnly`.
  package var isReadOnly: Bool { type(of: definition).isReadOnly }

  /// Whether a text is a job's name: lower-case words joined by hyphens, at most 64 letters.
  package static func isName(_ text: String) -> Bool {
    let words = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isPlain = words.allSatisfy { word in
      !word.isEmpty && word.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
    }
    return isPlain && text.utf8.count <= 64
  }
}

/// The hooks of a job, or those that jobs have by default.
package struct JobHooks: Hashable, Sendable {
  package private(set) var hooks: [HookEvent: Hook]
  /// Events without a hook, even when the defaults have one (`none`).
  package private(set) var silent: Set<HookEvent>

  package init(_ hooks: [HookEvent: Hook] = [:], silent: Set<HookEvent> = []) {
    self.hooks = hooks
    self.silent = silent
  }

  package subscript(event: HookEvent) -> Hook? { hooks[event] }

  /// The same, with the default for each event that the job does not name.
  func inheriting(_ defaults: JobHooks) -> JobHooks {
    var all = self
    all.hooks.merge(defaults.hooks.filter { !silent.contains($0.key) }) { own, _ in own }
    return all
  }
}

/// The jobs of a workspace, and the job files that are wrong.
package struct JobCatalog: Sendable {
  /// By name.
  package var jobs: [Job]
  /// By name; none of them is among `jobs`.
  package var broken: [BrokenJob]

  package init(jobs: [Job], broken: [BrokenJob] = []) {
    self.jobs = jobs
    self.broken = broken
  }

  /// All that is wrong with any of the files; nil when nothing is.
  package var error: ConfigurationError? {
    broken.isEmpty ? nil : ConfigurationError(broken.flatMap(\.error.problems))
  }

  /// The same jobs, with the default for each hook that a job does not name.
  package func inheriting(_ hooks: JobHooks) -> JobCatalog {
    var catalog = self
    for index in catalog.jobs.indices {
      catalog.jobs[index].hooks = catalog.jobs[index].hooks.inheriting(hooks)
    }
    return catalog
  }

  /// The job of a name.
  ///
  /// - Throws: `JobsError.jobFiles` when its file is wrong, `JobsError.unknownJob` without one.
  func job(named name: String) throws(JobsError) -> Job {
    if let job = jobs.first(where: { $0.name == name }) { return job }
    if let broken = broken.first(where: { $0.name == name }) { throw broken.problem }
    throw JobOrder.unknown(name, among: jobs.map(\.name) + broken.map(\.name))
  }

  /// The first job of a kind, by name, with its options.
  ///
  /// - Throws: `missing`, or `JobsError.jobFiles` when a file that is wrong may be the one.
  package func first<Options: JobDefinition>(
    _ type: Options.Type, orThrow missing: JobsError
  ) throws(JobsError) -> (job: Job, options: Options) {
    for job in jobs {
      if let options = job.definition as? Options { return (job, options) }
    }
    let candidates = broken.filter { $0.kind == nil || $0.kind == Options.kind }
    guard !candidates.isEmpty else { throw missing }
    throw .jobFiles(ConfigurationError(candidates.flatMap(\.error.problems)))
  }
}

/// A job that cannot run, because its file is wrong.
package struct BrokenJob: Hashable, Sendable {
  package var name: String
  /// Nil when the file does not say, or cannot be read.
  package var kind: JobKind?
  package var error: ConfigurationError

  /// What a run of it comes to.
  package var problem: JobsError { .jobFiles(error) }

  /// The word for its kind in lists and in the ledger.
  package var kindWord: String { kind?.rawValue ?? "unknown" }
}

/// The jobs of a command: those that can run, in their order, and those whose files are wrong.
package struct JobSelection: Sendable {
  /// Each after those it needs, reports last.
  package let jobs: [Job]
  /// By name.
  package let broken: [BrokenJob]

  /// Jobs that are in their order already.
  package init(_ jobs: [Job], broken: [BrokenJob] = []) {
    self.jobs = jobs
    self.broken = broken
  }

  package func without(_ names: Set<String>) -> JobSelection {
    JobSelection(
      jobs.filter { !names.contains($0.name) }, broken: broken.filter { !names.contains($0.name) })
  }

  /// `withNeeds` also selects what the named jobs need, directly or not.
  ///
  /// - Throws: `JobsError.unknownJob` for a name without a job file.
  package init(
    named names: [String], of catalog: JobCatalog, withNeeds: Bool = false
  ) throws(JobsError) {
    let all = Dictionary(catalog.jobs.map { ($0.name, $0) }) { first, _ in first }
    let needs = withNeeds ? names.flatMap { JobOrder.needed(by: $0, in: all) } : []
    let wanted = Set(names + needs)
    broken = catalog.broken.filter { wanted.contains($0.name) }
    let brokenNames = broken.map(\.name)
    jobs = try JobOrder.order(
      names.filter { !brokenNames.contains($0) }, of: catalog.jobs, withNeeds: withNeeds,
      broken: catalog.broken.map(\.name))
  }
}

/// Which jobs cron would have started by now; see `docs/running.md#schedule`.
enum DueJobs {
  /// The jobs whose schedule has come since their last run began, by name.
  ///
  /// A job that never ran is due once its schedule has come at all. A run that a limit or a need
  /// refused has not begun.
  static func names(_ context: JobContext) throws -> [String] {
    let zone = TimeZone(checked: context.config.timeZone)
    let lastRuns = try context.store.read { try $0.lastBegunRuns(at: context.now) }
    return context.catalog.jobs.filter { job in
      guard let due = job.schedule?.lastDue(at: context.now, timeZone: zone) else { return false }
      return StartRule.isMissed(due: due, lastStartedAt: lastRuns[job.name]?.startedAt)
    }.map(\.name)
  }
}

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

  /// Takes out the jobs that need one that did not succeed, in the order of the queue.
  package mutating func blocked(by failed: String) -> [Job] {
    let blocked = waiting.filter {
      !$0.isReadOnly && needs[$0.name]?.contains(failed) == true
    }
    waiting.removeAll { job in blocked.contains { $0.name == job.name } }
    return blocked
  }
}

/// Puts selected jobs in the order that their needs demand.
package enum JobOrder {
  /// The selected jobs, each after those it needs, also through jobs that are not selected.
  ///
  /// Naming a job twice runs it once. `withNeeds` also selects what the selected jobs need,
  /// directly or not. Jobs that do not depend on each other come in alphabetical order, reports
  /// last. The jobs must be free of cycles, as `JobFiles.catalog` makes sure.
  ///
  /// - Throws: `JobsError.unknownJob` for a name without a job, which may suggest a `broken` one.
  package static func order(
    _ names: [String], of jobs: [Job], withNeeds: Bool = false, broken: [String] = []
  ) throws(JobsError) -> [Job] {
    let all = Dictionary(jobs.map { ($0.name, $0) }) { first, _ in first }
    for name in names where all[name] == nil {
      throw unknown(name, among: all.keys + broken)
    }
    var selected = Set(names)
    if withNeeds {
      for name in names { selected.formUnion(needed(by: name, in: all).intersection(all.keys)) }
    }
    var waiting = selected.sorted()
    var ordered: [Job] = []
    let before = Dictionary(
      uniqueKeysWithValues: waiting.map {
        ($0, needed(by: $0, in: all).intersection(selected))
      })
    func isReady(_ name: String) -> Bool { before[name, default: []].isDisjoint(with: waiting) }
    // A report covers all jobs, so it also waits for jobs that it does not need.
    while let next = waiting.firstIndex(where: { isReady($0) && all[$0]?.isReadOnly == false })
      ?? waiting.firstIndex(where: isReady)
    {
      if let job = all[waiting.remove(at: next)] { ordered.append(job) }
    }
    return ordered
  }

  static func unknown(_ name: String, among names: [String]) -> JobsError {
    let known = names.sorted()
    return .unknownJob(
      name: name, closest: ClosestName.closest(to: name, among: known), known: known)
  }

  /// All that a job needs, directly or not, without itself; also jobs whose files are wrong.
  static func needed(by name: String, in jobs: [String: Job]) -> Set<String> {
    var found: Set<String> = []
    var open = jobs[name]?.needs ?? []
    while let need = open.popLast() {
      if found.insert(need).inserted { open += jobs[need]?.needs ?? [] }
    }
    return found.subtracting([name])
  }
}
enum NeedCycle {
  /// Cycles as paths that end where they began, each once, from its first job in the alphabet.
  ///
  /// Every job of a cycle is in at least one of them; names that have no entry need nothing.
  static func all(in needs: [String: [String]]) -> [[String]] {
    var search = Search(needs: needs)
    for name in needs.keys.sorted() { search.visit(name) }
    return search.cycles
  }

  private struct Search {
    let needs: [String: [String]]
    var cycles: [[String]] = []
    var path: [String] = []
    var finished: Set<String> = []

    mutating func visit(_ name: String) {
      if let start = path.firstIndex(of: name) {
        let cycle = rotated(Array(path[start...]))
        if !cycles.contains(cycle) { cycles.append(cycle) }
        return
      }
      guard !finished.contains(name) else { return }
      path.append(name)
      for need in (needs[name] ?? []).sorted() { visit(need) }
      path.removeLast()
      finished.insert(name)
    }

    private func rotated(_ cycle: [String]) -> [String] {
      guard let first = cycle.min(), let start = cycle.firstIndex(of: first) else { return cycle }
      return cycle[start...] + cycle[..<start] + [first]
    }
  }
}
