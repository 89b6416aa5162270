import Model
import Synchronization
import Testing

@testable import Jobs
@testable import Workspace

/// Held against `docs/jobs.md#job-files`.
@Suite struct TimeoutTests {
  private struct Failure: Error {}

  private static let forever: @Sendable (Duration) async throws -> Void = { _ in
    try await Task.sleep(for: .seconds(3_600))
  }
  private static let noTime: @Sendable (Duration) async throws -> Void = { _ in }

  /// Waits to be cancelled, and then does something else.
  private static func cancelled(
    _ then: @escaping @Sendable () throws -> JobResult
  ) -> @Sendable () async throws -> JobResult {
    {
      do { try await Self.forever(.zero) } catch {}
      return try then()
    }
  }

  @Test
  func `work that ends in time brings what it brings, or throws what it throws`() async throws {
    let limit = Timeout(timeout: .seconds(5), sleep: Self.forever)
    #expect(try await limit.run { JobResult(.partial, "Half.") }.summary == "Half.")
    await #expect(throws: Failure.self) { try await limit.run { throw Failure() } }
    let problem = JobResult(.failed, "Failed.", problem: Failure())
    #expect(try await limit.run { problem }.outcome == .failed)
  }

  @Test func `the pause is as long as the timeout, and without one there is none`() async throws {
    let pauses = Mutex<[Duration]>([])
    for timeout in [nil, Duration.seconds(7)] {
      let limit = Timeout(timeout: timeout) { pause in
        pauses.withLock { $0.append(pause) }
        try await Self.forever(pause)
      }
      _ = try await limit.run {
        while timeout != nil, pauses.withLock({ $0.isEmpty }) { await Task.yield() }
        return JobResult(.ok, "Done.")
      }
    }
    #expect(pauses.withLock { $0 } == [.seconds(7)])
  }

  @Test
  func `work that takes longer is cancelled and has timed out, whatever it then throws`() async {
    let limit = Timeout(timeout: .seconds(5), sleep: Self.noTime)
    await #expect(throws: WorkspaceError.timedOut(after: .seconds(5))) {
      try await limit.run(Self.cancelled { throw CancellationError() })
    }
    await #expect(throws: WorkspaceError.timedOut(after: .seconds(5))) {
      try await limit.run(Self.cancelled { throw Failure() })
    }
    await #expect(throws: WorkspaceError.timedOut(after: .seconds(5))) {
      try await limit.run(
        Self.cancelled { JobResult(.interrupted, "Stopped.", problem: Failure()) })
    }
  }

  @Test func `work that got all done while it was being stopped has succeeded`() async throws {
    let limit = Timeout(timeout: .seconds(5), sleep: Self.noTime)
    #expect(
      try await limit.run(Self.cancelled { JobResult(.ok, "Done.") }).summary == "Done.")
  }

  @Test func `an interruption is one, and no timeout`() async {
    let limit = Timeout(timeout: .seconds(5), sleep: Self.forever)
    let task = Task {
      try await limit.run(Self.cancelled { throw CancellationError() })
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
