import ArgumentParser
import Foundation
import Rules

/// Finds the word of a command line that names no command or no option.
///
/// The parser looks for such a word last of all, and says first that something else is missing.
enum WrongWord {
  /// The words that name a command, and what follows them.
  private struct Reading {
    var command: any ParsableCommand.Type = Firetally.self
    var path: [String] = []
    var rest: ArraySlice<String>

    /// As it is typed: `firetally limits check`.
    var call: String { (["firetally"] + path).joined(separator: " ") }

    var isGroup: Bool { !command.configuration.subcommands.isEmpty }

    var advice: String {
      isGroup ? "`\(call) --help` lists the commands." : "See `\(call) --help`."
    }
  }

  /// What to say of a word in the place of a command that is none; nil when there is no such word.
  ///
  /// Also for `help`, which the parser lets name anything.
  static func command(in arguments: [String]) -> CommandError? {
    let asksForHelp = arguments.first == "help"
    let reading = read(arguments.dropFirst(asksForHelp ? 1 : 0))
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
    return .wrongWord("There is no command '\(wrong)'.\(meant ?? "") \(reading.advice)")
  }

  /// What to say of an option that is none, or of a missing command; nil when both are right.
  static func option(in arguments: [String]) throws -> CommandError? {
    let reading = read(arguments[...])
    guard reading.isGroup else {
      return try option(among: reading.rest, of: reading)
    }
    // Three dashes are how shells ask the parser to complete a word.
    guard let option = reading.rest.first, option.hasPrefix("-"), !option.hasPrefix("---") else {
      return nil
    }
    let name = String(option.prefix { $0 != "=" })
    let named = read(reading.rest.drop { $0.hasPrefix("-") })
    if !named.isGroup, !ArgumentOrder.isGlobal(name), try options(of: named.command)[name] != nil {
      return .wrongWord(
        "Write '\(name)' behind its command: `\(named.call) \(name)`. \(named.advice)")
    }
    guard ArgumentOrder.isGlobal(name) else {
      let own = try options(of: named.command)
      // What is wrong with the value of a known option, the parser says.
      guard own[name] == nil else { return nil }
      let known = ArgumentOrder.globalNames + own.keys.sorted()
      return noOption(name, among: known, of: named.isGroup ? reading : named)
    }
    guard reading.rest.count > 1 || !ArgumentOrder.takesValue(option) else {
      return .wrongWord("'\(option)' needs a value. See `firetally help common`.")
    }
    return .wrongWord("Name a command of `\(reading.call)`. \(reading.advice)")
  }

  private static func read(_ arguments: ArraySlice<String>) -> Reading {
    var reading = Reading(rest: arguments)
    while let word = reading.rest.first,
      let next = reading.command.configuration.subcommands.first(where: {
        $0.configuration.commandName == word
      })
    {
      reading.command = next
      reading.path.append(word)
      reading.rest.removeFirst()
    }
    // A group with a command of its own, such as `backup` or `runs`, is that command before an
    // option, and before a word that it takes.
    if let own = reading.command.configuration.defaultSubcommand,
      reading.rest.first?.hasPrefix("-") != false || takesWords(own)
    {
      reading.command = own
    }
    return reading
  }

  /// The first unknown one before a `--`; the values of others are passed over.
  private static func option(
    among arguments: ArraySlice<String>, of reading: Reading
  ) throws -> CommandError? {
    let known = try options(of: reading.command)
    var rest = arguments.prefix { $0 != "--" }
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-"), argument != "-" else { continue }
      let name = String(argument.prefix { $0 != "=" })
      if let takesValue = known[name] {
        if takesValue, name == argument, rest.first.map(isValue) == true { rest.removeFirst() }
        continue
      }
      // Several flags of one letter each may share a dash.
      let letters = name.dropFirst().map { "-\($0)" }
      guard name.hasPrefix("--") || !letters.allSatisfy({ known[$0] != nil }) else { continue }
      return noOption(name, among: known.keys.sorted(), of: reading)
    }
    return nil
  }

  /// A number may be negative; what is wrong with it, the parser says.
  private static func isValue(_ word: String) -> Bool {
    !word.hasPrefix("-") || Double(word) != nil
  }

  private static func noOption(
    _ name: String, among known: [String], of reading: Reading
  ) -> CommandError {
    // One dash too few is no typing error of the name.
    let twoDashes = "-" + name
    let hint =
      known.contains(twoDashes)
      ? " Did you mean '\(twoDashes)'?"
      : ClosestName.hint(for: name, among: known.filter { $0.count > 2 })
    return .wrongWord("There is no option '\(name)'.\(hint) \(reading.advice)")
  }

  private static func takesWords(_ command: any ParsableCommand.Type) -> Bool {
    let described = Result { try description(of: command) }
    guard case .success(let description) = described else { return false }
    return description.command.arguments?.contains { $0.kind == "positional" } ?? false
  }

  private static func description(
    of command: any ParsableCommand.Type
  ) throws -> Description {
    try JSONDecoder().decode(Description.self, from: Data(command._dumpHelp().utf8))
  }

  /// The options of a command with their dashes, and whether each takes a value.
  static func options(of command: any ParsableCommand.Type) throws -> [String: Bool] {
    var options = [
      "-h": false, "--help": false, "--version": false, "--help-hidden": false,
      "--generate-completion-script": true, "--experimental-dump-help": false,
    ]
    for argument in try description(of: command).command.arguments ?? [] {
      for name in argument.names ?? [] {
        options[(name.kind == "long" ? "--" : "-") + name.name] = argument.kind == "option"
      }
    }
    return options
  }

  /// What the parser says of a command.
  private struct Description: Decodable {
    struct Command: Decodable { let arguments: [Argument]? }
    struct Argument: Decodable {
      let kind: String
      let names: [Name]?
    }
    struct Name: Decodable {
      let kind: String
      let name: String
    }
    let command: Command
  }
}
