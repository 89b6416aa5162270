import Glibc
import Model

/// Whether jobs can take the workspace's lock, and who holds it.
struct LockCheck: DoctorCheck {
  static let name = "lock"

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    let remote = try remoteDisk(context)
    guard try WorkspaceLock.isHeld(context.folder) else {
      return [ok("The lock is free.")] + remote
    }
    guard let owner = WorkspaceLock.holder(of: context.folder) else {
      return [warn("An unknown process holds the lock.", "Look again in a moment.")] + remote
    }
    let job = owner.job.map { "the job \($0) of " } ?? ""
    guard owner.holding.isOvertime(at: context.clock.now) else {
      return [ok("\(job)\(owner) holds the lock, and is within its timeout.")] + remote
    }
    let timeout = DurationText.text(.seconds(owner.timeoutSeconds ?? 0))
    return [
      warn(
        "\(job)\(owner) holds the lock, longer than its timeout of \(timeout) allows.",
        "See what it does, and end it: `kill \(owner.pid)`.")
    ] + remote
  }

  /// A finding when the lock may not keep other machines out.
  private func remoteDisk(_ context: DoctorContext) throws -> [DoctorFinding] {
    guard try context.disk().isRemote else { return [] }
    return [
      warn(
        "\(context.folder.dataFolder) is on a network file system, where locks may not reach other "
          + "machines.", "Keep the workspace on a local disk: docs/running.md#lock.")
    ]
  }
}

/// Whether what jobs write can be written.
struct OutputCheck: DoctorCheck {
  static let name = "output"

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    let folder = context.folder
    var catalog = JobCatalog(jobs: [])
    if case .success(let listed) = context.catalog { catalog = listed }
    let outputs = catalog.jobs.flatMap(\.definition.outputFolders)
    var paths: [String] = []
    for path in [folder.dataFolder, folder.outputFolder] + outputs.map(folder.path)
    where !paths.contains(path) {
      paths.append(path)
    }
    let refused = paths.compactMap { path in refusal(of: path).map { fail($0.description) } }
    guard refused.isEmpty else { return refused }
    return [ok("\(paths.joined(separator: ", ")): can be written.")]
  }

  /// Why files cannot be made in a folder, or the folder itself; nil when they can.
  private func refusal(of path: String) -> FileFailure? {
    if access(path, W_OK | X_OK) == 0 { return nil }
    let code = errno
    guard code == ENOENT else { return FileFailure("write into", path, code: code) }
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    guard access(parent.isEmpty ? "/" : parent, W_OK | X_OK) != 0 else { return nil }
    return FileFailure("make the folder", path, code: errno)
  }
}
