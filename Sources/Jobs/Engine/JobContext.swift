import App
import Dispatch
import Firestore
import Foundation
package import Model
package import Store
import Synchronization
package import Workspace

/// The dependencies that all jobs of one command share.
package struct JobContext: Sendable {
  package let workspace: Workspace
  package let config: WorkspaceConfig
  package let catalog: JobCatalog
  package let store: Store
  package let services: Services
  package internal(set) var clock: WorkspaceClock
  package var options: RunOptions
  /// The exit status that the program ends with because of an error.
  package let exitStatus: @Sendable (any Error) -> Int32
  package let observer: WorkObserver
  /// How long work may continue after its timeout.
  package var timeoutGrace = Timeout.grace
  /// Ends the program when work continues beyond the grace period.
  ///
  /// Receives the run's report and whether its error is news: false when it was reported a short
  /// time ago.
  package var giveUp: @Sendable (JobReport, _ isNews: Bool) -> Void = { _, _ in }

  /// Gives the jobs the hooks that the configuration sets for all of them.
  package init(
    workspace: Workspace, config: WorkspaceConfig, catalog: JobCatalog, store: Store,
    services: Services, clock: WorkspaceClock, options: RunOptions = RunOptions(),
    exitStatus: @escaping @Sendable (any Error) -> Int32 = { _ in 1 },
    observer: WorkObserver = .none
  ) {
    self.workspace = workspace
    self.config = config
    self.catalog = catalog.inheriting(config.hooks)
    self.store = store
    self.services = services
    self.clock = clock
    self.options = options
    self.exitStatus = exitStatus
    self.observer = observer
  }
}

/// The options of a command that runs jobs.
package struct RunOptions: Hashable, Sendable {
  package var profileName: String
  /// Ignores staleness.
  package var isForced: Bool
  /// Ignores the progress of incremental loads, so that they read everything again.
  package var isFull: Bool
  /// Whether cron or a timer may have started the command, so that it also checks for missed
  /// starts.
  package var isScheduled: Bool
  /// Leaves out messages that need no action.
  package var isQuiet: Bool
  /// The managed export that jobs load from; nil for the sources that their files name.
  package var exportPath: String?

  package init(
    profileName: String = Profile.defaultName, isForced: Bool = false, isFull: Bool = false,
    isScheduled: Bool = false, isQuiet: Bool = false, exportPath: String? = nil
  ) {
    self.exportPath = exportPath
    self.profileName = profileName
    self.isForced = isForced
    self.isFull = isFull
    self.isScheduled = isScheduled
    self.isQuiet = isQuiet
  }
}

extension JobContext {
  package var now: Instant { clock.start }

  /// Returns the command's profile as stored, or a new one with the defaults.
  func profile(_ reader: some Readable) throws -> Profile {
    try reader.profile(named: options.profileName) ?? Profile(name: options.profileName)
  }

  func settings() throws -> Settings {
    try WorkspaceSettings.inForce(in: store, config: config)
  }

  func session(of profile: String, _ settings: Settings) -> ProfileSession {
    ProfileSession(of: profile, in: workspace, config, store: store, settings: settings)
  }
}

/// The settings in force in a workspace; see `docs/rules.md#settings`.
package enum WorkspaceSettings {
  /// Resolves the settings: `firetally.yml` overrides what the sources sent last.
  package static func inForce(in store: Store, config: WorkspaceConfig) throws -> Settings {
    inForce(fetched: try store.read { try $0.fetchedSettings() }, config: config)
  }

  package static func inForce(fetched: [FetchedSetting], config: WorkspaceConfig) -> Settings {
    SettingsRule.resolve(
      fetched: fetched, workspace: config.settings.mapValues { String($0) })
  }
}

/// How long a job's work may take; see `docs/jobs.md#job-files`.
struct Timeout: Sendable {
  private enum Turn: Sendable {
    case ended(Result<JobResult, any Error>)
    case timeIsUp
    /// The timer was cancelled, because the work ended or the task was cancelled.
    case calledOff
  }

  /// How long cancelled work may take to end: enough to store a page on a slow disk.
  static let grace = Duration.seconds(10)

  let timeout: Duration?
  var grace = Self.grace
  let sleep: @Sendable (Duration) async throws -> Void
  /// Called on another thread when the work continues after the grace period.
  ///
  /// That happens when a computation never checks for cancellation.
  var overrun: @Sendable () -> Void = {}

  /// Runs the work and cancels it at the timeout.
  ///
  /// Cancelled work that still completes has succeeded: its results are stored.
  ///
  /// - Throws: what the work throws, or `WorkspaceError.timedOut` when it was stopped.
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
        case .ended: throw WorkspaceError.timedOut(after: timeout)
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

extension JobContext {
  /// Performs the work of a run within the timeout of its job.
  ///
  /// Cancellation also interrupts the running database statement. Work that continues anyway is an
  /// overrun, which ends the program.
  ///
  /// - Throws: as `Timeout.run` does.
  func perform(
    _ job: Job, _ recorder: RunRecorder, _ notifier: RunNotifier? = nil,
    _ work: @escaping @Sendable () async throws -> JobResult
  ) async throws -> JobResult {
    let timeout = Timeout(timeout: job.timeout, grace: timeoutGrace, sleep: clock.sleep) {
      Overrun(job: job, context: self, recorder: recorder, notifier: notifier).end()
    }
    return try await timeout.run { [store] in
      try await withTaskCancellationHandler {
        try await RequestTags.$job.withValue(job.name) { try await work() }
      } onCancel: {
        store.interrupt()
      }
    }
  }
}

/// A timer that calls a function on its own thread after a time and a grace period.
///
/// The grace period starts when the time is over, even if the process was suspended meanwhile.
///
/// A thread is necessary because tasks share one thread per processor: computations may occupy all
/// of them, so that no `Task.sleep` returns.
package final class Deadline: Sendable {
  private let isCalledOff = DispatchSemaphore(value: 0)
  /// Whether the function was called or `callOff` came first.
  private let isOver = Mutex(false)

  package init(after time: Duration, grace: Duration, _ passed: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [isCalledOff, weak self] in
      for part in [time, grace] {
        let seconds = Double(part.components.seconds) + Double(part.components.attoseconds) * 1e-18
        guard isCalledOff.wait(timeout: .now() + seconds) == .timedOut else { return }
      }
      self?.isOver.withLock { isOver in
        guard !isOver else { return }
        isOver = true
        passed()
      }
    }
  }

  /// Prevents the call; waits for a call that has already begun.
  package func callOff() {
    isOver.withLock { $0 = true }
    isCalledOff.signal()
  }
}
