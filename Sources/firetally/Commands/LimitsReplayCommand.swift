import App
import ArgumentParser
import Jobs
import Logging
import Model
import Store
import Workspace

struct LimitsReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay recorded attempts through the limits, one decision a line.",
    discussion: """
      A line of the file: {"at": 1769846400, "user": "u1", "feature": "refresh", "verb": "use"}. \
      Starts with no usage and stores nothing. Exits with status 3 when some lines were rejected, \
      65 when all were.
      """,
    examples: [
      "firetally limits replay --from-events",
      "firetally limits replay attempts.ndjson --set refresh.limit=5",
    ])

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The file, plain or gzip; - is standard input.")
  var file: String?

  @Flag(help: "Replay the usage ledger instead of a file.")
  var fromEvents = false

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A setting to decide by, such as refresh.limit=5. May be repeated.",
      valueName: "name=number"),
    transform: SettingAssignments.init(parsing:))
  var assignments: [SettingAssignments] = []

  @OptionGroup var counting: PlatformOption

  func validate() throws {
    guard (file != nil) != fromEvents else {
      throw ValidationError("Name one file, or give --from-events.")
    }
    try counting.check(readsFile: file != nil)
  }

  func run() async throws {
    let invocation = Invocation(global)
    try await Interruption.endingAtOnce {
      let opened = try ReplayInputs(invocation)
      let rejected = RejectedLines(of: file ?? "", log: invocation.log)
      let run = ReplayRun(try opened.source(file: file, counting), rejected: rejected.add)
      let decided = try run.decide(under: opened.settings(assignments)) { lines in
        try invocation.output.print(bytes: lines)
      }
      try rejected.finish(goodLines: decided)
    }
  }
}

/// The platform whose events a command counts.
struct PlatformOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Count the events of ios, android or all together. Default: the app's platform.",
      valueName: "platform"))
  var platform: AppConfig.PlatformChoice?

  /// - Throws: `ValidationError` with a file, whose lines have no platform.
  func check(readsFile: Bool) throws {
    guard platform == nil || !readsFile else {
      throw ValidationError("--platform is about the ledger: a file has no platforms.")
    }
  }
}

extension AppConfig.PlatformChoice: ExpressibleByArgument {}

/// The interruption of commands that change nothing.
enum Interruption {
  /// Ends the program on the first signal, even while standard input is silent.
  static func endingAtOnce(_ work: () throws -> Void) async throws {
    try await withTaskCancellationHandler {
      try work()
    } onCancel: {
      Failure(CancellationError()).exit()
    }
  }
}

/// The settings and the ledger for a replay, which are only read.
struct ReplayInputs {
  private let fetched: [FetchedSetting]
  private let workspace: [SettingKey: String]
  /// Nil without a workspace, or when nothing was stored in it.
  private let store: Store?
  /// The changes of settings, newest first.
  private let changes: [SettingChange]
  private let databasePath: String?
  private let app: AppConfig?

  /// Reads the command's workspace; there is none if `-C` is missing and the current folder is not
  /// one.
  init(_ invocation: Invocation) throws {
    let opened = try invocation.openWorkspaceIfAny()
    store = try opened?.readStore()
    databasePath = opened?.workspace.databasePath
    app = opened?.config.app
    workspace = opened?.config.settings.mapValues { String($0) } ?? [:]
    if opened == nil {
      invocation.log.warning(
        "No workspace in the current folder: the built-in settings are in force. "
          + "Name one with -C to use its own.")
    }
    fetched = try store?.read { try $0.fetchedSettings() } ?? []
    changes = try store?.read { try $0.settingChanges(limit: Self.mostChanges) } ?? []
  }

  /// Returns the settings in force, overridden by the assignments.
  func settings(_ assignments: [SettingAssignments] = []) -> Settings {
    let assigned = assignments.reduce(into: workspace) { all, assignments in
      all.merge(assignments.values) { _, new in new }
    }
    return SettingsRule.resolve(fetched: fetched, workspace: assigned)
  }

  /// The largest number of changes of settings that are read.
  private static let mostChanges = 1_000

  /// Returns the changes of limits in a span, newest first; nil bounds are open.
  func limitChanges(from start: Instant?, to end: Instant) -> [SettingChange] {
    settings().limitChanges(among: changes, after: start, before: end)
  }

  /// Returns the platform whose events are counted; nil for all.
  func platform(_ counting: PlatformOption) -> String? {
    app?.platform(counting: counting.platform)
  }

