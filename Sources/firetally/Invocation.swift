import Foundation
import HTTP
import Jobs
import Model
import Reports
import Store
import Sync

/// One call of the program: its options, its one instant, and the way to the workspace's things.
struct Invocation: Sendable {
  let options: GlobalOptions
  let output: Output
  let log: LineLog
  /// Shows how far long work has come, on a terminal.
  let progressLine: ProgressLine
  let environment: [String: String]
  let now: Instant
  private let started: ContinuousClock.Instant

  init(
    _ options: GlobalOptions, environment: [String: String] = ProgramProcess.current.environment
  ) {
    self.options = options
    self.environment = environment
    output = Output(options, environment: environment)
    let (now, started) = (options.now ?? Instant(Date()), ContinuousClock.now)
    (self.now, self.started) = (now, started)
    log = LineLog(options, clock: { now + (ContinuousClock.now - started) })
    progressLine = ProgressLine(
      isEnabled: !options.quiet && !log.isJSON && StandardStream.errors.isTerminal
        && Output.canDraw(environment),
      elapsed: { ContinuousClock.now - started })
  }

  /// Time since the command began.
  var elapsed: @Sendable () -> Duration {
    let started = started
    return { ContinuousClock.now - started }
  }

  /// The workspace with its configuration, without touching its database.
  ///
  /// `createsProfile` is whether the command makes the profile that it names.
  func openWorkspace(createsProfile: Bool = false) throws -> OpenWorkspace {
    let workspace = try Workspace.find(at: options.workspace, variables: environment)
    return OpenWorkspace(
      workspace: workspace, config: try workspace.config(), now: now,
      note: { [log] in log.notice($0) }, profile: createsProfile ? nil : options.profile)
  }

  /// What jobs of this command share; a catalog spares reading the job files again.
  ///
  /// A forced command ignores staleness, a full one reads everything again, and cron or a timer may
  /// have started a scheduled one. `claimsDatabase` takes it for the project that is asked.
  ///
  /// - Throws: `JobsError.file` when the job files cannot be listed.
  func context(
    _ opened: OpenWorkspace, store: Store, catalog: JobCatalog? = nil, isForced: Bool = false,
    isFull: Bool = false, isScheduled: Bool = false, claimsDatabase: Bool = true
  ) throws -> JobContext {
    var access = serviceAccess
    access.claimsDatabase = claimsDatabase
    var context = JobContext(
      workspace: opened.workspace, config: opened.config,
      catalog: try catalog ?? opened.workspace.jobs(), store: store,
      services: .live(
        opened.workspace, opened.config, store, access, now: { [clock] in clock.now }),
      clock: clock,
      options: RunOptions(
        profileName: options.profile, isForced: isForced, isFull: isFull, isScheduled: isScheduled,
        isQuiet: output.isQuiet),
      exitStatus: { ExitStatus(of: $0).rawValue },
      observer: progressLine.observer(log, price: opened.config.cost.price))
    context.giveUp = { [log, output] report, isNews in
      for alert in report.alerts { log.warning(alert) }
      let error = report.error ?? JobsError.interrupted
      let isShown = isNews || output.isAttended || output.isJSON
      // Not `exit`, which waits for what the work may hold.
      _exit(isShown ? Failure(error).report() : ExitStatus(of: error).rawValue)
    }
    return context
  }

  /// Runs the jobs of the context, each printed as it ends.
  func engine(
    _ context: JobContext, _ opened: OpenWorkspace, lock: LockRequest,
    _ printer: RunPrinter
  ) -> JobEngine {
    JobEngine(
      context, hooks: hooks(opened), lock: lock,
      ended: { try printer.print($0) }, noticed: { printer.print($0) },
      warned: { [log] in log.warning($0) })
  }

  /// Asks Firestore outside of a run, and warns of a key that others can read, also when it fails.
  ///
  /// A run's report has these warnings already.
  func warningOfKeys<Result>(
    _ context: JobContext, _ body: () async throws -> Result
  ) async throws -> Result {
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    for warning in await context.services.firestore.credentialWarnings() { log.warning(warning) }
    return try result.get()
  }

  /// What the command's profile does.
  func session(_ opened: OpenWorkspace, store: Store) throws -> Session {
    Session(
      of: options.profile, in: opened.workspace, opened.config, store: store,
      settings: try opened.settings(in: store))
  }

