import App
import ArgumentParser
import Foundation
import HTTP
import Jobs
import Model
import Store
import Workspace

/// The options that every command takes; see `docs/commands.md`.
struct GlobalOptions: ParsableArguments {
  enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(
    name: [.customShort("C"), .customLong("workspace")], parsing: .singleValue,
    help: ArgumentHelp(
      "The workspace, a folder with firetally.yml. Default: FIRETALLY_WORKSPACE, then the "
        + "current folder.",
      valueName: "dir"), completion: .directory)
  var namedWorkspaces: [String] = []

  @Option(
    help: """
      The Google Cloud project. Default: GOOGLE_CLOUD_PROJECT, then firetally.yml, then the \
      project of the credentials.
      """)
  var project: String?

  @Option(
    name: .customLong("cacert"),
    help: ArgumentHelp(
      "PEM file of certificate authorities to trust. Default: firestore.ca_file.", valueName: "file"
    ), completion: .file())
  var caFile: String?

  @Option(
    name: .customLong("profile"), help: "The profile to act as.",
    completion: NameCompletion.profiles)
  var namedProfile: String?

  @Option(
    help: ArgumentHelp(
      "Use this time instead of the clock, for example 2026-01-31T08:00:00Z.", valueName: "instant")
  )
  var now: Instant?

  @Flag(
    name: [.short, .long], help: "Print only errors, and warnings that need an action.")
  var quiet = false

  @Flag(
    name: [.customShort("v"), .customLong("verbose")],
    help: "Print every step; -vv prints every request, too.")
  var verbosity: Int

  @Option(help: "Format of the lines on standard error.")
  var logFormat = LogFormat.text

  @Flag(help: "Print JSON on standard output, and errors as JSON on standard error.")
  var json = false

  @Flag(help: "Print no colours. The variable NO_COLOR does the same.")
  var noColor = false

  /// Whether every step is printed.
  var verbose: Bool { verbosity > 0 }

  /// Whether every request is printed as well.
  var tracesRequests: Bool { verbosity > 1 }

  /// The workspace named by the environment, else the current folder; see
  /// `docs/configuration.md#several-workspaces`.
  static var defaultWorkspace: String {
    let variable = ProgramProcess.current.environment["FIRETALLY_WORKSPACE"] ?? ""
    return variable.isEmpty ? "." : variable
  }

  /// The workspace that was named last; only `firetally overview` takes several.
  var namedWorkspace: String? { namedWorkspaces.last }

  /// The named workspace, else the default one.
  var workspace: String {
    get { namedWorkspace ?? Self.defaultWorkspace }
    set { namedWorkspaces = [newValue] }
  }

  /// The named profile, else the default one.
  var profile: String {
    get { namedProfile ?? Profile.defaultName }
    set { namedProfile = newValue }
  }

  func validate() throws {
    guard !(quiet && verbose) else {
      throw ValidationError("Give either --quiet or --verbose, not both.")
    }
    // An unset variable in a crontab must not mean the folder in which cron happens to run.
    guard !namedWorkspaces.contains(""), !workspace.isEmpty else {
      throw ValidationError("--workspace needs a folder; leave it out for the current one.")
    }
    if let namedProfile, let problem = ProfileTextRule.problem(namedProfile, in: .name) {
      throw ValidationError("--profile \(problem) Leave it out for '\(Profile.defaultName)'.")
    }
  }
}

extension Instant: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(iso8601: argument)
  }
}

/// One call of the program: its options, its single instant, and the access to the workspace.
struct Invocation: Sendable {
  let options: GlobalOptions
  let output: Output
  let log: LineLog
  /// The progress of long work on a terminal.
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

  /// Opens the workspace with its configuration, but not its database.
  ///
  /// `createsProfile` means that the command creates the profile that it names. Only a command that
  /// runs hooks needs the variables in them.
  func openWorkspace(
    createsProfile: Bool = false, runsHooks: Bool = false
  ) throws -> OpenWorkspace {
    var workspace = try Workspace.find(at: options.workspace, variables: environment)
    workspace.runsHooks = runsHooks
    return OpenWorkspace(
      workspace: workspace, config: try workspace.config(), now: now,
      note: { [log] in log.notice($0) }, profile: createsProfile ? nil : options.profile)
  }

  /// Returns the context of the command's jobs; a given catalog saves reading the job files again.
  ///
  /// A forced command ignores staleness, a full one reads everything again, and a scheduled one may
  /// have been started by cron or a timer. `claimsDatabase` binds the database to the requested
  /// project.
  ///
  /// - Throws: `WorkspaceError.file` when the job files cannot be listed.
  func context(
    _ opened: OpenWorkspace, store: Store, catalog: JobCatalog? = nil, isForced: Bool = false,
    isFull: Bool = false, isScheduled: Bool = false, claimsDatabase: Bool = true
  ) throws -> JobContext {
    var access = serviceAccess
    access.claimsDatabase = claimsDatabase
    let config = try store.read { try opened.config.priced(in: $0) }
    var context = JobContext(
      workspace: opened.workspace, config: config,
      catalog: try catalog ?? opened.workspace.jobs(), store: store,
      services: .live(
        opened.workspace, opened.config, store, access, now: { [clock] in clock.now }),
      clock: clock,
      options: RunOptions(
        profileName: options.profile, isForced: isForced, isFull: isFull, isScheduled: isScheduled,
        isQuiet: output.isQuiet),
      exitStatus: { ExitStatus(of: $0).rawValue },
      observer: progressLine.observer(log, prices: config.cost.prices))
    context.giveUp = { [log, output] report, isNews in
      for alert in report.alerts { log.warning(alert) }
      let error = report.error ?? WorkspaceError.interrupted
      let isShown = isNews || output.isAttended || output.isJSON
      // Not `exit`, which waits for resources that the work may hold.
      _exit(isShown ? Failure(error).report() : ExitStatus(of: error).rawValue)
    }
    return context
  }

