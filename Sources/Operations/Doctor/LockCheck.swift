import Glibc
import Jobs
import Model
import Workspace

/// Checks whether jobs can take the workspace's lock, and who holds it.
struct LockCheck: DoctorCheck {
  static let name = "lock"

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    let remote = try remoteDisk(context)
    guard try WorkspaceLock.isHeld(context.workspace.folder) else {
      return ok("The lock is free.") + remote
    }
    guard let owner = WorkspaceLock.holder(of: context.workspace.folder) else {
      return warn(
        "A process that has not said what it does holds the lock.", "Look again in a moment.")
        + remote
    }
    let holder = LockOwner.words(of: owner)
    guard owner.holding.isOvertime(at: context.clock.now) else {
      return ok("\(holder) holds the lock, and is within its timeout.") + remote
    }
    let timeout = DurationText.text(.seconds(owner.timeoutSeconds ?? 0))
    return warn(
      "\(holder) holds the lock, longer than its timeout of \(timeout) allows.",
      "See what it does, and end it: `kill \(owner.pid)`.") + remote
  }

  /// Returns a finding when the lock may not keep out other machines.
  private func remoteDisk(_ context: DoctorContext) throws -> [DoctorFinding] {
    guard try context.disk().isRemote else { return [] }
    return warn(
      "\(context.workspace.folder.dataFolder) is on a network file system, where locks may not "
        + "reach other machines.", "Keep the workspace on a local disk: docs/running.md#lock.")
  }
}

/// Checks whether the output files of jobs can be written.
struct OutputCheck: DoctorCheck {
  static let name = "output"

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    let folder = context.workspace.folder
    var catalog = JobCatalog(jobs: [])
    if case .success(let listed) = context.workspace.catalog { catalog = listed }
    let outputs = catalog.jobs.flatMap(\.definition.outputFolders)
    let paths = ([folder.dataFolder, folder.outputFolder] + outputs.map(folder.path)).unique
    let refused = paths.compactMap(refusal).flatMap { fail($0.description) }
    return refused.isEmpty ? ok("\(paths.joined(separator: ", ")): can be written.") : refused
  }

  /// Returns why files cannot be created in a folder, or the folder itself; nil when they can.
  private func refusal(of path: String) -> WorkspaceError? {
    if access(path, W_OK | X_OK) == 0 { return nil }
    let code = errno
    guard code == ENOENT else { return .cannot("write into", path, code: code) }
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    guard access(parent.isEmpty ? "/" : parent, W_OK | X_OK) != 0 else { return nil }
    return .cannot("make the folder", path)
  }
}
