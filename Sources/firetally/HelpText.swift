import ArgumentParser

/// The help of a command in reading order: its purpose, its own options, a line about the common
/// ones, examples.
///
/// The parser would print the common options first and in full, as `firetally help common` still
/// does. See `docs/commands.md#help`.
enum HelpText {
  /// The line in place of the common options.
  static let commonLine =
    "Common options: -C, -q, -v, --json, --profile, ...: see `firetally help common`"

  static let examplesHead = "EXAMPLES:"

  /// Removes the common options from help, except from their own help.
  static func arranged(_ help: String) -> String {
    guard !help.contains("USAGE: firetally common") else { return help }
    var sections = paragraphs(of: help)
    let common = paragraphs(of: GlobalOptions.helpMessage()).last ?? []
    if let options = sections.firstIndex(where: { Set(common).isSubset(of: $0) }) {
      // Only the help of the whole program says how to get help.
      let isOfProgram = help.contains("<subcommand>")
      let others = Set(items(of: isOfProgram ? Array(common.dropLast()) : common).dropFirst())
      let own = items(of: sections[options]).filter { !others.contains($0) }.flatMap(\.self)
      sections[options] = [commonLine]
      if own.count > 1 { sections.insert(own, at: options) }
    }
    let examples = sections.filter(areExamples)
    sections = sections.filter { !areExamples($0) } + examples
    return withShortUsage(sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n"))
  }

  /// Returns the text with a usage line without the common options.
  static func withShortUsage(_ message: String) -> String {
    let common = GlobalOptions.usageString().drop { $0 != "[" }
    return message.replacing(" \(common)", with: "")
  }

  /// Returns the lines of a command's examples; empty for a command without examples.
  static func examples(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.discussion.split(separator: "\n").drop { $0 != examplesHead }.dropFirst()
      .map { String($0.drop { $0 == " " }) }
  }

  private static func areExamples(_ section: [String]) -> Bool { section.first == examplesHead }

  /// Returns the head of a list of options, then each option with all lines of its help.
  private static func items(of section: [String]) -> [[String]] {
    section.reduce(into: []) { items, line in
      if items.isEmpty || line.hasPrefix("  -") {
        items.append([line])
      } else {
        items[items.count - 1].append(line)
      }
    }
  }

  /// Returns the paragraphs, each as its lines.
  private static func paragraphs(of help: String) -> [[String]] {
    help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .split(whereSeparator: \.isEmpty).map(Array.init)
  }
}

extension CommandConfiguration {
  /// Creates a command whose help ends with examples, each a line for a shell.
  init(
    commandName: String, abstract: String, discussion: String = "", examples: [String],
    shouldDisplay: Bool = true, subcommands: [any ParsableCommand.Type] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    let list = ([HelpText.examplesHead] + examples.map { "  \($0)" }).joined(separator: "\n")
    self.init(
      commandName: commandName, abstract: abstract,
      discussion: discussion.isEmpty ? list : "\(discussion)\n\n\(list)",
      shouldDisplay: shouldDisplay, subcommands: subcommands, defaultSubcommand: defaultSubcommand)
  }

  /// Creates a group of commands, with the first example of each as its examples.
  init(
    commandName: String, abstract: String, discussion: String = "",
    group: [any ParsableCommand.Type], defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    self.init(
      commandName: commandName, abstract: abstract, discussion: discussion,
      examples: group.compactMap { HelpText.examples(of: $0).first }, subcommands: group,
      defaultSubcommand: defaultSubcommand)
  }
}

/// The command for `firetally help common`, which explains the common options.
struct SharedOptionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "common",
    abstract: "The options that every command takes, before or after its name.",
    discussion: """
      On a terminal long work shows a line with its progress on standard error; --quiet and \
      --log-format json leave it out. -v names credentials, pages and retries, -vv every request.
      """,
    examples: ["firetally help common"],
    shouldDisplay: false)

  @OptionGroup var global: GlobalOptions

  func run() throws { throw CleanExit.helpRequest(self) }
}
