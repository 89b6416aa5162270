import Glibc
import Model
import Reports
import Store

/// The files of a workspace that name a person; see `docs/privacy.md#erase-a-person`.
struct PersonFiles {
  /// Bytes of a report that are searched at most; pages are far smaller.
  private static let reportLimit = 256 << 20

  let workspace: Workspace
  let catalog: JobCatalog
  let id: String
  /// What stands for the person in anonymous reports; nil before there was one.
  let pseudonym: String?

  /// Lists of rejected lines: those of the folder, and those that jobs name elsewhere.
  func rejects() throws(JobsError) -> [String] {
    let ofJobs = catalog.jobs.compactMap { ($0.definition as? ImportEventsOptions)?.rejects }
    let inFolder = try names(in: workspace.rejectsFolder).filter { !$0.hasPrefix(".") }
      .map { "\(workspace.rejectsFolder)/\($0)" }
    return Set(inFolder + ofJobs.map(workspace.path)).sorted()
  }

  /// Pages and other files of the last reports that name the person.
  func pages() throws(JobsError) -> [String] {
    var found: [String] = []
    for folder in outputFolders {
      for parent in [folder, "\(folder)/\(PageLayout.historyFolder)"] {
        for name in try names(in: parent) where HistoryFolder.isOwn(name) {
          if try namesPerson("\(parent)/\(name)") { found.append("\(parent)/\(name)") }
        }
      }
    }
    return found
  }

  /// The days whose dated copies name the person, by the folder that has them.
  func copies() throws(JobsError) -> [(history: HistoryFolder, days: [String])] {
    var found: [(HistoryFolder, [String])] = []
    for folder in outputFolders {
      let history = HistoryFolder(path: "\(folder)/\(PageLayout.historyFolder)")
      var days: [String] = []
      for day in try history.days() {
        for name in try names(in: "\(history.path)/\(day)") where HistoryFolder.isOwn(name) {
          guard try namesPerson("\(history.path)/\(day)/\(name)") else { continue }
          days.append(day)
          break
        }
      }
      if !days.isEmpty { found.append((history, days)) }
    }
    return found
  }

  /// The copies of the database, newest first, and the databases that restores have replaced.
  func backups() throws(JobsError) -> [String] {
    let copies = try names(in: workspace.backupsFolder).filter { name in
      !name.hasPrefix(".") && !name.contains(".part") && !name.hasSuffix(BackupManifest.suffix)
    }
    let replaced = try names(in: workspace.dataFolder).filter { name in
      name.contains(".sqlite.before-restore-")
        && !RestoredDatabase.logSuffixes.contains { name.hasSuffix($0) }
    }
    return copies.reversed().map { "\(workspace.backupsFolder)/\($0)" }
      + replaced.reversed().map { "\(workspace.dataFolder)/\($0)" }
  }

  private var outputFolders: [String] {
    let ofJobs = catalog.jobs.compactMap { ($0.definition as? ReportOptions)?.output }
    return Set(ofJobs.map(workspace.path) + [workspace.outputFolder]).sorted()
  }

  private func namesPerson(_ path: String) throws(JobsError) -> Bool {
    do {
      let bytes = try FileContents.bytes(of: path, limit: Self.reportLimit)
      let words = [id, pseudonym].compactMap(\.self).map { Array($0.utf8) }
      return bytes.withUnsafeBytes { bytes in
        words.contains { WholeWord.isFound($0, in: bytes) }
      }
    } catch {
      throw .file(error)
    }
  }

  /// The names in a folder; none of a folder that is not there.
  private func names(in folder: String) throws(JobsError) -> [String] {
    guard access(folder, F_OK) == 0 else { return [] }
    do {
      return try FileContents.names(in: folder)
    } catch {
      throw .file(error)
    }
  }
}
