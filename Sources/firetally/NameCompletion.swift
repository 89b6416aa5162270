import ArgumentParser
import Jobs
import Model
import Reports
import Store
import Workspace

/// What a shell offers for the names of a workspace; see
/// `docs/install.md#completions-and-manual-pages`.
///
/// A completion has nobody to tell what is wrong: without a workspace it offers nothing.
enum NameCompletion {
  static let jobs = CompletionKind.custom { words, _, _ in
    names(in: words) { try $0.jobs().jobs.map(\.name) }
  }

  /// The collections that jobs read; those of the server would cost a request.
  static let collections = CompletionKind.custom { words, _, _ in
    names(in: words) { workspace in
      Set(try workspace.jobs().jobs.compactMap(\.collection)).sorted()
    }
  }

  static let profiles = CompletionKind.custom { words, _, _ in
    stored(in: words) { try $0.profileNames() }
  }

  /// Those of the last report, which is read in no time.
  static let findings = CompletionKind.custom { words, _, _ in
    names(in: words) { try $0.reportedFindings() }
  }

  static let acknowledged = CompletionKind.custom { words, _, _ in
    stored(in: words) { try $0.acknowledgements().map(\.id) }
  }

  /// The backups of the folder that `--from` names, else of the workspace.
  static let backups = CompletionKind.custom { words, _, _ in
    names(in: words) { workspace in
      let folder = value(of: ["--from"], in: words) ?? workspace.backupsFolder
      return ["latest"] + (try BackupFolder(folder).entries().map(\.name))
    }
  }

  /// Those that have names; two days are a period as well.
  static let periods = CompletionKind.list(ReportPeriod.names)

  static let themes = CompletionKind.custom { words, _, _ in
    names(in: words) { try $0.themes().map(\.id) }
  }

  static let tables = CompletionKind.custom { words, _, _ in
    stored(in: words) { try $0.exportableNames() }
  }

  /// What the database of the workspace holds.
  private static func stored(
    in words: [String], _ read: (Reader) throws -> [String]
  ) -> [String] {
    names(in: words) { workspace in
      try Store.open(path: workspace.databasePath, mode: .readOnly).read(read)
    }
  }

  /// Settings as `--set` takes them, up to their value.
  static let assignments = CompletionKind.list(
    SettingAssignments.keys.map { $0.rawValue + "=" })

  /// What is read from the workspace that the words of the command line name.
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

  /// A name as zsh's `_describe` takes it, which reads a description behind a colon.
  static func wordOfZsh(_ name: String) -> String {
    name.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
  }

  /// The folder that `-C` or `--workspace` names, else as for every command.
  static func folder(in words: [String]) -> String {
    value(of: ["-C", "--workspace"], in: words) ?? GlobalOptions.defaultWorkspace
  }

  /// The last value that the words give an option; nil when they give none.
  private static func value(of names: [String], in words: [String]) -> String? {
    for (index, word) in words.enumerated().reversed() {
      if let name = names.first(where: { word.hasPrefix($0 + "=") }) {
        return String(word.dropFirst(name.count + 1))
      }
      guard names.contains(word), index + 1 < words.count else { continue }
      // Of bash, which has words end at `=`.
      guard words[index + 1] == "=" else { return words[index + 1] }
      return index + 2 < words.count ? words[index + 2] : nil
    }
    return nil
  }
}
