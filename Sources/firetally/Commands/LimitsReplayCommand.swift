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

/// Which platform's events a command counts.
struct PlatformOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Count the events of ios, android or all together. Default: the app's platform.",
      valueName: "platform"))
  var platform: AppConfig.PlatformChoice?

  /// - Throws: `ValidationError` beside a file, whose lines name no platform.
  func check(readsFile: Bool) throws {
    guard platform == nil || !readsFile else {
      throw ValidationError("--platform is about the ledger: a file has no platforms.")
    }
  }
}

extension AppConfig.PlatformChoice: ExpressibleByArgument {}

/// Interrupts commands that change nothing.
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

/// Where a replay finds its settings and its ledger, without writing anything.
struct ReplayInputs {
  private let fetched: [FetchedSetting]
  private let workspace: [SettingKey: String]
  /// Nil where there is no workspace, or nothing was stored in it.
  private let store: Store?
  /// Newest first.
  private let changes: [SettingChange]
  private let databasePath: String?
  private let app: AppConfig?

  /// The workspace of the command; none when the current folder is none and `-C` names none.
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

  /// The settings in force, under what the assignments say.
  func settings(_ assignments: [SettingAssignments] = []) -> Settings {
    let assigned = assignments.reduce(into: workspace) { all, assignments in
      all.merge(assignments.values) { _, new in new }
    }
    return SettingsRule.resolve(fetched: fetched, workspace: assigned)
  }

  /// Changes of settings that are looked at.
  private static let mostChanges = 1_000

  /// The changes of limits in a time, newest first; nil bounds are open.
  func limitChanges(from start: Instant?, to end: Instant) -> [SettingChange] {
    settings().limitChanges(among: changes, after: start, before: end)
  }

  /// Whose events of the ledger are counted; nil for all together.
  func platform(_ counting: PlatformOption) -> String? {
    app?.platform(counting: counting.platform)
  }

  /// The file's attempts, or those of the ledger for nil.
  func source(file: String?, _ counting: PlatformOption) throws -> ReplaySource {
    if let file { return .file(path: file) }
    if let store { return .ledger(store, platform: platform(counting)) }
    guard let databasePath else { throw JobsError.notAWorkspace(path: ".") }
    throw StoreError.missing(path: databasePath)
  }
}

extension Invocation {
  /// The command's workspace; nil when the current folder is none and `-C` names none.
  func openWorkspaceIfAny() throws -> OpenWorkspace? {
    do {
      return try openWorkspace()
    } catch JobsError.notAWorkspace where options.namedWorkspace == nil {
      return nil
    }
  }
}

/// Prints the lines of a file that could not be used on standard error, the first ones by name.
final class RejectedLines {
  private(set) var count = 0
  private let file: String
  private let log: LineLog

  /// More of them are counted only; docs/replay.md#replay.
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

  /// Says how many more there were, and ends with the status that their number means.
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

  /// As compilers do, so that editors find the place; no line of a log.
  private func printLine(_ text: String, as type: String, _ details: JSONObject = [:]) {
    guard log.isJSON else { return StandardStream.errors.write(text + "\n") }
    var line = LogLine(.warning, text)
    (line.type, line.details) = (type, details)
    log.write(line)
  }
}

/// What one `--set` says: `refresh.limit=5`, or several joined by commas; docs/replay.md#replay.
struct SettingAssignments: Equatable {
  /// As it was typed.
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
