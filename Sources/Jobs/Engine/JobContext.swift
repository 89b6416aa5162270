package import Model
package import Store

/// What every job of one command shares.
package struct JobContext: Sendable {
  package let workspace: Workspace
  package let config: WorkspaceConfig
  package let catalog: JobCatalog
  package let store: Store
  package let services: Services
  package internal(set) var clock: JobClock
  package internal(set) var options: RunOptions
  /// The exit status that the program ends with because of an error.
  package let exitStatus: @Sendable (any Error) -> Int32
  package let observer: WorkObserver
  /// How long work may go on after its timeout.
  package var timeoutGrace = Timeout.grace
  /// Ends the program over work that goes on for longer.
  ///
  /// Receives the run, and whether its error is news: false when it was told a short time ago.
  package var giveUp: @Sendable (JobReport, _ isNews: Bool) -> Void = { _, _ in }

  /// The jobs get the hooks that the configuration has for all of them.
  package init(
    workspace: Workspace, config: WorkspaceConfig, catalog: JobCatalog, store: Store,
    services: Services, clock: JobClock, options: RunOptions = RunOptions(),
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

/// The time of one command.
package struct JobClock: Sendable {
  /// The command's one instant.
  package let start: Instant
  /// Time since the command began, from a clock that never goes back.
  package let elapsed: @Sendable () -> Duration
  /// Pauses; throws when its task is cancelled.
  package let sleep: @Sendable (Duration) async throws -> Void
  /// From 0 up to 1, new at each call.
  package let random: @Sendable () -> Double

  package init(
    start: Instant, elapsed: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> Double
  ) {
    self.start = start
    self.elapsed = elapsed
    self.sleep = sleep
    self.random = random
  }

  /// The command's instant, moved on by the time it has taken.
  package var now: Instant { start + elapsed() }
}

/// How a command asked for its jobs to be run.
package struct RunOptions: Hashable, Sendable {
  package var profileName: String
  /// Ignores staleness.
  package var isForced: Bool
  /// Ignores what incremental loads have reached, so that they read everything again.
  package var isFull: Bool
  /// Whether cron or a timer may have started it, so that it also judges missed starts.
  package var isScheduled: Bool
  /// Whether it leaves out what nobody has to act on.
  package var isQuiet: Bool

  package init(
    profileName: String = Profile.defaultName, isForced: Bool = false, isFull: Bool = false,
    isScheduled: Bool = false, isQuiet: Bool = false
  ) {
    self.profileName = profileName
    self.isForced = isForced
    self.isFull = isFull
    self.isScheduled = isScheduled
    self.isQuiet = isQuiet
  }
}

extension JobContext {
  package var now: Instant { clock.start }

  /// The profile that the command is about, as stored, or as it would begin.
  func profile(_ reader: some Readable) throws -> Profile {
    try reader.profile(named: options.profileName) ?? Profile(name: options.profileName)
  }

  func settings() throws -> Settings {
    try WorkspaceSettings.inForce(in: store, config: config)
  }

  func session(of profile: String, _ settings: Settings) -> Session {
    Session(of: profile, in: workspace, config, store: store, settings: settings)
  }
}

/// The settings in force in a workspace; see `docs/rules.md#settings`.
package enum WorkspaceSettings {
  /// What the sources sent last; `firetally.yml` overrides it.
  package static func inForce(in store: Store, config: WorkspaceConfig) throws -> Settings {
    inForce(fetched: try store.read { try $0.fetchedSettings() }, config: config)
  }

  package static func inForce(fetched: [FetchedSetting], config: WorkspaceConfig) -> Settings {
    SettingsRule.resolve(
      fetched: fetched, workspace: config.settings.mapValues { String($0) })
  }
}
