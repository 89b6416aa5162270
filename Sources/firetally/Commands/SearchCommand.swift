import ArgumentParser
import Model
import Rules
import Session
import Store

struct SearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search the users of the local copy by name, under the search limit.",
    discussion: """
      Finds every name that contains the text, in any case, the last seen first. Each command is \
      one search, also one that goes on with --after. At the limit it ends with status 75 and the \
      popup's text.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "Part of the name.")
  var text: String

  @OptionGroup var page: PageOptions

  func run() throws {
    let name = text.trimmed
    guard !name.isEmpty else { throw CommandError.emptyText(what: "part of a name") }
    let invocation = Invocation(global)
    let desk = try invocation.desk()
    let store = try desk.store()
    // Read before the use is counted: a search that fails costs nothing.
    let found = try store.read { reader in
      try reader.users(
        matching: UserQuestion(nameContaining: name), after: page.after, limit: page.limit)
    }
    let answer = try invocation.session(desk, store: store).use(.search, now: invocation.now)
    guard answer.decision.canProceed else {
      throw CommandError.blocked(PopupText.block(answer))
    }
    try UserTable.show(found, invocation.output)
  }
}
