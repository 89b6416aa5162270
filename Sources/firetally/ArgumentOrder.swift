import ArgumentParser

/// Lets the options of every command stand before the command too: `firetally -C DIR run --all`.
///
/// The parser accepts them after the command only, so leading options are moved to the end.
enum ArgumentOrder {
  /// The leading options that are followed by a value of their own.
  private static let optionsWithValue = [
    "-C", "--workspace", "--project", "--cacert", "--profile", "--now", "--log-format",
  ]

  private static let flags = [
    "-q", "--quiet", "-v", "-vv", "--verbose", "--json", "--no-color",
  ]

  /// The options of every command, with their dashes.
  static let globalNames = optionsWithValue + flags

  static func isGlobal(_ name: String) -> Bool { globalNames.contains(name) }

  /// Whether an option of every command is followed by a value of its own.
  static func takesValue(_ name: String) -> Bool { optionsWithValue.contains(name) }

  /// The arguments as the parser takes them; unchanged without leading options.
  static func arranged(_ arguments: [String]) -> [String] {
    let count = leadingCount(of: arguments)
    guard count > 0, count < arguments.count else { return arguments }
    let rest = Array(arguments[count...])
    if namesGroup(rest) { return rest }
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    return Array(rest[..<end] + arguments[..<count] + rest[end...])
  }

  /// Whether the words name a group of commands and none of them, so that its help is all there is.
  ///
  /// A group with a command of its own, such as `backup`, is that command.
  private static func namesGroup(_ words: [String]) -> Bool {
    var command: any ParsableCommand.Type = Firetally.self
    for word in words {
      let next = command.configuration.subcommands.first { $0.configuration.commandName == word }
      guard let next else { return false }
      command = next
    }
    return !command.configuration.subcommands.isEmpty
      && command.configuration.defaultSubcommand == nil
  }

  /// How many arguments from the start are options of every command, with their values.
  private static func leadingCount(of arguments: [String]) -> Int {
    var count = 0
    while count < arguments.count {
      let argument = arguments[count]
      if flags.contains(argument) || isJoined(argument) {
        count += 1
      } else if optionsWithValue.contains(argument) {
        count += 2
      } else {
        break
      }
    }
    return count
  }

  /// Whether it is one argument with its value, as `--workspace=DIR` is.
  private static func isJoined(_ argument: String) -> Bool {
    guard let name = argument.split(separator: "=", maxSplits: 1).first else { return false }
    return argument.contains("=") && optionsWithValue.contains(String(name))
  }
}
