import ArgumentParser

/// Finds the command that the arguments ask for.
enum CommandReader {
  /// Reads a command that can begin without looking at all others: cron starts `run` every few
  /// minutes.
  ///
  /// Whatever cannot begin, such as a call for help or a mistake, is read again by the whole
  /// program, so that every answer is the whole program's; see
  /// `docs/decisions/023-a-start-that-does-less.md`.
  ///
  /// - Parameter arguments: as `ArgumentOrder.arranged` leaves them.
  /// - Returns: the command, validated.
  /// - Throws: `CommandError.wrongWord` for a word that is no command or no option, else what the
  ///   parser has to say about the arguments.
  static func command(in arguments: [String]) throws -> any ParsableCommand {
    if let command = alone(in: arguments) { return command }
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

  /// Nil when the arguments do not simply name a command and what it needs.
  private static func alone(in arguments: [String]) -> (any ParsableCommand)? {
    var command: any ParsableCommand.Type = Firetally.self
    var rest = arguments[...]
    while let word = rest.first,
      let next = command.configuration.subcommands.first(where: {
        $0.configuration.commandName == word
      })
    {
      command = next
      rest.removeFirst()
    }
    // A group may have a command of its own, which the whole program finds.
    guard command.configuration.subcommands.isEmpty else { return nil }
    do {
      let parsed = try command.parseAsRoot(Array(rest))
      // A call for help is a command of the parser's.
      return type(of: parsed) == command ? parsed : nil
    } catch {
      // The whole program says what is wrong.
      return nil
    }
  }
}
