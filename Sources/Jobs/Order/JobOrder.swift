import Rules

/// Puts selected jobs in the order that their needs demand.
package enum JobOrder {
  /// The selected jobs, each after those it needs, also through jobs that are not selected.
  ///
  /// Jobs that do not depend on each other come in alphabetical order. The jobs must be free of
  /// cycles, as `JobFiles.jobs` makes sure.
  ///
  /// - Parameters:
  ///   - names: what to run; naming a job twice runs it once.
  ///   - jobs: all jobs of the workspace.
  ///   - withNeeds: also selects what the selected jobs need, directly or not.
  /// - Returns: the jobs to run, first to last.
  /// - Throws: `JobsError.unknownJob` for a name without a job.
  package static func order(
    _ names: [String], of jobs: [Job], withNeeds: Bool = false
  ) throws(JobsError) -> [Job] {
    let all = Dictionary(jobs.map { ($0.name, $0) }) { first, _ in first }
    for name in names where all[name] == nil {
      throw .unknownJob(
        name: name, closest: ClosestName.closest(to: name, among: all.keys.sorted()),
        known: all.keys.sorted())
    }
    var selected = Set(names)
    if withNeeds {
      for name in names { selected.formUnion(needed(by: name, in: all)) }
    }
    var waiting = selected.sorted()
    var ordered: [Job] = []
    let before = Dictionary(
      uniqueKeysWithValues: waiting.map {
        ($0, needed(by: $0, in: all).intersection(selected))
      })
    while let next = waiting.firstIndex(where: { before[$0, default: []].isDisjoint(with: waiting) }
    ) {
      if let job = all[waiting.remove(at: next)] { ordered.append(job) }
    }
    return ordered
  }

  /// All that a job needs, directly or not, without itself.
  static func needed(by name: String, in jobs: [String: Job]) -> Set<String> {
    var found: Set<String> = []
    var open = jobs[name]?.needs ?? []
    while let need = open.popLast() {
      if found.insert(need).inserted { open += jobs[need]?.needs ?? [] }
    }
    return found.subtracting([name]).intersection(jobs.keys)
  }
}
