import FoundationEssentials
import Glibc
package import Model
package import Store
import Synchronization

/// The exclusive lock for writing to a workspace.
///
/// It is a kernel lock, flock(2) on an open file, so the lock of a dead process is free at once. It
/// is released by `release()` or with the last reference. Why a kernel lock:
/// `docs/running.md#lock`.
package final class WorkspaceLock: Sendable {
  static let pollInterval = Duration.milliseconds(100)
  /// The owner's record is padded to a multiple of this size.
  private static let recordBytes = 4_096
  /// The pauses for a process that only checks the lock, as `isHeld` does for microseconds.
  static let glance = (duration: Duration.milliseconds(1), count: 50)

  /// Nil once the lock was released.
  private let held: Mutex<(file: FileDescriptor, owner: LockOwner)?>
  private let path: String

  private init(_ file: FileDescriptor, _ owner: LockOwner, path: String) {
    held = Mutex((file, owner))
    self.path = path
  }

  /// Acquires the lock, and waits for another process to release it.
  ///
  /// The lock file records `owner`. A wait of zero tries once; a process that only checks the lock
  /// causes no delay. `isWorthWaiting` decides after the given time whether to keep waiting for an
  /// owner, nil if unknown.
  ///
  /// - Precondition: the workspace has its `data` folder.
  /// - Throws: `WorkspaceError.lockHeld` after the wait, `WorkspaceError.file`, or what `sleep`
  ///   throws.
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
      let holder = try await knownHolder(of: workspace, sleep: sleep)
      guard waited < wait, isWorthWaiting(holder, waited) else {
        throw WorkspaceError.lockHeld(by: holder, waited: waited)
      }
      let pause = min(pollInterval, wait - waited)
      try await sleep(pause)
      waited += pause
    }
  }

  /// Returns the holder; waits a moment for a process that has just taken the lock and writes its
  /// name next.
  private static func knownHolder(
    of workspace: Workspace, sleep: @Sendable (Duration) async throws -> Void
  ) async throws -> LockOwner? {
    for _ in 0..<glance.count {
      if let holder = holder(of: workspace) { return holder }
      guard try isHeld(workspace) else { return nil }
      try await sleep(glance.duration)
    }
    return nil
  }

  /// Whether a process holds the workspace's lock now; changes nothing.
  ///
  /// It counts as held when no more files can be opened, so that a run is not declared dead for
  /// that reason.
  ///
  /// - Throws: `WorkspaceError.file` when the lock file exists and cannot be read.
  package static func isHeld(_ workspace: Workspace) throws(WorkspaceError) -> Bool {
    do {
      let file = try FileDescriptor.open(workspace.lockPath, O_RDONLY, to: "read")
      return flock(file.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    } catch  where [EMFILE, ENFILE, ENOENT].contains(error.systemCode) {
      return error.systemCode != ENOENT
    }
  }

  /// Records in the lock file which job begins now, and its timeout.
  ///
  /// It does nothing once the lock was released.
  package func begin(
    job: String, timeout: Duration?, at now: Instant
  ) throws(WorkspaceError) {
    try held.withLock { held throws(WorkspaceError) in
      guard let (file, before) = held else { return }
      var owner = before
      owner.begin(job: job, timeout: timeout, at: now)
      try Self.record(owner, in: file, path)
      held = (file, owner)
    }
  }

  /// Returns the last owner in the lock file, which may have released the lock since.
  ///
  /// It is nil while a new holder has not written its name yet, and for other content.
  package static func holder(of workspace: Workspace) -> LockOwner? {
    do {
      return try FileContents.decoded(LockOwner.self, from: workspace.lockPath, limit: 1 << 20)
    } catch {
      return nil
    }
  }

  /// Releases the lock; further calls do nothing.
  package func release() {
    held.withLock { held in
      guard let number = held?.file.number else { return }
      // The file stays: if it were removed, two processes could lock two files of the same name.
      ftruncate(number, 0)
      held = nil
    }
  }

  deinit {
    release()
  }

  private enum Attempt {
    case taken(WorkspaceLock)
    /// No process holds it, but others are checking it.
    case lookedAt
    case held
  }

  private static func attempt(
    _ path: String, for owner: LockOwner
  ) throws(WorkspaceError) -> Attempt {
    // The locked file is overwritten, so no link or second name may lead to another file.
    let file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, to: "lock")
    guard file.hasOneName else { throw .cannot("lock", path, code: EMLINK) }
    guard try file.lock(LOCK_EX | LOCK_NB, at: path) else {
      return try file.lock(LOCK_SH | LOCK_NB, at: path) ? .lookedAt : .held
    }
    guard file.isNamed(path) else { return .held }
    try record(owner, in: file, path)
    return .taken(WorkspaceLock(file, owner, path: path))
  }

  private static func record(
    _ owner: LockOwner, in file: FileDescriptor, _ path: String
  ) throws(WorkspaceError) {
    // Padding with white space lets one call replace the whole earlier record, so that readers
    // never see half of a record.
    var bytes = Array(owner.json)
    let room = (bytes.count / recordBytes + 1) * recordBytes
    bytes += Array(repeating: UInt8(ascii: " "), count: room - bytes.count - 1)
    bytes.append(UInt8(ascii: "\n"))
    guard pwrite(file.number, bytes, bytes.count, 0) == bytes.count,
      ftruncate(file.number, off_t(bytes.count)) == 0
    else { throw .cannot("lock", path) }
  }
}

