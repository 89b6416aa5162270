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
