import ArgumentParser
import CStart
import Dispatch
import Foundation
import HTTP
import Model
import Store
import Synchronization
import XML

/// The process around a command; see `docs/decisions/024-a-start-with-nothing.md`.
@main
enum Program {
  static func main() {
    // A broken pipe must not end the work: `StandardStream` records it.
    signal(SIGPIPE, SIG_IGN)
    do {
      let arguments = try arguments(of: .current)
      if let hindrance {
        try runAlone(arguments, because: hindrance)
      } else {
        try runAsTask(arguments)
      }
      try Output.checkWritten()
    } catch {
      Failure(error).exit()
    }
  }

  /// Runs a command in a test's process value, which signals do not reach.
  static func run(in process: ProgramProcess) async -> Int32 {
    await ProgramProcess.$current.withValue(process) {
      do {
        try await perform(try arguments(of: process))
        try Output.checkWritten()
        return 0
      } catch {
        return Failure(error).report()
      }
    }
  }

  /// - Throws: `CommandError.noProcessFiles` when Swift cannot read the arguments, which always
  ///   include the program's name.
  private static func arguments(of process: ProgramProcess) throws(CommandError) -> [String] {
    guard !process.arguments.isEmpty else { throw .noProcessFiles }
    return Array(process.arguments.dropFirst())
  }

  private static func perform(_ arguments: [String]) async throws {
    var command = try Firetally.command(in: arguments)
    if var asynchronous = command as? any AsyncParsableCommand {
      try await asynchronous.run()
    } else {
      try command.run()
    }
  }

  /// Why libdispatch may not start threads; nil when it may.
  ///
  /// If libdispatch cannot open files or read the state of threads, it ends the program; if it
  /// cannot start threads, it waits.
  private static var hindrance: CommandError? {
    guard OpenFiles.areEnoughForTasks else {
      return .tooFewFiles(needed: OpenFiles.neededForTasks)
    }
    guard access("/proc/self/stat", R_OK) == 0 else { return .noProcessFiles }
    let threads = ThreadRoom.neededForTasks
    return ThreadRoom.room(upTo: threads) < threads ? .tooFewThreads(needed: threads) : nil
  }

  /// Runs a command in a task; the first SIGINT or SIGTERM cancels it, so that it ends in a sound
  /// state.
  ///
  /// If the task has not ended within 2 s, or at a second signal, the program ends.
  private static func runAsTask(_ arguments: [String]) throws {
    let ending = Mutex<(any Error)?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    let task = Task {
      do {
        try await perform(arguments)
      } catch {
        ending.withLock { $0 = error }
      }
      isOver.signal()
    }
    firetally_catch_signals()
    // A dispatch source would open files to receive signals.
    Thread.detachNewThread {
      firetally_wait_for_signal()
      task.cancel()
    }
    isOver.wait()
    if let error = ending.withLock(\.self) { throw error }
  }

  /// Runs a synchronous command on this thread; signals end it immediately.
  private static func runAlone(_ arguments: [String], because hindrance: CommandError) throws {
    var command = try Firetally.command(in: arguments)
    guard !(command is any AsyncParsableCommand) else { throw hindrance }
    guard ThreadRoom.room(upTo: ThreadRoom.neededAlone) == ThreadRoom.neededAlone else {
      throw CommandError.tooFewThreads(needed: ThreadRoom.neededAlone)
    }
    guard OpenFiles.room(upTo: OpenFiles.neededAlone) == OpenFiles.neededAlone else {
      throw CommandError.tooFewFiles(needed: OpenFiles.neededAlone)
    }
    try command.run()
  }
}

