import FoundationEssentials
import Glibc
package import Model
import Synchronization

/// The right to write to a workspace, which one process has at a time.
///
/// The system itself keeps the lock (flock(2) on an open file), so the lock of a process that died
/// is free at once. It is given back by `release()`, or when nothing refers to it any more. Why a
/// kernel lock: `docs/running.md#lock`.
package final class WorkspaceLock: Sendable {
  static let pollInterval = Duration.milliseconds(100)
  /// The owner's text is padded to a multiple of it.
  private static let recordBytes = 4_096
  /// The pauses for a process that only looks at the lock, as `isHeld` does for microseconds.
  static let glance = (duration: Duration.milliseconds(1), count: 50)

  /// Nil once it was given back.
  private let held: Mutex<(file: FileDescriptor, owner: LockOwner)?>
  private let path: String

  private init(_ file: FileDescriptor, _ owner: LockOwner, path: String) {
    held = Mutex((file, owner))
    self.path = path
  }

  /// Takes the lock, waiting for another process to give it back.
  ///
  /// - Parameters:
  ///   - workspace: its `data` folder must exist.
  ///   - owner: what the lock file records while this process holds it.
  ///   - wait: the longest wait; zero tries once. A process that only looks at the lock delays nobody.
  ///   - isWorthWaiting: whether to go on waiting for an owner, nil for one without a name, after
  ///     the given time.
  ///   - sleep: pauses between two attempts.
  /// - Returns: the lock, held.
  /// - Throws: `JobsError.lockHeld` after the wait, `JobsError.file`, or what `sleep` throws.
  package static func acquire(
    _ workspace: Workspace, for owner: LockOwner, wait: Duration,
    isWorthWaiting: @Sendable (LockOwner?, Duration) -> Bool = { _, _ in true },
    sleep: @Sendable (Duration) async throws -> Void
  ) async throws -> WorkspaceLock {
    var waited = Duration.zero
    var glances = 0
    while true {
      switch try attempt(workspace.lockPath, for: owner) {
      case .taken(let lock): return lock
      case .lookedAt where glances < glance.count:
        glances += 1
        try await sleep(glance.duration)
        continue
      case .lookedAt, .held: break
      }
      let holder = holder(of: workspace)
      guard waited < wait, isWorthWaiting(holder, waited) else {
        throw JobsError.lockHeld(by: holder, waited: waited)
      }
      let pause = min(pollInterval, wait - waited)
      try await sleep(pause)
      waited += pause
    }
  }

  /// Whether a process holds the workspace's lock now; nothing is changed.
  ///
  /// It is taken for held where no more files may be opened: a run is not called dead for that.
  ///
  /// - Throws: `JobsError.file` when the lock file is there and cannot be read.
  package static func isHeld(_ workspace: Workspace) throws(JobsError) -> Bool {
    do {
      let file = try FileDescriptor.open(workspace.lockPath, O_RDONLY, to: "read")
      return flock(file.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    } catch  where [EMFILE, ENFILE, ENOENT].contains(error.systemCode) {
      return error.systemCode != ENOENT
    }
  }

  /// Records in the lock file which job begins now; does nothing once the lock was released.
  package func begin(_ job: Job, at now: Instant) throws(JobsError) {
    try held.withLock { held throws(JobsError) in
      guard let (file, before) = held else { return }
      var owner = before
      owner.begin(job, at: now)
      try Self.record(owner, in: file, path)
      held = (file, owner)
    }
  }

  /// The last owner that the lock file records; it may have released the lock since.
  ///
  /// Nil while a new holder has not written its name yet, or when the file holds something else.
  package static func holder(of workspace: Workspace) -> LockOwner? {
    do {
      return try FileContents.decoded(LockOwner.self, from: workspace.lockPath, limit: 1 << 20)
    } catch {
      return nil
    }
  }

  /// Gives the lock back; further calls do nothing.
  package func release() {
    held.withLock { held in
      guard let number = held?.file.number else { return }
      // The file stays: removing it would let two processes lock two files of one name.
      ftruncate(number, 0)
      held = nil
    }
  }

  deinit {
    release()
  }

  private enum Attempt {
    case taken(WorkspaceLock)
    /// No process holds it; other processes are looking at it.
    case lookedAt
    case held
  }

  private static func attempt(
    _ path: String, for owner: LockOwner
  ) throws(JobsError) -> Attempt {
    let file = try FileDescriptor.open(path, O_RDWR | O_CREAT, to: "lock")
    guard try file.lock(LOCK_EX | LOCK_NB, at: path) else {
      return try file.lock(LOCK_SH | LOCK_NB, at: path) ? .lookedAt : .held
    }
    guard file.isNamed(path) else { return .held }
    try record(owner, in: file, path)
    return .taken(WorkspaceLock(file, owner, path: path))
  }

  private static func record(
    _ owner: LockOwner, in file: FileDescriptor, _ path: String
  ) throws(JobsError) {
    // Filled up with white space, so that one call replaces all that an earlier one wrote, and a
    // reader never meets half of it.
    var bytes = Array(owner.json)
    let room = (bytes.count / recordBytes + 1) * recordBytes
    bytes += Array(repeating: UInt8(ascii: " "), count: room - bytes.count - 1)
    bytes.append(UInt8(ascii: "\n"))
    guard pwrite(file.number, bytes, bytes.count, 0) == bytes.count,
      ftruncate(file.number, off_t(bytes.count)) == 0
    else { throw .cannot("lock", path) }
  }
}
