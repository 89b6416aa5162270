/// The keys that a kind of file may have, as the manual lists them.
package struct KeyTable: Hashable, Sendable {
  /// Dotted paths, parents before children; a last part `*` stands for names the operator chooses.
  package let paths: [String]

  package init(_ paths: [String]) {
    self.paths = paths
  }

  /// The keys that may stand directly under a path; empty text is the top of the file.
  func keys(under path: String) -> [String] {
    let prefix = path.isEmpty ? "" : path + "."
    return paths.compactMap { candidate in
      guard candidate.hasPrefix(prefix) else { return nil }
      let rest = candidate.dropFirst(prefix.count)
      return rest.contains(".") || rest == "*" ? nil : String(rest)
    }
  }
}
