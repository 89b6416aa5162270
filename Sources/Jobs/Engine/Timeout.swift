/// How long a job's work may take; see `docs/jobs.md#job-files`.
struct Timeout: Sendable {
  private enum Turn: Sendable {
    case ended(Result<JobResult, any Error>)
    case timeIsUp
    /// The pause was cut short, because the work ended or everything was cancelled.
    case calledOff
  }

  /// How long work may take to end once it was cancelled: a page that is being stored is, on a slow
  /// disk as well.
  static let grace = Duration.seconds(10)

  private let timeout: Duration?
  private let grace: Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let overrun: @Sendable () -> Void

  /// - Parameters:
  ///   - timeout: nil for no end.
  ///   - grace: how long the work may go on after it.
  ///   - sleep: pauses, and throws when its task is cancelled.
  ///   - overrun: is called, on another thread, when the grace is over and the work goes on, such as
  ///     a computation that never looks whether it was cancelled.
  init(
    _ timeout: Duration?, grace: Duration = Timeout.grace,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    overrun: @escaping @Sendable () -> Void = {}
  ) {
    self.timeout = timeout
    self.grace = grace
    self.sleep = sleep
    self.overrun = overrun
  }

  /// What the work brings, which is cancelled when the time is up.
  ///
  /// Work that gets all done while it is being stopped has succeeded: what it stored is stored.
  ///
  /// - Throws: what the work throws, or `JobsError.timedOut` when it was stopped.
  func run(_ work: @escaping @Sendable () async throws -> JobResult) async throws -> JobResult {
    guard let timeout else { return try await work() }
    let deadline = Deadline(after: timeout, grace: grace, overrun)
    defer { deadline.callOff() }
    return try await withThrowingTaskGroup(of: Turn.self) { group in
      group.addTask { await Self.outcome(of: work) }
      group.addTask { [sleep] in
        do {
          try await sleep(timeout)
          return .timeIsUp
        } catch {
          return .calledOff
        }
      }
      var isLate = false
      for try await turn in group {
        group.cancelAll()
        switch turn {
        case .ended(.success(let result)) where !isLate || result.problem == nil: return result
        case .ended(let result) where !isLate: return try result.get()
        case .ended: throw JobsError.timedOut(after: timeout)
        case .timeIsUp: isLate = true
        case .calledOff: break
        }
      }
      throw CancellationError()
    }
  }

  private static func outcome(of work: () async throws -> JobResult) async -> Turn {
    do {
      return .ended(.success(try await work()))
    } catch {
      return .ended(.failure(error))
    }
  }
}
