import Glibc
package import Model
import Platform
import Store
package import Workspace

/// Runs that could not be recorded, because the disk is full, read-only or broken:
/// docs/running.md#full-disks.
package enum UnrecordedRuns {
  /// Whether an error means that no run can be recorded now.
  package static func areCaused(by error: any Error) -> Bool {
    switch error {
    case let error as StoreError: error.preventsWriting
    case WorkspaceError.file(let failure):
      StoreError(systemError: failure.code, path: failure.path).preventsWriting
    default: false
    }
  }

  package struct Note: Hashable, Sendable {
    /// The time of the last unrecorded run.
    package var at: Instant
    /// The time of the last message about unrecorded runs.
    package var toldAt: Instant?
  }

  /// Whether a run that cannot be recorded now is due for a message.
  package static func isNews(_ note: Note?, after newest: Instant?, at now: Instant) -> Bool {
    guard let note, note.at.counts(at: now), let toldAt = note.toldAt, toldAt.counts(at: now)
    else { return true }
    if let newest, newest.counts(at: now), newest > note.at { return true }
    return now - toldAt >= IncidentRule.repetition
  }

  /// Touches an empty file: its modification time is `now`, its access time is `toldAt`.
  ///
  /// A full disk often has room for a file name. If the file cannot be created, there is no note,
  /// and each unrecorded run sends a message.
  static func leaveNote(in workspace: Workspace, at now: Instant, toldAt: Instant) {
    do throws(RegularFile.Refusal) {
      let file = try RegularFile.open(workspace.unrecordedPath, O_WRONLY | O_CREAT | O_NOFOLLOW)
      defer { close(file) }
      futimens(
        file,
        [toldAt, now].map { timespec(tv_sec: Int($0.unixSeconds), tv_nsec: 0) })
    } catch {}
  }

  /// The note; nil when none was left.
  package static func note(of workspace: Workspace) -> Note? {
    var status = stat()
    guard stat(workspace.unrecordedPath, &status) == 0 else { return nil }
    return Note(
      at: Instant(unixSeconds: Int64(status.st_mtim.tv_sec)),
      toldAt: Instant(unixSeconds: Int64(status.st_atim.tv_sec)))
  }
}
