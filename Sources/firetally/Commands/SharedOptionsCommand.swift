import ArgumentParser

/// What `firetally help common` explains: the options that every command takes.
struct SharedOptionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "common",
    abstract: "The options that every command takes, before or after its name.",
    discussion: """
      On a terminal long work shows a line with its progress on standard error; --quiet and \
      --log-format json leave it out. -v names credentials, pages and retries, -vv every request.

      EXAMPLES:
        firetally help common
      """,
    shouldDisplay: false)

  @OptionGroup var global: GlobalOptions

  func run() throws { throw CleanExit.helpRequest(self) }
}
