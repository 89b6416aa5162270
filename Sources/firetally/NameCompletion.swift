import ArgumentParser
import Jobs
import Model
import Reports
import Store
import Workspace

/// The shell completion of names in a workspace; see
/// `docs/install.md#completions-and-manual-pages`.
///
/// A completion cannot report problems: without a workspace it offers nothing.
enum NameCompletion {
  static let jobs = CompletionKind.custom { words, _, _ in
    names(in: words) { try $0.jobs().jobs.map(\.name) }
  }

  /// The collections that jobs read; listing those of the server would cost a request.
  static let collections = CompletionKind.custom { words, _, _ in
    names(in: words) { workspace in
      Set(try workspace.jobs().jobs.compactMap(\.collection)).sorted()
    }
  }

  static let profiles = CompletionKind.custom { words, _, _ in
    stored(in: words) { try $0.profileNames() }
  }

  /// The findings of the last report, which can be read quickly.
  static let findings = CompletionKind.custom { words, _, _ in
    names(in: words) { try $0.reportedFindings() }
  }

  static let acknowledged = CompletionKind.custom { words, _, _ in
    stored(in: words) { try $0.acknowledgements().map(\.id) }
  }

  /// The backups in the folder that `--from` names, else in the workspace.
  static let backups = CompletionKind.custom { words, _, _ in
    names(in: words) { workspace in
      let folder = value(of: ["--from"], in: words) ?? workspace.backupsFolder
      return ["latest"] + (try BackupFolder(folder).entries().map(\.name))
    }
  }

  /// The periods with names; two days are also a valid period.
  static let periods = CompletionKind.list(ReportPeriod.names)

  static let themes = CompletionKind.custom { words, _, _ in
    names(in: words) { try $0.themes().map(\.id) }
  }

  static let tables = CompletionKind.custom { words, _, _ in
    stored(in: words) { try $0.exportableNames() }
  }

  /// Reads names from the workspace's database.
  private static func stored(
    in words: [String], _ read: (Reader) throws -> [String]
  ) -> [String] {
    names(in: words) { workspace in
      try Store.open(path: workspace.databasePath, mode: .readOnly).read(read)
    }
  }

  /// The settings with `=`, as `--set` expects them.
  static let assignments = CompletionKind.list(
    SettingAssignments.keys.map { $0.rawValue + "=" })

  /// Reads names from the workspace that the command line names.
  static func names(
    in words: [String], _ read: (Workspace) throws -> [String]
  ) -> [String] {
    do {
      let names = try read(
        Workspace(root: folder(in: words), variables: ProgramProcess.current.environment))
      return CompletionShell.requesting == .zsh ? names.map(wordOfZsh) : names
    } catch {
      return []
    }
  }

  /// Returns a name for zsh's `_describe`, which takes text after a colon for a description.
  static func wordOfZsh(_ name: String) -> String {
    name.replacingScalars("\\", with: "\\\\").replacingScalars(":", with: "\\:")
  }

  /// Returns the folder in `-C` or `--workspace`, else the default of every command.
  static func folder(in words: [String]) -> String {
    value(of: ["-C", "--workspace"], in: words) ?? GlobalOptions.defaultWorkspace
  }

  /// Returns the last value of an option in the words; nil without one.
  private static func value(of names: [String], in words: [String]) -> String? {
    for (index, word) in words.enumerated().reversed() {
      if let name = names.first(where: { word.hasPrefix($0 + "=") }) {
        return String(word.dropFirst(name.count + 1))
      }
      guard names.contains(word), index + 1 < words.count else { continue }
      // bash ends words at `=`.
      guard words[index + 1] == "=" else { return words[index + 1] }
      return index + 2 < words.count ? words[index + 2] : nil
    }
    return nil
  }
}
