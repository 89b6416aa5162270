import Model

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
