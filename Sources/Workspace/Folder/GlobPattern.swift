import Glibc

/// The matches of patterns with `*` and `?` in a workspace.
package enum GlobPattern {
  /// Returns the paths that a pattern matches, sorted; the pattern is relative to the workspace.
  package static func paths(matching pattern: String, in workspace: Workspace) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    let pattern = Workspace(root: literal(workspace.root)).path(pattern)
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      found.gl_pathv[index].map { String(cString: $0) }
    }
  }

  /// Returns a pattern that matches only this path.
  private static func literal(_ path: String) -> String {
    var pattern = String.UnicodeScalarView()
    for scalar in path.unicodeScalars {
      if ["*", "?", "[", "\\"].contains(scalar) { pattern.append("\\") }
      pattern.append(scalar)
    }
    return String(pattern)
  }
}
