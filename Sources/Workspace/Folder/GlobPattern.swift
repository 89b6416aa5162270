import Glibc

/// What patterns with `*` and `?` match in a workspace.
package enum GlobPattern {
  /// The paths that a pattern matches, which counts from the workspace; sorted.
  package static func paths(matching pattern: String, in workspace: Workspace) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    let pattern = Workspace(root: literal(workspace.root)).path(pattern)
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      found.gl_pathv[index].map { String(cString: $0) }
    }
  }

  /// A pattern that matches this path alone.
  private static func literal(_ path: String) -> String {
    var pattern = String.UnicodeScalarView()
    for scalar in path.unicodeScalars {
      if ["*", "?", "[", "\\"].contains(scalar) { pattern.append("\\") }
      pattern.append(scalar)
    }
    return String(pattern)
  }
}
