import ArgumentParser
import Model

struct Firetally: AsyncParsableCommand {
  /// Of this release; `CHANGELOG.md` says what it brings.
  static let version = ProgramVersion.current

  static let configuration = CommandConfiguration(
    commandName: "firetally",
    abstract: "Copy a Firebase app's users to SQLite, apply its freemium rules, write reports.",
    discussion: """
      Start with `firetally demo` to look around, or `firetally init` for your own app. Cron runs \
      the jobs (cron.example); the report is output/index.html.
      """,
    version: version,
    subcommands: [
      InitCommand.self, DemoCommand.self, RunCommand.self, PlanCommand.self, JobsCommand.self,
      HooksCommand.self, ConfigCommand.self, StatusCommand.self, RunsCommand.self,
      ScheduleCommand.self, DoctorCommand.self,
      InspectCommand.self, GetCommand.self, QueryCommand.self, CountCommand.self,
      ReportCommand.self, UsersCommand.self, SearchCommand.self, FilterCommand.self,
      RefreshCommand.self, LimitsCommand.self, ProfileCommand.self, TierCommand.self,
      SettingsCommand.self, RatingCommand.self,
      FeedbackCommand.self, MomentCommand.self, PaywallCommand.self, OutboxCommand.self,
      EventsCommand.self, ExportCommand.self, ShardCommand.self, SchemaCommand.self,
      BackupCommand.self, VerifyCommand.self, RestoreCommand.self,
      EmulatorCommand.self, SharedOptionsCommand.self,
    ])
}
