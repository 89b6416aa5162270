import ArgumentParser
import Model
import Rules

/// The options that every command takes; see `docs/jobs.md#commands`.
struct GlobalOptions: ParsableArguments {
  enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(
    name: [.customShort("C"), .customLong("workspace")],
    help: ArgumentHelp(
      "The workspace: a folder with firetally.yml; the current one unless given.",
      valueName: "dir"))
  var namedWorkspace: String?

  @Option(help: "The Google Cloud project; wins over GOOGLE_CLOUD_PROJECT and firetally.yml.")
  var project: String?

  @Option(
    name: .customLong("cacert"),
    help: ArgumentHelp(
      "Certificate authorities to trust, as PEM; wins over firestore.ca_file.", valueName: "file"))
  var caFile: String?

  @Option(name: .customLong("profile"), help: "The signed-in app user whose session is meant.")
  var namedProfile: String?

  @Option(
    help: ArgumentHelp(
      "Replaces the clock, for example 2026-01-31T08:00:00Z.", valueName: "instant"))
  var now: Instant?

  @Flag(name: [.short, .long], help: "Only errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Say every step.")
  var verbose = false

  @Option(help: "How log lines on standard error look: text or json.")
  var logFormat = LogFormat.text

  @Flag(help: "Machine-readable output on standard output, errors as JSON on standard error.")
  var json = false

  @Flag(help: "No colours, even on a terminal; the NO_COLOR variable does the same.")
  var noColor = false

  /// The named workspace, else the current folder.
  var workspace: String {
    get { namedWorkspace ?? "." }
    set { namedWorkspace = newValue }
  }

  /// The named profile, else the default one.
  var profile: String {
    get { namedProfile ?? Profile.defaultName }
    set { namedProfile = newValue }
  }

  func validate() throws {
    guard !(quiet && verbose) else {
      throw ValidationError("--quiet and --verbose exclude each other: give one of them.")
    }
    // An unset variable in a crontab must not mean the folder that cron happens to be in.
    guard !workspace.isEmpty else {
      throw ValidationError("--workspace needs a folder; leave it out for the current one.")
    }
    if let problem = ProfileTextRule.problem(profile, in: .name) {
      throw ValidationError(
        "--profile \(problem.text) Leave it out for '\(Profile.defaultName)'.")
    }
  }
}

extension Instant: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(iso8601: argument)
  }
}