/// The holder of a workspace's lock, as recorded in the lock file.
package struct LockOwner: Hashable, Codable, Sendable {
  package var pid: Int32
  package var host: String
  package var since: Instant
  /// The command line, without secrets: `firetally run --all`.
  package var command: String
  /// The jobs of the command, in their order; nil when it does something else.
  package var jobs: [String]?
  /// The running job; nil before the first one.
  package var job: String?
  package var jobSince: Instant?
  /// The timeout of that job; nil for none.
  package var timeoutSeconds: Int64?

  package static func thisProcess(command: String, since: Instant) -> LockOwner {
    var name = [CChar](repeating: 0, count: 256)
    let host = gethostname(&name, name.count - 1) == 0 ? name : []
    return LockOwner(
      pid: getpid(), host: String(decoding: host.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self),
      since: since, command: command)
  }

  /// The purpose of holding the lock, as far as it is recorded.
  package var holding: LockRule.Holding {
    LockRule.Holding(
      jobs: Set(jobs ?? []), since: jobSince ?? since,
      timeout: timeoutSeconds.map { .seconds($0) })
  }

  package mutating func begin(job: String, timeout: Duration?, at now: Instant) {
    self.job = job
    jobSince = now
    timeoutSeconds = timeout?.components.seconds
  }
}

extension LockOwner: CustomStringConvertible {
  /// For example `pid 123 (firetally run --all) on mars since 2026-01-31T08:00:00Z`.
  package var description: String {
    "pid \(pid) (\(command)) on \(host) since \(since.iso8601)"
  }

  /// Describes the holder of a lock with its running job; nil is an unknown holder.
  package static func words(of owner: LockOwner?) -> String {
    guard let owner else { return "another process, which has not said yet what it does," }
    return (owner.job.map { "the job \($0) of " } ?? "") + owner.description
  }
}

extension LockOwner {
  /// The record in the lock file.
  var json: Data {
    do {
      return try JSONEncoder().encode(self)
    } catch {
      preconditionFailure("numbers, texts and an instant are always JSON: \(error)")
    }
  }
}

/// The owner of a use that takes time, as recorded in its reservation.
///
/// Only the holder of the workspace's lock makes such a use, so the lock shows whether it still
/// runs: docs/limits.md#cooldowns.
package enum UseOwner {
  /// Returns a name that is unique for one process and command.
  package static func name(of owner: LockOwner) -> String {
    "pid \(owner.pid) on \(owner.host) since \(owner.since.iso8601)"
  }

  /// Whether the owner may still hold the lock; true while another process is acquiring it.
  ///
  /// - Throws: `WorkspaceError.file` when the lock file exists and cannot be read.
  package static func isAlive(_ name: String, in workspace: Workspace) throws(WorkspaceError)
    -> Bool
  {
    guard try WorkspaceLock.isHeld(workspace) else { return false }
    guard let holder = WorkspaceLock.holder(of: workspace) else { return true }
    return self.name(of: holder) == name
  }
}

/// A job that could not begin, because another process held the workspace.
package struct Lockout: Hashable, Sendable {
  package var job: String
  /// Nil when the holder is unknown.
  package var owner: LockOwner?
  package var waited: Duration
  package var verdict: LockVerdict

  package init(job: String, owner: LockOwner? = nil, waited: Duration, verdict: LockVerdict) {
    self.job = job
    self.owner = owner
    self.waited = waited
    self.verdict = verdict
  }
}

extension Lockout: CustomStringConvertible {
  package var description: String {
    "Not run: \(LockOwner.words(of: owner)) holds the workspace\(reason) Waited "
      + "\(DurationText.text(waited))"
      + (verdict == .covered ? "." : "; try again later, or wait longer with --lock-wait.")
  }

  private var reason: String {
    switch verdict {
    case .covered where owner?.jobs?.contains(job) == true: ", and runs the same job."
    case .covered: ", and runs a job that \(job) needs."
    case .otherWork: "."
    case .overtime:
      ", longer than its timeout of "
        + "\(DurationText.text(.seconds(owner?.timeoutSeconds ?? 0))) allows."
    }
  }
}

/// A command's way to acquire the workspace's lock: its owner and its longest wait; see
/// `docs/running.md#lock`.
package struct LockRequest: Sendable {
  package let owner: LockOwner
  /// The longest wait; zero tries once.
  package let wait: Duration
  /// Whether to wait that long for any holder of the lock.
  package let isPatient: Bool

  package init(_ owner: LockOwner, wait: Duration, isPatient: Bool) {
    self.owner = owner
    self.wait = wait
    self.isPatient = isPatient
  }

  /// Acquires the lock and refunds the uses that its dead owners had reserved.
  ///
  /// The lock file shows the jobs to others; `note` receives a sentence about refunded uses.
  ///
  /// - Throws: `WorkspaceError.lockHeld` after the wait, `WorkspaceError.file`, and what the
  ///   database throws.
  package func acquire(
    _ workspace: Workspace, _ store: Store, forJobs jobs: [String] = [], clock: WorkspaceClock,
    note: (String) -> Void
  ) async throws -> WorkspaceLock {
    let lock = try await acquire(workspace, forJobs: jobs, clock: clock)
    // Only the lock's holder reserves uses over the network, so every open one is abandoned.
    let refunded = try store.refundAbandonedUses { _ in false }
    if refunded > 0 { note("Gave back \(refunded) uses whose commands died.") }
    return lock
  }

  /// Acquires only the lock, for a caller that is about to replace the database.
  package func acquire(
    _ workspace: Workspace, forJobs jobs: [String] = [], clock: WorkspaceClock
  ) async throws -> WorkspaceLock {
    var owner = owner
    owner.jobs = jobs.isEmpty ? nil : jobs
    let names = Set(jobs)
    return try await WorkspaceLock.acquire(
      workspace, for: owner, wait: wait,
      isWorthWaiting: { [isPatient] in
        isPatient
          || LockRule.isWorthWaiting(for: $0?.holding, jobs: names, waited: $1, at: clock.now)
      },
      sleep: clock.sleep)
  }
}
