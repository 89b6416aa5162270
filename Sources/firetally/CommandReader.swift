import ArgumentParser

/// Finds the command that the arguments ask for.
enum CommandReader {
  /// Reads `run`, which cron starts every few minutes, without looking at all other commands.
  ///
  /// Whatever is not a run that can begin, such as a call for help or a mistake, is read again by
  /// the whole program, so that every answer is the whole program's; see
  /// `docs/decisions/023-a-start-that-does-less.md`.
  ///
  /// - Parameter arguments: as `ArgumentOrder.arranged` leaves them.
  /// - Returns: the command, validated.
  /// - Throws: `CommandError.wrongWord` for a word that is no command or no option, else what the
  ///   parser has to say about the arguments.
  static func command(in arguments: [String]) throws -> any ParsableCommand {
    if let run = run(in: arguments) { return run }
    if arguments == VersionCommand.arguments { return VersionCommand() }
    if let wrong = WrongWord.command(in: arguments) { throw wrong }
    do {
      return try Firetally.parseAsRoot(arguments)
    } catch {
      // A call for help is thrown, too.
      guard Firetally.exitCode(for: error) != .success else { throw error }
      throw try WrongWord.option(in: arguments) ?? error
    }
  }

  /// Nil when the arguments are not simply a run.
  private static func run(in arguments: [String]) -> RunCommand? {
    guard arguments.first == RunCommand.configuration.commandName else { return nil }
    do {
      return try RunCommand.parseAsRoot(Array(arguments.dropFirst())) as? RunCommand
    } catch {
      // The whole program says what is wrong.
      return nil
    }
  }
}
