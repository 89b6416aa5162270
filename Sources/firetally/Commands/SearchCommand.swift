import ArgumentParser
import Jobs
import Model
import Store

struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search the local users by name, under the search limit.",
    discussion: """
      Finds names that contain the text, in any case, last seen first. Each command counts as one \
      search, also a next page with --after. At the limit it prints the popup and exits with \
      status 75.
      """,
    examples: ["firetally search ann"])

  @OptionGroup var global: GlobalOptions

  @Argument(help: "Part of the name.")
  var text: String

  @OptionGroup var page: PageOptions

  func run() throws {
    let name = text.trimmed
    guard !name.isEmpty else { throw CommandError.emptyName }
    let (invocation, _, session) = try global.openSession()
    // Read before the use is counted: a search that fails costs nothing.
    let found = try session.store.read { reader in
      try reader.users(
        matching: UsersQuery(nameContaining: name), after: page.after, limit: page.limit)
    }
    let check = try session.use(.search, now: invocation.now)
    invocation.logUse(check)
    if invocation.output.isJSON { try invocation.output.print(json: check.line()) }
    guard check.result.canProceed else { throw CommandError.blocked(check) }
    PopupText.print(on: invocation.output)(check)
    try UserTable.print(found, invocation.output)
  }
}
