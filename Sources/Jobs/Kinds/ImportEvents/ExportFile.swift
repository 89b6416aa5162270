import Glibc

/// One export file as it is now.
struct ExportFile: Hashable {
  let path: String
  /// Changes whenever the file does: size and time of the last change.
  let version: String

  var metadataName: String { "imported \(path)" }

  /// The regular files that a glob pattern matches, which counts from the workspace.
  static func matching(_ pattern: String, in workspace: Workspace) -> [ExportFile] {
    var found = glob_t()
    defer { globfree(&found) }
    let pattern = Workspace(root: literal(workspace.root)).path(pattern)
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      found.gl_pathv[index].flatMap { ExportFile(path: String(cString: $0)) }
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

  private init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    version = "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }
}
