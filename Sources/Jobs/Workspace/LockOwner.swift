import FoundationEssentials
import Glibc
package import Model
package import Store

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
  /// When that job began.
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

  /// Says which job begins now.
  package mutating func begin(_ job: Job, at now: Instant) {
    self.job = job.name
    jobSince = now
    timeoutSeconds = job.timeout?.components.seconds
  }
}

extension LockOwner: CustomStringConvertible {
  /// For example `pid 123 (firetally run --all) on mars since 2026-01-31T08:00:00Z`.
  package var description: String {
    "pid \(pid) (\(command)) on \(host) since \(since.iso8601)"
  }

  /// The holder of a lock with the job that it is at; nil is one that does not say who it is.
  package static func words(of owner: LockOwner?) -> String {
    guard let owner else { return "an unknown process" }
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
}

extension Lockout: CustomStringConvertible {
  package var description: String {
    "Not run: \(LockOwner.words(of: owner)) holds the workspace\(reason) Waited \(DurationText.text(waited))"
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
  /// - Parameters:
  ///   - workspace: whose lock.
  ///   - store: its database.
  ///   - jobs: those that it is taken for, as others see them; empty for another purpose.
  ///   - clock: the command's time.
  ///   - note: is called with a sentence about uses that were given back.
  /// - Returns: the lock, held.
  /// - Throws: `JobsError.lockHeld` after the wait, `JobsError.file`, and what the database throws.
  package func acquire(
    _ workspace: Workspace, _ store: Store, for jobs: [Job] = [], clock: JobClock,
    note: (String) -> Void
  ) async throws -> WorkspaceLock {
    let lock = try await acquire(workspace, for: jobs, clock: clock)
    // Only the lock's holder reserves uses over the network, so every open one is abandoned.
    let refunded = try Session.refundAbandonedUses(in: store, isAlive: { _ in false })
    if refunded > 0 { note("Gave back \(refunded) uses whose commands died.") }
    return lock
  }

  /// Takes the lock alone, for a caller that is about to replace the database.
  package func acquire(
    _ workspace: Workspace, for jobs: [Job] = [], clock: JobClock
  ) async throws -> WorkspaceLock {
    var owner = owner
    owner.jobs = jobs.isEmpty ? nil : jobs.map(\.name)
    let names = Set(jobs.map(\.name))
    return try await WorkspaceLock.acquire(
      workspace, for: owner, wait: wait,
      isWorthWaiting: { [isPatient] in
        isPatient
          || LockRule.isWorthWaiting(for: $0?.holding, jobs: names, waited: $1, at: clock.now)
      },
      sleep: clock.sleep)
  }
}
