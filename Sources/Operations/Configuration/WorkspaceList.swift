import Glibc
package import Workspace

/// The user's list of workspaces, which `firetally overview` reads without `-C`:
/// docs/overview.md#the-list.
package struct WorkspaceList: Hashable, Sendable {
  /// In the order of the file, each once.
  package let folders: [String]

  private static let key = "workspaces"
  private static let fileName = "firetally/workspaces.yml"

  /// The path of the list: below `XDG_CONFIG_HOME`, else below `~/.config`, as the XDG Base
  /// Directory Specification has it; nil without a home folder.
  package static func path(in environment: [String: String]) -> String? {
    // The specification ignores relative paths.
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return "\(folder)/\(fileName)"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.config/\(fileName)"
  }

  /// Reads the list; nil when there is none.
  ///
  /// - Throws: `WorkspaceError.configuration` with all problems, `WorkspaceError.file`.
  package static func stored(
    in environment: [String: String]
  ) throws(WorkspaceError) -> WorkspaceList? {
    guard let path = path(in: environment) else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try FileContents.bytes(of: path, limit: YAMLDocument.maxBytes + 1)
    } catch  where error.systemCode == ENOENT {
      return nil
    }
    do {
      return try WorkspaceList(
        parsing: SourceFile(path: path, bytes: bytes), home: environment["HOME"])
    } catch {
      throw .configuration(error)
    }
  }

  /// Relative folders begin at the folder of the file, and `~/` at the home folder.
  package init(parsing source: SourceFile, home: String?) throws(ConfigurationError) {
    let log = ProblemLog(file: source.path)
    let root = MappingReader(
      try YAMLDocument.root(of: source), keyPath: "", log: log, keys: .allPublic)
    root.refuseOthers(than: [Self.key])
    let parent = source.path.lastIndex(of: "/").map { String(source.path[..<$0]) } ?? "."
    var folders: [String] = []
    for entry in root.items(Self.key) ?? [] {
      guard let text = root.text(of: entry) else { continue }
      let folder: String
      if text == "~" || text.hasPrefix("~/") {
        guard let home else {
          root.problem(entry, "begins with ~, and HOME is not set; write the whole path")
          continue
        }
        folder = home + text.dropFirst()
      } else {
        folder = text.hasPrefix("/") ? text : "\(parent)/\(text)"
      }
      if !folders.contains(folder) { folders.append(folder) }
    }
    if folders.isEmpty, log.problems.isEmpty {
      root.missing(Self.key, "list the folders of your workspaces")
    }
    try log.throwIfAny()
    self.folders = folders
  }
}
