import Model
package import Workspace

/// Reads all job files of a workspace and checks them against each other.
package enum JobFiles {
  /// Returns the jobs with valid files, and the broken ones.
  package static func catalog(
    of sources: [SourceFile], unreadable: [BrokenJob] = [],
    variables: VariableExpansion.Variables = [:]
  ) -> JobCatalog {
    var files: [JobFile] = []
    var problems = Dictionary(unreadable.map { ($0.name, $0.error.problems) }, uniquingKeysWith: +)
    var names: [String: String] = [:]
    for source in sources.sorted(by: { $0.path < $1.path }) {
      let name = jobName(of: source.path)
      if let first = names.updateValue(source.path, forKey: name) {
        problems[name, default: []].append(
          ConfigurationProblem(
            file: source.path,
            message: "the job '\(name)' is described in \(first) already; keep one of the two files"
          ))
      }
      do {
        files.append(try JobFile(source, name: name, variables: variables))
      } catch {
        problems[name, default: []] += error.problems
      }
    }
    checkNeeds(of: files, names: Set(names.keys).union(problems.keys))
    checkTables(of: files)
    for file in files where !file.log.problems.isEmpty {
      problems[file.name, default: []] += file.log.problems
    }
    let good = files.filter { problems[$0.name] == nil }.compactMap(\.job)
    return JobCatalog(
      jobs: good.sorted { $0.name < $1.name },
      broken: problems.keys.sorted().map { name in
        BrokenJob(
          name: name, kind: files.first { $0.name == name }?.job?.kind,
          error: ConfigurationError(problems[name] ?? []))
      })
  }

  /// Returns the job's name: `jobs/report.yml` -> `report`.
  static func jobName(of path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    return String(file.prefix(upTo: file.lastIndex(of: ".") ?? file.endIndex))
  }

  /// Checks that each table has one job: a second one would take its rows for deleted or unchanged.
  private static func checkTables(of files: [JobFile]) {
    var owners: [String: JobFile] = [:]
    for file in files {
      for (key, table) in file.job?.definition.tables ?? [] where !table.isEmpty {
        let owner = owners.updateValue(file, forKey: table.lowercased())
        guard let owner, owner.name != file.name else { continue }
        let remedy = key == "kind" ? "keep one of the two files" : "name another one under 'table'"
        file.log.add(
          "\(owner.log.file) fills the table '\(table)' already; \(remedy)",
          at: file.tableMarks[key], keyPath: key)
      }
    }
  }

  private static func checkNeeds(of files: [JobFile], names: Set<String>) {
    for file in files {
      for need in file.needs where !names.contains(need.name) {
        let hint = ClosestName.hint(for: need.name, among: names.sorted())
        file.log.add(
          "there is no job '\(need.name)'.\(hint)", at: need.mark, keyPath: "needs")
      }
    }
    let needs = Dictionary(files.map { ($0.name, $0.needs.map(\.name)) }) { first, _ in first }
    for cycle in NeedCycle.all(in: needs) {
      guard let file = files.first(where: { $0.name == cycle.first }) else { continue }
      let mark = file.needs.first { $0.name == cycle.dropFirst().first }?.mark
      file.log.add(
        "the jobs wait for each other: \(cycle.joined(separator: " -> ")); remove one of the needs",
        at: mark, keyPath: "needs")
    }
  }
}

/// Finds cycles of jobs that need each other.
enum NeedCycle {
  /// Returns each cycle once, as a path that starts and ends at its alphabetically first job.
  ///
  /// Every job of a cycle is in at least one path. A name without an entry has no needs.
  static func all(in needs: [String: [String]]) -> [[String]] {
    var cycles: [[String]] = []
    var path: [String] = []
    var finished: Set<String> = []
    func visit(_ name: String) {
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
    for name in needs.keys.sorted() { visit(name) }
    return cycles
  }

  private static func rotated(_ cycle: [String]) -> [String] {
    guard let first = cycle.min(), let start = cycle.firstIndex(of: first) else { return cycle }
    return cycle[start...] + cycle[..<start] + [first]
  }
}
