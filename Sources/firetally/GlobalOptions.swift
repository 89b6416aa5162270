import ArgumentParser
import Jobs
import Model
import Store

/// The options that every command takes; see `docs/commands.md`.
struct GlobalOptions: ParsableArguments {
  enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(
    name: [.customShort("C"), .customLong("workspace")],
    help: ArgumentHelp(
      "The workspace, a folder with firetally.yml. Default: FIRETALLY_WORKSPACE, then the "
        + "current folder.",
      valueName: "dir"), completion: .directory)
  var namedWorkspace: String?

  @Option(
    help: """
      The Google Cloud project. Default: GOOGLE_CLOUD_PROJECT, then firetally.yml, then that of the \
      credentials.
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
    name: [.short, .long], help: "Print only errors, and warnings that somebody has to act on.")
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

  /// Names the workspace where no option does; see `docs/configuration.md#several-workspaces`.
  static let workspaceVariable = "FIRETALLY_WORKSPACE"

  /// The workspace of the environment, else the current folder.
  static var defaultWorkspace: String {
    let variable = ProgramProcess.current.environment[workspaceVariable] ?? ""
    return variable.isEmpty ? "." : variable
  }

  /// The named workspace, else the default one.
  var workspace: String {
    get { namedWorkspace ?? Self.defaultWorkspace }
    set { namedWorkspace = newValue }
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
    // An unset variable in a crontab must not mean the folder that cron happens to be in.
    guard !workspace.isEmpty else {
      throw ValidationError("--workspace needs a folder; leave it out for the current one.")
    }
    if let namedProfile, let problem = ProfileTextRule.problem(namedProfile, in: .name) {
      throw ValidationError(
        "--profile \(problem) Leave it out for '\(Profile.defaultName)'.")
    }
  }
}

extension Instant: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(iso8601: argument)
  }
}

/// How long a command that writes waits for its turn; see `docs/running.md#lock`.
struct LockOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Wait so long while another process writes to the workspace: seconds, or such as 5m.",
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

  /// The wait of the option; without one, short on a terminal and long under cron.
  func request(_ owner: LockOwner, isAttended: Bool) -> LockRequest {
    LockRequest(
      owner,
      wait: lockWait ?? (isAttended ? LockRule.shortWait : LockRule.longWait),
      isPatient: lockWait != nil || isAttended)
  }
}

/// What `firetally help common` explains: the options that every command takes.
struct SharedOptionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "common",
    abstract: "The options that every command takes, before or after its name.",
    discussion: """
      On a terminal long work shows a line with its progress on standard error; --quiet and \
      --log-format json leave it out. -v names credentials, pages and retries, -vv every request.
      """,
    examples: ["firetally help common"],
    shouldDisplay: false)

  @OptionGroup var global: GlobalOptions

  func run() throws { throw CleanExit.helpRequest(self) }
}

extension ClosedRange<Int> {
  /// - Throws: `ValidationError` for a number of an option that lies outside; nil is none.
  func check(_ number: Int?, _ option: String) throws {
    guard let number, !contains(number) else { return }
    throw ValidationError("\(option) takes \(lowerBound) to \(upperBound).")
  }
}

/// How many rows of a list are printed.
struct CountOption: ParsableArguments {
  @Option(parsing: .unconditional, help: "How many, 1 to 10000.")
  var limit = 20

  func validate() throws { try (1...10_000).check(limit, "--limit") }
}

/// Which part of a list of users is shown.
struct PageOptions: ParsableArguments {
  /// The most rows that the app itself keeps in a list; `docs/loads.md#online-users`.
  static let mostRows = 250

  @Option(parsing: .unconditional, help: "Number of users, 1 to \(mostRows).")
  var limit = 10

  @Option(
    help: ArgumentHelp("Start after this cursor, from the line 'more'.", valueName: "cursor"))
  var after: UserCursor?

  func validate() throws { try (1...Self.mostRows).check(limit, "--limit") }
}

extension UserCursor: ExpressibleByArgument {
  /// `{unix seconds}:{row id}`.
  package init?(argument: String) {
    let parts = argument.split(separator: ":").map { Int64($0) }
    guard parts.count == 2, let seconds = parts[0], let id = parts[1] else { return nil }
    self.init(lastSeenAtSeconds: seconds, id: id)
  }

  var argument: String { "\(lastSeenAtSeconds):\(id)" }
}