struct Firetally: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "firetally",
    abstract: "Copy a Firebase app's users to SQLite, apply its freemium rules, write reports.",
    discussion: """
      Start with `firetally demo` to look around, or `firetally init` for your own app. Cron runs \
      the jobs (cron.example); the report is output/index.html.
      """,
    groupedSubcommands: [
      CommandGroup(
        name: "Sync",
        subcommands: [
          RunCommand.self, PlanCommand.self, JobsCommand.self, RefreshCommand.self,
          OutboxCommand.self, ShardCommand.self, InspectCommand.self, GetCommand.self,
          CountCommand.self,
        ]),
      CommandGroup(
        name: "App rules",
        subcommands: [
          LimitsCommand.self, FilterCommand.self, ProfileCommand.self, TierCommand.self,
          SettingsCommand.self, RatingCommand.self, FeedbackCommand.self, MomentCommand.self,
          PaywallCommand.self,
        ]),
      CommandGroup(
        name: "Data",
        subcommands: [
          UsersCommand.self, SearchCommand.self, QueryCommand.self, EventsCommand.self,
          ExportCommand.self, LoadCommand.self, SQLCommand.self, SchemaCommand.self,
        ]),
      CommandGroup(
        name: "Reports",
        subcommands: [
          ReportCommand.self, FindingsCommand.self, StatusCommand.self, OverviewCommand.self,
          RunsCommand.self, IncidentsCommand.self,
        ]),
      CommandGroup(
        name: "Operations",
        subcommands: [
          InitCommand.self, DemoCommand.self, ConfigCommand.self, DoctorCommand.self,
          ScheduleCommand.self, HooksCommand.self, BackupCommand.self, VerifyCommand.self,
          RestoreCommand.self, EmulatorCommand.self, SharedOptionsCommand.self,
        ]),
    ])

  /// Parsed here in any position; the parser passes them on to the command.
  @OptionGroup var global: GlobalOptions

  @Flag(help: "Show the version.")
  var version = false

  func validate() throws {
    if version { throw CleanExit.message(VersionText.current) }
  }

  /// Parses the arguments after the program's name.
  ///
  /// - Throws: `CommandError` for an unknown command or option, else the parser's error or help.
  static func command(in arguments: [String]) throws -> any ParsableCommand {
    if let wrong = WrongWord.emptyValue(in: arguments) { throw wrong }
    if let script = CompletionScript.asked(for: arguments) { throw CleanExit.message(script) }
    let reading = Result { try parseAsRoot(arguments) }
    // `help` accepts any command name.
    if let command = try? reading.get(), type(of: command).configuration.commandName != "help" {
      if let wrong = WrongWord.missingCommand(of: type(of: command), in: arguments) { throw wrong }
      return command
    }
    if let wrong = WrongWord.command(in: arguments) { throw wrong }
    do {
      return try reading.get()
    } catch {
      // A request for help is thrown, too.
      guard exitCode(for: error) == .validationFailure else { throw error }
      throw WrongWord.option(in: arguments) ?? error
    }
  }
}

/// The output of `firetally --version`: the version, the commit, and the libraries in use.
enum VersionText {
  static var current: String {
    text(ProgramVersion.current, commit: String(cString: firetally_commit()))
  }

  /// `commit` is empty when the build did not know it, which is fine for a release.
  static func text(_ version: String, commit: String) -> String {
    let isUnknown = commit.isEmpty && ProgramVersion.isOfDevelopment(version)
    let known = commit.isEmpty ? "" : " (commit \(commit))"
    return """
      firetally \(version)\(isUnknown ? " (commit unknown: built without make)" : known)
      SQLite \(Store.libraryVersion)
      \(HTTPClient.libraryVersion)
      libxml2 \(XMLLibrary.version)
      """
  }
}

/// A search for an unknown command or option in a command line.
///
/// The parser does not suggest commands. It reports unknown options last, after any missing
/// argument.
enum WrongWord {
  /// The words that name a command, and the words after them.
  private struct Reading {
    var command: any ParsableCommand.Type = Firetally.self
    var path: [String] = []
    var rest: ArraySlice<String>

    /// The command as it is typed: `firetally limits check`.
    var call: String { (["firetally"] + path).joined(separator: " ") }

    var isGroup: Bool { !command.configuration.subcommands.isEmpty }

    var advice: String {
      isGroup ? "`\(call) --help` lists the commands." : "See `\(call) --help`."
    }

    init(_ words: ArraySlice<String>) {
      rest = words
      while let word = rest.first, let next = command.subcommand(named: word) {
        command = next
        path.append(word)
        rest.removeFirst()
      }
      // A group with a default command, such as `backup` or `runs`, means that command before an
      // option, and before a word that it accepts.
      if let own = command.configuration.defaultSubcommand,
        rest.first?.hasPrefix("-") != false || own.help.contains("\nARGUMENTS:\n")
      {
        command = own
      }
    }
  }

  /// Returns the error for a word in the place of a command that names none; nil without such a
  /// word.
  ///
  /// It also covers `help`, for which the parser accepts any name.
  static func command(in arguments: [String]) -> CommandError? {
    guard let words = OwnWords.of(arguments) else { return nil }
    let reading = Reading(words.dropFirst(words.first == "help" ? 1 : 0))
    guard reading.isGroup, let word = reading.rest.first, !word.hasPrefix("-"),
      word != "help" || !reading.path.isEmpty
    else { return nil }
    let names = reading.command.configuration.subcommands.compactMap {
      $0.configuration.commandName
    }
    let wrong = (reading.path + [word]).joined(separator: " ")
    let meant = ClosestName.closest(to: word, among: names).map { name in
      " Did you mean '\((reading.path + [name]).joined(separator: " "))'?"
    }
    return CommandError(.usage, "There is no command '\(wrong)'.\(meant ?? "") \(reading.advice)")
  }

