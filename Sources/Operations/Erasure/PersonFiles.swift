import Glibc
import Jobs
import ReportWriters
import Store
import Workspace

/// The files of a workspace that may name a person; see `docs/privacy.md#erase-a-person`.
struct PersonFiles {
  let workspace: Workspace
  let catalog: JobCatalog

  /// Returns the lists of rejected lines: those in the folder, and those that jobs place elsewhere.
  func rejects() throws(WorkspaceError) -> [String] {
    let ofJobs = catalog.jobs.flatMap(\.definition.rejectLists)
    let inFolder = try names(in: workspace.rejectsFolder).filter { !$0.hasPrefix(".") }
      .map { "\(workspace.rejectsFolder)/\($0)" }
    return Set(inFolder + ofJobs.map(workspace.path)).sorted()
  }

  /// Returns the logs of cron or a service in the data folder: `cron.log`, `cron.log.1`.
  func logs() throws(WorkspaceError) -> [String] {
    try names(in: workspace.dataFolder).filter { name in
      !name.hasPrefix(".") && !name.hasSuffix(".gz")
        && (name.hasSuffix(".log") || name.contains(".log."))
    }.map { "\(workspace.dataFolder)/\($0)" }
  }

  /// Returns the files of events that jobs read, plain or gzip.
  func exports() -> [String] {
    let patterns = catalog.jobs.flatMap(\.definition.exportPatterns)
    return Set(patterns.flatMap { ExportFile.matching($0, in: workspace).map(\.path) }).sorted()
  }

  /// Returns all files of the last reports: any may name anybody, also shortened or by name alone.
  func pages() throws(WorkspaceError) -> [String] {
    var found: [String] = []
    for folder in outputFolders {
      for parent in [folder, "\(folder)/\(PageLayout.historyFolder)"] {
        found += try names(in: parent).filter(HistoryFolder.isOwn).map { "\(parent)/\($0)" }
      }
      found += try TableFiles(folder: folder, mode: .ownerOnly).files()
    }
    return found
  }

  /// Returns the days of all dated copies, with their folders.
  func copies() throws(WorkspaceError) -> [(history: HistoryFolder, days: [String])] {
    var found: [(HistoryFolder, [String])] = []
    for folder in outputFolders {
      let history = HistoryFolder(path: "\(folder)/\(PageLayout.historyFolder)")
      let days = try history.days()
      if !days.isEmpty { found.append((history, days)) }
    }
    return found
  }

  /// Returns the copies of the database, newest first, and databases that restores have replaced.
  func backups() throws(WorkspaceError) -> [String] {
    let copies = try names(in: workspace.backupsFolder).filter { name in
      !name.hasPrefix(".") && !name.contains(".part") && !name.hasSuffix(BackupManifest.suffix)
        && !ErasureList.isName(name)
    }
    let replaced = try names(in: workspace.dataFolder).filter { name in
      name.contains(".sqlite.before-restore-")
        && !RestoredDatabase.logSuffixes.contains { name.hasSuffix($0) }
    }
    return copies.reversed().map { "\(workspace.backupsFolder)/\($0)" }
      + replaced.reversed().map { "\(workspace.dataFolder)/\($0)" }
  }

  private var outputFolders: [String] {
    let ofJobs = catalog.jobs.flatMap(\.definition.outputFolders)
    return Set(ofJobs.map(workspace.path) + [workspace.outputFolder]).sorted()
  }

  /// Returns the names in a folder; none if it is missing.
  private func names(in folder: String) throws(WorkspaceError) -> [String] {
    guard access(folder, F_OK) == 0 else { return [] }
    return try FileContents.names(in: folder)
  }
}
