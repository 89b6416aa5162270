import Model
package import Store

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