  /// Returns a scheduler for the context's jobs, which prints each job when it ends.
  func scheduler(
    _ context: JobContext, _ opened: OpenWorkspace, lock: LockRequest, _ printer: RunPrinter
  ) -> JobScheduler {
    JobScheduler(
      context, hooks: hooks(opened), lock: lock,
      ended: { try printer.print($0) }, noticed: { printer.print($0) },
      warned: { [log] in log.warning($0) })
  }

  /// Returns the session of the command's profile.
  func session(_ opened: OpenWorkspace, store: Store) throws -> ProfileSession {
    ProfileSession(
      of: options.profile, in: opened.workspace, opened.config, store: store,
      settings: try opened.settings(in: store))
  }

  /// Acquires the workspace's lock for work other than jobs.
  func lock(
    _ opened: OpenWorkspace, store: Store, wait: LockOptions
  ) async throws -> WorkspaceLock {
    try await lockRequest(wait).acquire(
      opened.workspace, store, clock: clock, note: { log.debug($0) })
  }

  func lockRequest(_ wait: LockOptions) -> LockRequest {
    wait.request(lockOwner, isAttended: output.isAttended)
  }

  /// This process and command as the lock file records them.
  var lockOwner: LockOwner {
    let words = OwnWords.of(Array(ProgramProcess.current.arguments.dropFirst())) ?? []
    let command = words.prefix { !$0.hasPrefix("-") }
    return .thisProcess(command: "firetally " + command.joined(separator: " "), since: now)
  }

  func hooks(_ opened: OpenWorkspace) -> HookRunner {
    var access = serviceAccess
    // The path of a ping lets anybody send reports in the job's name.
    if access.trace != nil { access.trace = { [log] in log.trace($0.lineWithoutPath) } }
    return HookRunner(
      workspace: opened.workspace, environment: environment,
      ping: { [access] in
        let client = access.httpClient(opened.workspace, opened.config)
        let response = try await client.send(HTTPRequest($0))
        return HookAnswer(status: response.status, body: response.body)
      },
      said: { log.info($0, job: $1, run: $2) },
      sleep: clock.sleep)
  }

  var serviceAccess: ServiceAccess {
    var access = ServiceAccess(
      project: options.project, caFile: options.caFile, environment: environment)
    if options.verbose { access.note = { [log] in log.debug($0) } }
    if options.tracesRequests { access.trace = { [log] in log.trace($0.line) } }
    return access
  }

  var clock: WorkspaceClock {
    WorkspaceClock(
      start: now, elapsed: { [started] in ContinuousClock.now - started },
      sleep: { try await Task.sleep(for: $0) }, random: { Double.random(in: 0..<1) })
  }
}

/// The first steps of most commands.
extension GlobalOptions {
  func openWorkspace(runsHooks: Bool = false) throws -> (Invocation, OpenWorkspace) {
    let invocation = Invocation(self)
    return (invocation, try invocation.openWorkspace(runsHooks: runsHooks))
  }

  /// Opens the database for reading.
  func readableStore() throws -> (Invocation, Store) {
    let (invocation, _, store) = try openReadable()
    return (invocation, store)
  }

  func openReadable() throws -> (Invocation, OpenWorkspace, Store) {
    let (invocation, opened) = try openWorkspace()
    return (invocation, opened, try opened.readableStore())
  }

  /// Opens the database, creating it if it is missing, and the profile's session.
  func openSession() throws -> (Invocation, OpenWorkspace, ProfileSession) {
    let (invocation, opened) = try openWorkspace()
    return (invocation, opened, try invocation.session(opened, store: try opened.store()))
  }

  /// Opens the profile's session for reading, with an empty database in memory when nothing was
  /// stored yet.
  func readSession() throws -> (Invocation, ProfileSession) {
    let (invocation, _, session) = try openReadSession()
    return (invocation, session)
  }

  func openReadSession() throws -> (Invocation, OpenWorkspace, ProfileSession) {
    let (invocation, opened) = try openWorkspace()
    let session = try invocation.session(opened, store: try opened.readStoreOrEmpty())
    return (invocation, opened, session)
  }
}

/// How long a writing command waits for the lock; see `docs/running.md#lock`.
struct LockOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long to wait while another process writes to the workspace: seconds, or 90s, 5m.",
      discussion: "Default: 10s on a terminal, else up to 10m.",
      valueName: "time"),
    transform: Self.wait)
  var lockWait: Duration?

  private static func wait(_ text: String) throws -> Duration {
    let wait = Int(text).map { Duration.seconds($0) } ?? DurationText.duration(text)
    guard let wait, (.zero...Duration.seconds(86_400)).contains(wait) else {
      throw ValidationError("--lock-wait takes 0 to 86400 seconds, or a time such as 90s or 5m.")
    }
    return wait
  }

  /// Returns the option's wait; without one, a short wait on a terminal and a long one under cron.
  func request(_ owner: LockOwner, isAttended: Bool) -> LockRequest {
    LockRequest(
      owner,
      wait: lockWait ?? (isAttended ? LockRule.shortWait : LockRule.longWait),
      isPatient: lockWait != nil || isAttended)
  }
}
