import ArgumentParser
import Jobs
import Model
import Reports
import Store

extension UsersCommand {
  struct Clear: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clear",
      abstract: "Clear the local users and the refresh time; the next run fetches the users again.",
      discussion: """
        All profiles share the local users: the next load of any profile fetches them again. The \
        saved filter is kept, and so are tier, limits and events; makes no request. On a terminal \
        it says what it will remove and asks first; --yes answers that.

        EXAMPLES:
          firetally users clear --yes
        """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var turn: LockOptions

    private struct JSONOutput: Encodable {
      let message_type = "users_cleared"
      let profile: String
      let usersRemoved: Int
    }

    func run() async throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let store = try opened.store()
      let session = try invocation.session(opened, store: store)
      if !yes, Confirmation.canAsk(invocation) {
        let users = NumberWords.counted(try store.read { try $0.usersCount() }, "user")
        guard Confirmation.isGiven(to: "This removes \(users) of the local copy.", invocation)
        else { throw CommandError.notConfirmed }
      }
      let lock = try await invocation.lock(opened, store: store, wait: turn)
      defer { lock.release() }
      let removed = try session.clearUsers()
      guard !invocation.output.isJSON else {
        return try invocation.output.show(
          json: JSONOutput(profile: global.profile, usersRemoved: removed))
      }
      invocation.output.remark("Cleared; \(NumberWords.counted(removed, "user")) removed.")
    }
  }
}
