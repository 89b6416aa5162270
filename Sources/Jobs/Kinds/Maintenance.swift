import Foundation
import Model
import Store

/// The kind `maintain`: cleans, checks and backs up the database; see `docs/jobs.md#maintain`.
struct Maintenance: JobWork {
  private let options: MaintainOptions
  private let context: JobContext

  init(_ options: MaintainOptions, _ context: JobContext) {
    self.options = options
    self.context = context
  }

  func plan() throws -> String {
    "Would remove corrupted users, check the database and keep \(options.keepBackups) backups."
  }

  func perform() async throws -> JobResult {
    let removed = try context.store.write { try $0.removeCorruptedUsers() }
    try context.store.checkIntegrity()
    if options.keepBackups > 0 {
      try backUp()
      try removeOldBackups()
    }
    try context.store.optimize()
    return JobResult(
      .ok, "\(removed) corrupted users removed, database sound.",
      counts: RunCounts(deleted: removed))
  }

  /// `firetally-2026-01-31T080000Z.sqlite`, so that names sort by time.
  private func backUp() throws {
    let folder = context.workspace.backupsFolder
    do {
      try FileContents.makeFolder(folder)
    } catch {
      throw JobsError.file(error)
    }
    let stamp = context.now.iso8601.replacing(":", with: "")
    try context.store.backUp(to: "\(folder)/firetally-\(stamp).sqlite")
  }

  /// Also copies that were never finished: whoever holds the lock is the only one to make any.
  private func removeOldBackups() throws {
    let folder = context.workspace.backupsFolder
    do {
      let names = try FileContents.names(in: folder).filter { $0.hasPrefix("firetally-") }
      let backups = names.filter { $0.hasSuffix(".sqlite") }
      let unfinished = names.filter { $0.contains(".sqlite.part") }
      for name in backups.dropLast(options.keepBackups) + unfinished {
        guard unlink("\(folder)/\(name)") == 0 else {
          throw FileFailure("remove", "\(folder)/\(name)", code: errno)
        }
      }
    } catch let failure as FileFailure {
      throw JobsError.file(failure)
    }
  }
}
