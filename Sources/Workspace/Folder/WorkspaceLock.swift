import FoundationEssentials
import Glibc
package import Model
package import Store
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
  /// The lock file records `owner`. A wait of zero tries once; a process that only looks at the
  /// lock delays nobody. `isWorthWaiting` says whether to go on waiting for an owner, nil for one
  /// without a name, after the given time.
  ///
  /// - Precondition: the workspace has its `data` folder.
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
      let holder = try await knownHolder(of: workspace, sleep: sleep)
      guard waited < wait, isWorthWaiting(holder, waited) else {
        throw JobsError.lockHeld(by: holder, waited: waited)
      }
      let pause = min(pollInterval, wait - waited)
      try await sleep(pause)
      waited += pause
    }
  }

  /// The holder, for whose name a moment is waited: one that has just taken the lock writes it
  /// next.
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

  /// Records in the lock file which job begins now, and how long it may take.
  ///
  /// Does nothing once the lock was released.
  package func begin(
    job: String, timeout: Duration?, at now: Instant
  ) throws(JobsError) {
    try held.withLock { held throws(JobsError) in
      guard let (file, before) = held else { return }
      var owner = before
      owner.begin(job: job, timeout: timeout, at: now)
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
    // What is locked is written over: neither a link nor a second name may lead to another file.
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

/// Who holds a workspace's lock, as the lock file records it.
package struct LockOwner: Hashable, Codable, Sendable {
  package var pid: Int32
  package var host: String
  package var since: Instant
  /// The command line, without secrets: `firetally run --all`.
  package var command: String
  /// The jobs that it runs, in their order; nil when it does something else.
  package var jobs: [String]?
  /// The job that it is at; nil before the first one.
  package var job: String?
  package var jobSince: Instant?
  /// How long that job may take; nil without a limit.
  package var timeoutSeconds: Int64?

  package static func thisProcess(command: String, since: Instant) -> LockOwner {
    var name = [CChar](repeating: 0, count: 256)
    let host = gethostname(&name, name.count - 1) == 0 ? name : []
    return LockOwner(
      pid: getpid(), host: String(decoding: host.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self),
      since: since, command: command)
  }

  /// What it is there for, as far as it said so.
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

  /// The holder of a lock with the job that it is at; nil is one that does not say who it is.
  package static func words(of owner: LockOwner?) -> String {
    guard let owner else { return "another process, which has not said yet what it does," }
    return (owner.job.map { "the job \($0) of " } ?? "") + owner.description
  }
}

extension LockOwner {
  /// As the lock file has it.
  var json: Data {
    do {
      return try JSONEncoder().encode(self)
    } catch {
      preconditionFailure("numbers, texts and an instant are always JSON: \(error)")
    }
  }
}

/// The owner of a use that takes time, as its reservation records it.
///
/// Only the holder of the workspace's lock makes such a use, so the lock shows whether it goes on:
/// docs/limits.md#cooldowns.
package enum UseOwner {
  /// The same for one process and command, and for no other.
  package static func name(of owner: LockOwner) -> String {
    "pid \(owner.pid) on \(owner.host) since \(owner.since.iso8601)"
  }

  /// Whether the owner may still hold the lock; true while another process is taking it.
  ///
  /// - Throws: `JobsError.file` when the lock file is there and cannot be read.
  package static func isAlive(_ name: String, in workspace: Workspace) throws(JobsError) -> Bool {
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

/// How a command takes the workspace's lock: its owner, and how long it waits; see
/// `docs/running.md#lock`.
package struct LockRequest: Sendable {
  package let owner: LockOwner
  /// How long to wait at most; zero tries once.
  package let wait: Duration
  /// Whether it waits that long for any holder of the lock.
  package let isPatient: Bool

  package init(_ owner: LockOwner, wait: Duration, isPatient: Bool) {
    self.owner = owner
    self.wait = wait
    self.isPatient = isPatient
  }

  /// Takes the lock and gives back the uses that dead owners of it had reserved.
  ///
  /// The lock shows others for which jobs it is taken; `note` is called with a sentence about uses
  /// that were given back.
  ///
  /// - Throws: `JobsError.lockHeld` after the wait, `JobsError.file`, and what the database throws.
  package func acquire(
    _ workspace: Workspace, _ store: Store, forJobs jobs: [String] = [], clock: JobClock,
    note: (String) -> Void
  ) async throws -> WorkspaceLock {
    let lock = try await acquire(workspace, forJobs: jobs, clock: clock)
    // Only the lock's holder reserves uses over the network, so every open one is abandoned.
    let refunded = try store.refundAbandonedUses { _ in false }
    if refunded > 0 { note("Gave back \(refunded) uses whose commands died.") }
    return lock
  }

  /// Takes the lock alone, for a caller that is about to replace the database.
  package func acquire(
    _ workspace: Workspace, forJobs jobs: [String] = [], clock: JobClock
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
