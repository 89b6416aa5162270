import Foundation
import Model
import Store

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

  /// The same without some jobs.
  package func without(_ names: Set<String>) -> JobSelection {
    JobSelection(
      jobs.filter { !names.contains($0.name) }, broken: broken.filter { !names.contains($0.name) })
  }

  /// - Parameters:
  ///   - names: what to run.
  ///   - catalog: all jobs of the workspace.
  ///   - withNeeds: also selects what the named jobs need, directly or not.
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
    guard let zone = TimeZone(identifier: context.config.timeZone) else {
      preconditionFailure("the configuration's time zone was checked when it was read")
    }
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

/// Puts selected jobs in the order that their needs demand.
package enum JobOrder {
  /// The selected jobs, each after those it needs, also through jobs that are not selected.
  ///
  /// Jobs that do not depend on each other come in alphabetical order, reports last. The jobs must
  /// be free of cycles, as `JobFiles.jobs` makes sure.
  ///
  /// - Parameters:
  ///   - names: what to run; naming a job twice runs it once.
  ///   - jobs: all jobs of the workspace.
  ///   - withNeeds: also selects what the selected jobs need, directly or not.
  ///   - broken: names of jobs whose files are wrong, which an error may suggest.
  /// - Returns: the jobs to run, first to last.
  /// - Throws: `JobsError.unknownJob` for a name without a job.
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

  /// The error for a name that no job has, with all names that there are.
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
/// Finds jobs that wait for each other.
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
    private var path: [String] = []
    private var finished: Set<String> = []

    init(needs: [String: [String]]) {
      self.needs = needs
    }

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
