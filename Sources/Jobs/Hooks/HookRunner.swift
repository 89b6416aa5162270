import FoundationEssentials
package import Model

/// Tells others how a job goes; whatever fails on the way is a warning, never an error.
package struct HookRunner: Sendable {
  package enum Moment: Hashable, Sendable {
    case started
    case ended(Run.Outcome)
  }

  /// Sends a GET request and gives the answer's status code.
  package typealias Ping = @Sendable (_ url: String) async throws -> Int

  package static let timeout = Duration.seconds(30)
  /// What a command sees of the program's own environment: nothing that could be a secret.
  static let passedVariables: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TZ", "TMPDIR",
  ]

  private let workspace: Workspace
  private let environment: [String: String]
  private let ping: Ping
  private let sleep: @Sendable (Duration) async throws -> Void

  package init(
    workspace: Workspace, environment: [String: String], ping: @escaping Ping,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.workspace = workspace
    self.environment = environment.filter { Self.passedVariables.contains($0.key) }
    self.ping = ping
    self.sleep = sleep
  }

  /// Runs the hook that a job has for a moment.
  ///
  /// - Returns: a sentence about what went wrong; nil when all went well or there is no hook.
  package func run(_ moment: Moment, of job: Job) async -> String? {
    guard let (name, hook) = job.hooks.hook(at: moment) else { return nil }
    let subject = "The \(name) hook of the job '\(job.name)'"
    let fault =
      switch hook {
      case .ping(let url): await fault(pinging: url)
      case .command(let text): await fault(running: text, moment, of: job)
      }
    return fault.map { "\(subject) \($0). The job itself is not affected." }
  }

  /// An address can hold a secret, so messages name its host only.
  private func fault(pinging url: String) async -> String? {
    let host = URL(string: url)?.host() ?? "its address"
    do {
      let status = try await ping(url)
      return (200..<400).contains(status) ? nil : "got the status \(status) from \(host)"
    } catch {
      return "could not reach \(host): \(error)"
    }
  }

  private func fault(running text: String, _ moment: Moment, of job: Job) async -> String? {
    let variables = ["FIRETALLY_JOB": job.name, "FIRETALLY_OUTCOME": moment.word]
    let command = ShellCommand(
      text: text, environment: environment.merging(variables) { $1 }, folder: workspace.root)
    do {
      switch try await command.run(timeout: Self.timeout, sleep: sleep) {
      case .exited(status: 0): return nil
      case .exited(let status): return "ended with the status \(status)"
      case .killed(let signal): return "was ended by the signal \(signal)"
      case .timedOut:
        return "was stopped after \(DurationText.text(Self.timeout))"
      }
    } catch {
      return "could not run: \(error)"
    }
  }
}

extension HookRunner.Moment {
  /// The value of `FIRETALLY_OUTCOME`.
  var word: String {
    switch self {
    case .started: "started"
    case .ended(let outcome): outcome.rawValue
    }
  }
}

extension JobHooks {
  /// The hook for a moment with its key; a blocked or interrupted job counts as failed.
  func hook(at moment: HookRunner.Moment) -> (name: String, hook: Hook)? {
    switch moment {
    case .started: onStart.map { ("on_start", $0) }
    case .ended(.ok), .ended(.partial), .ended(.fresh): onSuccess.map { ("on_success", $0) }
    case .ended(.failed), .ended(.blocked), .ended(.interrupted):
      onFailure.map { ("on_failure", $0) }
    }
  }
}
