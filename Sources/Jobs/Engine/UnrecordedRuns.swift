import Glibc
import Model
import Platform
import Store

/// Runs that could not be recorded, because the disk is full, read-only or broken:
/// docs/running.md#full-disks.
package enum UnrecordedRuns {
  /// Whether an error means that no run can be recorded now.
  package static func areCaused(by error: any Error) -> Bool {
    switch error {
    case let error as StoreError: error.preventsWriting
    case JobsError.file(let failure):
      StoreError(systemError: failure.code, path: failure.path).preventsWriting
    default: false
    }
  }

  /// Leaves an empty file whose time says when: a full disk often has room for a name.
  ///
  /// Where it has not, nothing is left, and nobody can be told.
  static func note(in workspace: Workspace, at now: Instant) {
    do throws(RegularFile.Refusal) {
      let file = try RegularFile.open(workspace.unrecordedPath, O_WRONLY | O_CREAT | O_NOFOLLOW)
      defer { close(file) }
      let time = timespec(tv_sec: Int(now.unixSeconds), tv_nsec: 0)
      futimens(file, [time, time])
    } catch {}
  }

  /// When the last one was noted; nil when none was.
  static func newest(in workspace: Workspace) -> Instant? {
    var status = stat()
    guard stat(workspace.unrecordedPath, &status) == 0 else { return nil }
    return Instant(unixSeconds: Int64(status.st_mtim.tv_sec))
  }
}