  /// Returns the error for options after a group, or after the program, without a command.
  static func missingCommand(
    of command: any ParsableCommand.Type, in arguments: [String]
  ) -> CommandError? {
    let name = command.configuration.commandName
    guard !command.configuration.subcommands.isEmpty, let last = arguments.last, last != name,
      let words = OwnWords.of(arguments)
    else { return nil }
    let reading = Reading(words[...])
    return CommandError(.usage, "Name a command of `\(reading.call)`. \(reading.advice)")
  }

  /// Returns the error for an option with nothing after its `=`, for which the parser would take
  /// the next word; nil when there is none before a `--`.
  static func emptyValue(in arguments: [String]) -> CommandError? {
    let words = arguments.prefix { $0 != "--" }
    guard
      let word = words.first(where: {
        $0.hasSuffix("=") && $0.wholeMatch(of: /-{1,2}[A-Za-z][A-Za-z0-9-]*=/) != nil
      })
    else { return nil }
    let name = word.dropLast()
    return CommandError(
      .usage,
      "'\(word)' has no value: write one behind '=', or leave '\(name)' out. A variable may be "
        + "unset.")
  }

  /// Returns the error for the first unknown option before a `--`; nil when all are known.
  static func option(in arguments: [String]) -> CommandError? {
    guard let words = OwnWords.of(arguments) else { return nil }
    let reading = Reading(words[...])
    let named = reading.isGroup ? Reading(words.drop { $0.hasPrefix("-") }) : reading
    let known = optionNames(of: named.command)
    for word in reading.rest.prefix(while: { $0 != "--" }) where isOption(word) {
      let name = String(word.prefix { $0 != "=" })
      if reading.isGroup, !named.isGroup, known.contains(name) {
        return CommandError(
          .usage,
          "Write '\(name)' behind its command: `\(named.call) \(name)`. \(named.advice)")
      }
      // Several one-letter flags may share a dash.
      let letters = name.dropFirst().map { "-\($0)" }
      guard !known.contains(name), name.hasPrefix("--") || !letters.allSatisfy(known.contains)
      else { continue }
      // A missing dash is not a misspelled name.
      let hint =
        name.hasPrefix("-C")
        ? " Did you mean '-C \(word.dropFirst(2))'?"
        : known.contains("-" + name)
          ? " Did you mean '-\(name)'?"
          : ClosestName.hint(for: name, among: known.filter { $0.count > 2 }.sorted())
      return CommandError(.usage, "There is no option '\(name)'.\(hint) \(named.advice)")
    }
    return nil
  }

  /// Values such as `-5` and `-1 point` are not options: the parser reports their problems.
  private static func isOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word != "-" && Double(word) == nil && !word.contains(" ")
  }

  /// The options in the help of a command, and those of every command, with their dashes.
  private static func optionNames(of command: any ParsableCommand.Type) -> Set<String> {
    let lines = (command.help + "\n" + Firetally.help).split(separator: "\n")
    return Set(
      lines.filter { $0.hasPrefix("  -") }.flatMap { line in
        let end = line.dropFirst(2).firstRange(of: "  ")?.lowerBound ?? line.endIndex
        // `--min-age <min-age>` does not name an option `-age`.
        return line[..<end].split { " ,/".contains($0) }.filter { $0.hasPrefix("-") }
          .map(String.init)
      })
  }
}

extension ParsableCommand {
  fileprivate static var help: String { Firetally.helpMessage(for: Self.self, includeHidden: true) }

  fileprivate static func subcommand(named name: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0.configuration.commandName == name }
  }
}

/// The words of a command line without the common options.
struct OwnWords: ParsableCommand {
  static let configuration = CommandConfiguration(helpNames: [])

  @OptionGroup var global: GlobalOptions

  @Argument(parsing: .allUnrecognized) var words: [String] = []

  /// Returns nil when the parser finds a problem with a common option.
  ///
  /// A folder directly after `-C` stays a word: the parser would take its letters for flags.
  static func of(_ arguments: [String]) -> [String]? {
    // An argument cannot contain a NUL.
    let mark: Character = "\0"
    let marked = arguments.map { isJoinedFolder($0) ? "\(mark)\($0)" : $0 }
    do {
      return try parse(marked).words.map { word in String(word.drop { $0 == mark }) }
    } catch {
      return nil
    }
  }

  private static func isJoinedFolder(_ word: String) -> Bool {
    word.hasPrefix("-C") && word.count > 2 && !word.hasPrefix("-C=")
  }
}
