import ArgumentParser
import Foundation
import Jobs
import Model
import Rules
import Session
import Store

extension ProfileCommand {
  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Make a profile that is not there yet.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var options: ProfileOptions

    @Argument(help: "What --profile will call it.")
    var name: String

    func validate() throws {
      if let problem = ProfileTextRule.problem(name, in: .name) {
        throw ValidationError("The name \(problem.text)")
      }
    }

    func run() throws {
      var global = global
      global.profile = name
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let session = try invocation.session(desk, store: try desk.store())
      let profile = try session.createProfile { profile in
        options.apply(to: &profile)
        profile.tier = options.tier ?? .free
      }
      guard profile != nil else { throw CommandError.profileExists(name: name) }
    }
  }

  struct SignOut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sign-out",
      abstract: "Clear the local users, and the profile's filter and refresh time.",
      discussion: """
        The rows belong to the workspace: the next load of any profile fetches them anew. \
        Tier, limits, ratings and the outbox stay.
        """)

    @OptionGroup var global: GlobalOptions

    @OptionGroup var turn: LockOptions

    func run() async throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let store = try desk.store()
      let session = try invocation.session(desk, store: store)
      let lock = try await invocation.lock(desk, store: store, wait: turn.wait)
      defer { lock.release() }
      let removed = try session.signOut()
      if invocation.output.isJSON {
        try invocation.output.show(
          json: SignOutLine(profile: global.profile, usersRemoved: removed))
      } else {
        invocation.output.remark("Signed out; \(removed) users removed.")
      }
    }
  }

  private struct SignOutLine: Encodable {
    let message_type = "sign_out"
    let profile: String
    let usersRemoved: Int
  }
}
