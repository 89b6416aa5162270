import ArgumentParser

/// Finds the command that the arguments ask for.
enum CommandReader {
  /// Reads `run`, which cron starts every few minutes, without looking at all other commands.
  ///
  /// Whatever is not a run that can begin, such as a call for help or a mistake, is read again by the
  /// whole program, so that every answer is the whole program's; see
  /// `docs/decisions/023-a-start-that-does-less.md`.
  ///
  /// - Parameter arguments: as `ArgumentOrder.arranged` leaves them.
  /// - Returns: the command, validated.
  /// - Throws: what the parser has to say about the arguments.
  static func command(in arguments: [String]) throws -> any ParsableCommand {
    try run(in: arguments) ?? Firetally.parseAsRoot(arguments)
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
