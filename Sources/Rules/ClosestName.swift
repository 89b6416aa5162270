/// Finds the name that the operator most likely meant.
package enum ClosestName {
  /// The candidate with the fewest typing errors; nil when none is near.
  ///
  /// Near is at most one error in three letters, and always one. The first of equals wins.
  package static func closest(to name: String, among candidates: [String]) -> String? {
    near(to: name, among: candidates).first
  }

  /// All candidates that are near, the closest first; equals stay in their order.
  package static func near(to name: String, among candidates: [String]) -> [String] {
    let typed = Array(name.lowercased())
    let allowed = max(1, typed.count / 3)
    return candidates.enumerated()
      .map { (offset: $0.offset, errors: distance(typed, Array($0.element.lowercased()))) }
      .filter { $0.errors <= allowed }
      .sorted { ($0.errors, $0.offset) < ($1.errors, $1.offset) }
      .map { candidates[$0.offset] }
  }

  /// `" Did you mean 'x'?"`, or nothing.
  package static func hint(for name: String, among candidates: [String]) -> String {
    closest(to: name, among: candidates).map { " Did you mean '\($0)'?" } ?? ""
  }

  /// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard abs(left.count - right.count) <= max(left.count, right.count) / 2 + 1 else { return .max }
    var older: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
        var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, older[column - 1] + 1)
        }
        current.append(best)
      }
      older = previous
      previous = current
    }
    return previous[right.count]
  }
}
