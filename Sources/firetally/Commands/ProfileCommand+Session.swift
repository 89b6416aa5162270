import ArgumentParser
import Foundation
import Jobs
import Model
import Reports
import Store

extension ProfileCommand {
  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Create a profile.",
      discussion: """
        EXAMPLES:
          firetally profile create ana --user-id u-2 --tier lite
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var options: ProfileOptions

    @Argument(help: "The profile's name, for --profile.")
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
      let opened = try invocation.openWorkspace(createsProfile: true)
      let session = try invocation.session(opened, store: try opened.store())
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
        All profiles share the local users: the next load of any profile fetches them again. \
        Tier, limits, ratings and the outbox are kept. On a terminal it lists what it will remove and \
        asks first; --yes answers that.

        EXAMPLES:
          firetally profile sign-out --yes
        """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var turn: LockOptions

    func run() async throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let store = try opened.store()
      let session = try invocation.session(opened, store: store)
      if !yes, Confirmation.canAsk(invocation) {
        let (profile, users) = try store.read {
          (try $0.profile(named: global.profile) ?? Profile(), try $0.usersCount())
        }
        let losses = Self.losses(profile, users: users)
        let question = "Signing out '\(global.profile)' removes \(losses)."
        guard Confirmation.isGiven(to: question, invocation) else {
          throw CommandError.notConfirmed
        }
      }
      let lock = try await invocation.lock(opened, store: store, wait: turn)
      defer { lock.release() }
      let removed = try session.signOut()
      if invocation.output.isJSON {
        try invocation.output.show(
          json: SignOutLine(profile: global.profile, usersRemoved: removed))
      } else {
        invocation.output.remark("Signed out; \(removed) users removed.")
      }
    }

    /// What would go now, as a list.
    private static func losses(_ profile: Profile, users: Int) -> String {
      var parts = [NumberWords.counted(users, "user") + " of the local copy"]
      if !profile.filter.isEmpty { parts.append("the saved filter") }
      if let at = profile.usersRefreshedAt { parts.append("the refresh time \(at.iso8601)") }
      guard let last = parts.popLast() else { return "" }
      return parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
    }
  }

  private struct SignOutLine: Encodable {
    let message_type = "sign_out"
    let profile: String
    let usersRemoved: Int
  }
}
