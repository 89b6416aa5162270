import Model

/// When hooks run; the raw value is the key in the files.
package enum HookEvent: String, CaseIterable, Hashable, Sendable {
  case onStart = "on_start"
  case onSuccess = "on_success"
  case onFailure = "on_failure"
}

/// What tells others about a run; see `docs/running.md#hooks`.
package struct Hook: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// A request to an address, in which `{job}` stands for the job's name.
    case ping(url: String)
    /// A command for `/bin/sh`.
    case command(String)
  }

  /// What a ping posts, or a command reads.
  package enum Body: String, CaseIterable, Hashable, Sendable {
    /// Nothing: the ping is a GET request.
    case none
    /// The report of the run, as text.
    case text
    /// The same as the message of a webhook that speaks as Slack's do.
    case slack
  }

  package var action: Action
  package var body: Body
  /// Whether the address is a check's, which hears of starts at `/start` and of failures at `/fail`.
  package var isCheck: Bool
  /// How long one try may take.
  package var timeout: Duration
  /// Tries after the first one.
  package var retries: Int
  /// Whether it runs once an outage, and once at its end, instead of at each run.
  package var isOncePerOutage: Bool

  /// How long all its tries may take, with the pauses between them.
  var longestTime: Duration { timeout * (retries + 1) + .seconds(60) }

  package static let defaultTimeout = Duration.seconds(30)
  package static let longestTimeout = Duration.seconds(300)
  package static let retryCounts = 0...5

  package init(
    _ action: Action, body: Body = .none, isCheck: Bool = false,
    timeout: Duration = defaultTimeout, retries: Int = 0, isOncePerOutage: Bool = false
  ) {
    self.action = action
    self.body = body
    self.isCheck = isCheck
    self.timeout = timeout
    self.retries = retries
    self.isOncePerOutage = isOncePerOutage
  }

  package static func ping(url: String) -> Hook { Hook(.ping(url: url)) }
  package static func command(_ text: String) -> Hook { Hook(.command(text)) }
}

/// The hooks of a job, or those that jobs have by default.
package struct JobHooks: Hashable, Sendable {
  package private(set) var hooks: [HookEvent: Hook]
  /// Events of which nobody is to be told, whatever the defaults are.
  package private(set) var silent: Set<HookEvent>

  package init(_ hooks: [HookEvent: Hook], silent: Set<HookEvent> = []) {
    self.hooks = hooks
    self.silent = silent
  }

  package init(onStart: Hook? = nil, onSuccess: Hook? = nil, onFailure: Hook? = nil) {
    let hooks: [HookEvent: Hook?] = [
      .onStart: onStart, .onSuccess: onSuccess, .onFailure: onFailure,
    ]
    self.init(hooks.compactMapValues(\.self))
  }

  package subscript(event: HookEvent) -> Hook? { hooks[event] }

  /// The same, with a default for each event of which the job says nothing.
  func inheriting(_ defaults: JobHooks) -> JobHooks {
    var all = self
    all.hooks.merge(defaults.hooks.filter { !silent.contains($0.key) }) { own, _ in own }
    return all
  }
}

extension HookEvent {
  /// The event at the end of a run; a blocked or interrupted job counts as failed, and one that the
  /// lock refused has not begun.
  init?(_ moment: HookReport.Moment) {
    switch moment {
    case .started: self = .onStart
    case .ended(.ok), .ended(.partial), .ended(.fresh): self = .onSuccess
    case .ended(.failed), .ended(.blocked), .ended(.interrupted): self = .onFailure
    case .ended(.locked): return nil
    }
  }
}