  /// The limits of the command's profile; reads only, and uses the defaults when nothing is stored.
  func limitSnapshot() throws -> LimitSnapshot {
    let opened = try openWorkspace()
    if let store = try opened.readStore() {
      return try session(opened, store: store).limitSnapshot()
    }
    return LimitSnapshot(
      profile: Profile(name: options.profile),
      settings: WorkspaceSettings.inForce(fetched: [], config: opened.config),
      appName: opened.config.app.name, price: opened.config.prices[.lite])
  }

  /// Takes the workspace's lock for something else than jobs.
  func lock(
    _ opened: OpenWorkspace, store: Store, wait: LockOptions
  ) async throws -> WorkspaceLock {
    try await lockRequest(wait).acquire(
      opened.workspace, store, clock: clock, note: { log.debug($0) })
  }

  func lockRequest(_ wait: LockOptions) -> LockRequest {
    wait.request(lockOwner, isAttended: output.isAttended)
  }

  /// This process and command, as the lock file records them.
  var lockOwner: LockOwner {
    let words = OwnWords.of(Array(ProgramProcess.current.arguments.dropFirst())) ?? []
    let command = words.prefix { !$0.hasPrefix("-") }
    return .thisProcess(command: "firetally " + command.joined(separator: " "), since: now)
  }

  func hooks(_ opened: OpenWorkspace) -> HookRunner {
    var access = serviceAccess
    // The path of a ping is what lets anybody report in the job's name.
    if access.trace != nil { access.trace = { [log] in log.trace($0.lineWithoutPath) } }
    return HookRunner(
      workspace: opened.workspace, environment: environment,
      ping: { [access] in
        try await access.httpClient(opened.workspace, opened.config).send(HTTPRequest($0)).status
      },
      exitCode: { ExitStatus(of: $0).rawValue },
      said: { log.info($0, job: $1, run: $2) },
      sleep: clock.sleep)
  }

  /// A client for addresses other than Firestore's.
  func httpClient(_ opened: OpenWorkspace) -> HTTPClient {
    serviceAccess.httpClient(opened.workspace, opened.config)
  }

  var serviceAccess: ServiceAccess {
    var access = ServiceAccess(
      project: options.project, caFile: options.caFile, environment: environment)
    if options.verbose { access.note = { [log] in log.debug($0) } }
    if options.tracesRequests { access.trace = { [log] in log.trace($0.line) } }
    return access
  }

  var clock: JobClock {
    JobClock(
      start: now, elapsed: elapsed, sleep: { try await Task.sleep(for: $0) },
      random: { Double.random(in: 0..<1) })
  }
}

/// How most commands begin.
extension GlobalOptions {
  func openWorkspace() throws -> (Invocation, OpenWorkspace) {
    let invocation = Invocation(self)
    return (invocation, try invocation.openWorkspace())
  }

  /// With the database to read from.
  func readableStore() throws -> (Invocation, Store) {
    let (invocation, opened) = try openWorkspace()
    return (invocation, try opened.readableStore())
  }

  /// With the database, which is made when it is missing, and what the profile does in it.
  func openSession() throws -> (Invocation, OpenWorkspace, Session) {
    let (invocation, opened) = try openWorkspace()
    return (invocation, opened, try invocation.session(opened, store: try opened.store()))
  }

  /// What the profile has done, to read; the database is an empty one in memory when nothing was
  /// stored yet.
  func readSession() throws -> (Invocation, Session) {
    let (invocation, opened) = try openWorkspace()
    return (invocation, try invocation.session(opened, store: try opened.readStoreOrEmpty()))
  }
}

extension HTTPRequest {
  /// The request of a hook, within the hook's time.
  fileprivate init(_ ping: HookPing) {
    let connect = min(HTTPTimeouts().connect, ping.timeout)
    self.init(
      ping.body == nil ? .get : .post, ping.url,
      headers: HTTPHeaders(ping.body == nil ? [] : [("Content-Type", ping.contentType)]),
      body: ping.body ?? [],
      timeouts: HTTPTimeouts(connect: connect, stall: ping.timeout, total: ping.timeout))
  }
}

/// Commands that read Firestore once.
extension Invocation {
  /// Performs `work` within the read budget, records it as a run of that name, and tells what it
  /// cost.
  ///
  /// `maxReads` is nil for no limit but the day's. `work` returns its result, and a sentence about
  /// it.
  func oneOff<Result>(
    _ command: String, maxReads: Int? = nil, in opened: OpenWorkspace,
    _ work: (OneOffReads) async throws -> (result: Result, summary: String)
  ) async throws -> Result {
    try await oneOff(
      command, maxReads: maxReads,
      try context(opened, store: try opened.store(), claimsDatabase: false), work)
  }

