import ArgumentParser
import Dispatch
import Foundation

@main
struct Firetally: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "firetally",
    abstract: "A local SQLite copy of a Firebase app's users, its freemium rules, and reports.",
    discussion: """
      Cron runs `firetally run --all`; the report is in output/index.html. Begin with \
      `firetally demo` to look around, or with `firetally init` for an app of your own.
      """,
    version: "0.1.0",
    subcommands: [
      InitCommand.self, DemoCommand.self, RunCommand.self, PlanCommand.self, JobsCommand.self,
      StatusCommand.self,
      ReportCommand.self, UsersCommand.self, SearchCommand.self, FilterCommand.self,
      RefreshCommand.self, LimitsCommand.self, ProfileCommand.self, TierCommand.self,
      SettingsCommand.self, RatingCommand.self,
      FeedbackCommand.self, MomentCommand.self, PaywallCommand.self, OutboxCommand.self,
      EventsCommand.self, EmulatorCommand.self,
    ])

  static func main() async {
    // Output is written whole or the program ends: a pipe that nobody reads ends it quietly.
    signal(SIGPIPE, SIG_DFL)
    do {
      let arguments = ArgumentOrder.arranged(Array(CommandLine.arguments.dropFirst()))
      try await interruptible { try await run(try CommandReader.command(in: arguments)) }
      try Output.checkWritten()
    } catch {
      Failure(error).exit()
    }
  }

  private static func run(_ command: any ParsableCommand) async throws {
    var command = command
    guard var asynchronous = command as? any AsyncParsableCommand else { return try command.run() }
    try await asynchronous.run()
  }

  /// Cancels the work on the first SIGINT or SIGTERM, so that it ends at a sound place.
  private static func interruptible(
    _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    let task = Task { try await work() }
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        task.cancel()
        // A second one ends the program as ever.
        signal(number, SIG_DFL)
      }
      source.resume()
      return source
    }
    defer { for source in sources { source.cancel() } }
    try await task.value
  }
}
