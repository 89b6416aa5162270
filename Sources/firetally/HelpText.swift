import ArgumentParser

/// The help of one command, in the order in which it is read: what it does, its own options, the
/// common ones in one line, examples.
///
/// The parser prints the common options of every command in full and first; `firetally help common`
/// still does. See `docs/commands.md#help`.
enum HelpText {
  /// What stands for the common options.
  static let commonLine =
    "Common options: -C, -q, -v, --json, --profile, ...: see `firetally help common`"

  static let examplesHead = "EXAMPLES:"

  /// Moves the common options out of help, unless it is the help of these.
  static func arranged(_ help: String) -> String {
    guard !help.contains("USAGE: firetally common") else { return help }
    var sections = paragraphs(of: help)
    let common = paragraphs(of: GlobalOptions.helpMessage()).last ?? []
    if let options = sections.firstIndex(where: { Set(common).isSubset(of: $0) }) {
      // How to get help is said once, by the whole program.
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

  /// The text, whose usage leaves the common options out.
  static func withShortUsage(_ message: String) -> String {
    let common = GlobalOptions.usageString().drop { $0 != "[" }
    return message.replacing(" \(common)", with: "")
  }

  /// The lines of a command's examples; none for a command without any.
  static func examples(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.discussion.split(separator: "\n").drop { $0 != examplesHead }.dropFirst()
      .map { String($0.drop { $0 == " " }) }
  }

  private static func areExamples(_ section: [String]) -> Bool { section.first == examplesHead }

  /// The head of a list of options, then each option with all lines of its help.
  private static func items(of section: [String]) -> [[String]] {
    section.reduce(into: []) { items, line in
      if items.isEmpty || line.hasPrefix("  -") {
        items.append([line])
      } else {
        items[items.count - 1].append(line)
      }
    }
  }

  /// Paragraphs, each with its lines.
  private static func paragraphs(of help: String) -> [[String]] {
    help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .split(whereSeparator: \.isEmpty).map(Array.init)
  }
}

extension CommandConfiguration {
  /// A command whose help ends with examples, each a line for a shell.
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

  /// A group of commands, whose examples are the first of each of them.
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

/// What `firetally help common` explains: the options that every command takes.
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
