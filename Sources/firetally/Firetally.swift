import ArgumentParser
import CStart
import HTTP
import Model
import Store
import XML

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
          ExportCommand.self, SQLCommand.self, SchemaCommand.self,
        ]),
      CommandGroup(
        name: "Reports",
        subcommands: [
          ReportCommand.self, FindingsCommand.self, StatusCommand.self, RunsCommand.self,
          IncidentsCommand.self,
        ]),
      CommandGroup(
        name: "Operations",
        subcommands: [
          InitCommand.self, DemoCommand.self, ConfigCommand.self, DoctorCommand.self,
          ScheduleCommand.self, HooksCommand.self, BackupCommand.self, VerifyCommand.self,
          RestoreCommand.self, EmulatorCommand.self, SharedOptionsCommand.self,
        ]),
    ])

  /// Read here wherever they stand; the parser hands them on to the command.
  @OptionGroup var global: GlobalOptions

  @Flag(help: "Show the version.")
  var version = false

  func validate() throws {
    if version { throw CleanExit.message(VersionText.current) }
  }

  /// Reads the arguments behind the program's name.
  ///
  /// - Returns: the command, validated.
  /// - Throws: `CommandError` for a word that is no command or no option, else what the
  ///   parser has to say about the arguments, help included.
  static func command(in arguments: [String]) throws -> any ParsableCommand {
    if let wrong = WrongWord.command(in: arguments) { throw wrong }
    do {
      let command = try parseAsRoot(arguments)
      if let wrong = WrongWord.missingCommand(of: type(of: command), in: arguments) { throw wrong }
      return command
    } catch {
      // A call for help is thrown, too.
      guard exitCode(for: error) == .validationFailure else { throw error }
      throw WrongWord.option(in: arguments) ?? error
    }
  }
}

/// What `firetally --version` prints: the release, the commit, and the libraries in use.
enum VersionText {
  static var current: String { text(commit: String(cString: firetally_commit())) }

  static func text(commit: String) -> String {
    """
    firetally \(ProgramVersion.current)\(commit.isEmpty ? "" : " (commit \(commit))")
    SQLite \(Store.libraryVersion)
    \(HTTPClient.libraryVersion)
    libxml2 \(XMLLibrary.version)
    """
  }
}