  /// Returns the attempts in a file, or those of the ledger for nil.
  func source(file: String?, _ counting: PlatformOption) throws -> ReplaySource {
    if let file { return .file(path: file) }
    if let store { return .ledger(store, platform: platform(counting)) }
    guard let databasePath else { throw WorkspaceError.notAWorkspace(path: ".") }
    throw StoreError.missing(path: databasePath)
  }
}

extension Invocation {
  /// Opens the command's workspace; returns nil when the current folder is none and `-C` is
  /// missing.
  func openWorkspaceIfAny() throws -> OpenWorkspace? {
    do {
      return try openWorkspace()
    } catch WorkspaceError.notAWorkspace where options.namedWorkspace == nil {
      return nil
    }
  }
}

/// A printer of a file's invalid lines on standard error, individually up to a limit.
final class RejectedLines {
  private(set) var count = 0
  private let file: String
  private let log: LineLog

  /// The largest number of lines that are printed; more are only counted: docs/replay.md#replay.
  static let mostPrinted = 20

  init(of file: String, log: LineLog) {
    self.file = file
    self.log = log
  }

  func add(line: Int, reason: String) {
    count += 1
    guard count <= Self.mostPrinted else { return }
    printLine(
      "\(file):\(line): \(reason)", as: "bad_line",
      ["file": file, "line": line, "reason": reason])
  }

  /// Prints the number of further lines, and throws the resulting status.
  ///
  /// - Throws: `StatusOnly` when some lines were good, `CommandError` when none was.
  func finish(goodLines: Int) throws {
    guard count > 0 else { return }
    if count > Self.mostPrinted {
      printLine("and \(count - Self.mostPrinted) more", as: "bad_lines")
    }
    guard goodLines > 0 else {
      throw CommandError(
        .badData, "\(file): none of its \(count) lines could be used. The reasons are above.")
    }
    throw StatusOnly(status: .partial)
  }

  /// Prints in the form of compilers, so that editors find the position; it is not a log line.
  private func printLine(_ text: String, as type: String, _ details: JSONObject = [:]) {
    guard log.isJSON else { return StandardStream.errors.write(text + "\n") }
    var line = LogLine(.warning, text)
    (line.type, line.details) = (type, details)
    log.write(line)
  }
}

/// The assignments of one `--set`: `refresh.limit=5`, or several joined by commas;
/// docs/replay.md#replay.
struct SettingAssignments: Equatable {
  /// The text as typed.
  let text: String
  let values: [SettingKey: String]

  /// The settings that a replay depends on.
  static let keys: [SettingKey] = SettingDescriptor.all.filter { $0.role != nil }.map(\.key)

  /// - Throws: `ValidationError` for an unknown name or a value that the setting does not accept.
  init(parsing text: String) throws { try self.init(parsing: text, among: Self.keys) }

  init(parsing text: String, among keys: [SettingKey]) throws {
    self.text = text
    values = try text.split(separator: ",", omittingEmptySubsequences: false).reduce(into: [:]) {
      let (key, value) = try Self.assignment(String($1), among: keys)
      $0[key] = value
    }
  }

  private static func assignment(
    _ text: String, among keys: [SettingKey]
  ) throws -> (SettingKey, String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ValidationError(
        "'\(text)' is no assignment. Write it like \(keys[0].rawValue)=5.")
    }
    let name = String(parts[0])
    guard let key = keys.first(where: { $0.rawValue == name }) else {
      throw unknown(name, among: keys)
    }
    return (key, String(try number(String(parts[1]), for: key)))
  }

  private static func unknown(_ name: String, among keys: [SettingKey]) -> ValidationError {
    let names = keys.map(\.rawValue)
    let hint =
      ClosestName.closest(to: name, among: names).map { "Did you mean '\($0)'?" }
      ?? "There are \(names.joined(separator: ", "))."
    return ValidationError("There is no setting '\(name)'. \(hint)")
  }

  private static func number(_ text: String, for key: SettingKey) throws -> Int {
    let largest = SettingDescriptor.largest
    let (lowest, bound) =
      switch key.descriptor.bound {
      case .zeroOrLessIsOff: (-largest, "a whole number, 0 or less for none")
      case .zeroOrMore: (0, "a whole number from 0")
      case .positive: (1, "a whole number from 1")
      }
    guard let number = Int(text), (lowest...largest).contains(number), text.first != "+" else {
      throw ValidationError(
        "\(key.rawValue) must be \(bound), at most \(largest), not '\(text)'.")
    }
    return number
  }
}
