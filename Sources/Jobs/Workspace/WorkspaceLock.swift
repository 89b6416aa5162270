import FoundationEssentials
import Glibc
import Synchronization

/// The right to write to a workspace, which one process has at a time.
///
/// The system itself keeps the lock (flock(2) on an open file), so the lock of a process that died
/// is free at once. It is given back by `release()`, or when nothing refers to it any more. Why a
/// kernel lock: `docs/jobs.md#lock`.
package final class WorkspaceLock: Sendable {
  static let pollInterval = Duration.milliseconds(100)
  /// How long and how often to wait for who only looks, as `isHeld` does for microseconds.
  static let glance = (duration: Duration.milliseconds(1), count: 50)

  private let file: Mutex<FileDescriptor?>

  private init(_ file: FileDescriptor) {
    self.file = Mutex(file)
  }

  /// Takes the lock, waiting for another process to give it back.
  ///
  /// - Parameters:
  ///   - workspace: its `data` folder must exist.
  ///   - owner: what others are told while this process holds it.
  ///   - wait: how long at most; zero tries once. Who only looks at the lock holds up nobody.
  ///   - sleep: pauses between two attempts.
  /// - Returns: the lock, held.
  /// - Throws: `JobsError.lockHeld` after the wait, `JobsError.file`, or what `sleep` throws.
  package static func acquire(
    _ workspace: Workspace, for owner: LockOwner, wait: Duration,
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
      guard waited < wait else {
        throw JobsError.lockHeld(by: recordedOwner(at: workspace.lockPath), waited: waited)
      }
      let pause = min(pollInterval, wait - waited)
      try await sleep(pause)
      waited += pause
    }
  }

  /// Whether a process holds the workspace's lock now; nothing is changed.
  ///
  /// - Throws: `JobsError.file` when the lock file is there and cannot be read.
  package static func isHeld(_ workspace: Workspace) throws(JobsError) -> Bool {
    do {
      let file = try FileDescriptor.open(workspace.lockPath, O_RDONLY, to: "read")
      return flock(file.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    } catch {
      guard error.code == ENOENT else { throw .file(error) }
      return false
    }
  }

  /// Gives the lock back; further calls do nothing.
  package func release() {
    file.withLock { file in
      guard let number = file?.number else { return }
      // The file stays: removing it would let two processes lock two files of one name.
      ftruncate(number, 0)
      file = nil
    }
  }

  deinit {
    release()
  }

  private enum Attempt {
    case taken(WorkspaceLock)
    /// Nobody writes; others find out whether somebody does.
    case lookedAt
    case held
  }

  private static func attempt(
    _ path: String, for owner: LockOwner
  ) throws(JobsError) -> Attempt {
    do {
      let file = try FileDescriptor.open(path, O_RDWR | O_CREAT, to: "lock")
      guard try isLocked(file, LOCK_EX, path) else {
        return try isLocked(file, LOCK_SH, path) ? .lookedAt : .held
      }
      guard isStillNamed(path, file) else { return .held }
      try record(owner, in: file, path)
      return .taken(WorkspaceLock(file))
    } catch {
      throw .file(error)
    }
  }

  private static func isLocked(
    _ file: FileDescriptor, _ mode: Int32, _ path: String
  ) throws(FileFailure) -> Bool {
    while flock(file.number, mode | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw FileFailure("lock", path, code: errno) }
    }
    return true
  }

  /// Whether the locked file is the one that others would open now.
  private static func isStillNamed(_ path: String, _ file: FileDescriptor) -> Bool {
    var named = stat()
    var locked = stat()
    return stat(path, &named) == 0 && fstat(file.number, &locked) == 0
      && named.st_ino == locked.st_ino && named.st_dev == locked.st_dev
  }

  private static func record(
    _ owner: LockOwner, in file: FileDescriptor, _ path: String
  ) throws(FileFailure) {
    let bytes = Array(owner.json) + [UInt8(ascii: "\n")]
    guard ftruncate(file.number, 0) == 0,
      pwrite(file.number, bytes, bytes.count, 0) == bytes.count
    else { throw FileFailure("lock", path, code: errno) }
  }

  /// Nil while the owner has not written its name yet, or when the file holds something else.
  private static func recordedOwner(at path: String) -> LockOwner? {
    do {
      return LockOwner(json: Data(try FileContents.bytes(of: path, limit: 4_096)))
    } catch {
      return nil
    }
  }
}