  /// The same in a context that the command has made.
  func oneOff<Result>(
    _ command: String, maxReads: Int? = nil, _ context: JobContext,
    _ work: (OneOffReads) async throws -> (result: Result, summary: String)
  ) async throws -> Result {
    let price = context.config.cost.price
    return try await warningOfKeys(context) {
      try await OneOffReads.perform(for: command, maxReads: maxReads, context) { reads in
        let (result, summary) = try await work(reads)
        let spent = reads.meter.spent
        noticeOnTerminal(
          "\(summary) \(NumberWords.counted(spent, "billed read")), about "
            + "\(NumberWords.money(price.cost(of: spent))).")
        return (result, summary)
      }
    }
  }

  /// Logs a notice on a terminal, elsewhere a step for `--verbose`.
  func noticeOnTerminal(_ sentence: String) {
    if StandardStream.errors.isTerminal, !output.isJSON {
      log.notice(sentence)
    } else {
      log.debug(sentence)
    }
  }
}

/// A workspace and what its configuration says.
struct OpenWorkspace: Sendable {
  let workspace: Workspace
  let config: WorkspaceConfig
  let now: Instant
  /// Is called with what happened to the database while it was opened.
  let note: @Sendable (String) -> Void
  /// Who acts, and has to be in the database; nil for anybody.
  var profile: String?

  var timeZone: TimeZone { TimeZone(checked: config.timeZone) }

  /// Opens the database, making it when there is none, and backing it up before a migration.
  ///
  /// - Throws: `JobsError` for a profile that was never created.
  func store() throws -> Store {
    if !FileManager.default.fileExists(atPath: workspace.databasePath) {
      try checkProfile(in: nil)
    }
    try workspace.makeFolders()
    let store = try workspace.openStore(at: now, note: note)
    try checkProfile(in: store)
    return store
  }

  func settings(in store: Store) throws -> Settings {
    try WorkspaceSettings.inForce(in: store, config: config)
  }

  /// The database to read from, of an older release as a migrated copy; nil when nothing was stored
  /// yet.
  ///
  /// - Throws: `JobsError` for a profile that was never created.
  func readStore() throws -> Store? {
    let store = try workspace.storeToRead(willCopy: tellCopy)
    try checkProfile(in: store)
    return store
  }

  /// Reads all that a command wants of the database before it prints, without a file beside it
  /// where nobody writes: docs/commands.md#readers.
  ///
  /// `body` is called once or twice, so it prints nothing; with nil when nothing was stored yet.
  /// The store is only valid inside.
  ///
  /// - Throws: `JobsError` for a profile that was never created, and what `body` throws.
  func reading<T>(_ body: (Store?) throws -> T) throws -> T {
    do {
      return try Store.reading(
        path: workspace.databasePath, fileTime: Self.fileTime, willCopy: tellCopy
      ) { store in
        try checkProfile(in: store)
        return try body(store)
      }
    } catch StoreError.missing {
      try checkProfile(in: nil)
      return try body(nil)
    }
  }

  /// The time of a file that changes now, which moves every few milliseconds, and which no `--now`
  /// moves.
  private static var fileTime: Instant {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    return Instant(unixSeconds: Int64(now.tv_sec)) + .microseconds(Int64(now.tv_nsec / 1_000))
  }

  private func tellCopy(ofSchema schema: Int) {
    note(
      "The database has schema \(schema), of an older firetally. It is read as a copy with schema "
        + "\(Store.schemaVersion); the next job brings the database there.")
  }

  /// The database to read from; an error that says how to make one when there is none.
  func readableStore() throws -> Store {
    try readStore() ?? Store.open(path: workspace.databasePath, mode: .readOnly)
  }

  private func checkProfile(in store: Store?) throws {
    guard let profile, profile != Profile.defaultName else { return }
    try JobsError.checkProfile(profile, among: try store?.read { try $0.profileNames() } ?? [])
  }

  /// The database to read from, or an empty one in memory when nothing was stored yet.
  func readStoreOrEmpty() throws -> Store { try readStore() ?? .inMemory() }
}

extension Workspace {
  /// The database to read from; nil when nothing was stored yet.
  ///
  /// `willCopy` is called with the schema of an older release before a copy of it is migrated.
  func storeToRead(willCopy: (Int) -> Void) throws -> Store? {
    do {
      return try Store.openToRead(path: databasePath, willCopy: willCopy)
    } catch StoreError.missing {
      return nil
    }
  }
}
