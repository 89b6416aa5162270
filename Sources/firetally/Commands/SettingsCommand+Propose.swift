import ArgumentParser
import Jobs
import Model
import Operations
import Reports
import Store
import Workspace

extension SettingsCommand {
  struct Propose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "propose",
      abstract: "Write a patch of the app's settings document, and watch its effect.",
      discussion: """
        Reads the document (one billed read), records the reason and the expectation, and writes \
        the body of a documents:commit. Firestore refuses it if the document has changed since. \
        With --apply the command sends that body. The limits report then shows the effect.

        Exit status: 0 written, sent, or in force already; 1 the document does not exist, or you \
        said no; 64 not confirmed; 75 the document was changed meanwhile, or the answer was \
        lost: run it again.
        """,
      examples: [
        "firetally settings propose refresh.limit=4 --because Trial --expect '1 point'"
      ])

    @OptionGroup var global: GlobalOptions

    @Argument(
      help: ArgumentHelp("The setting and its new value.", valueName: "name=number"),
      completion: NameCompletion.assignments, transform: SettingAssignments.init(parsing:))
    var assignment: SettingAssignments

    @Option(help: "Why, in a sentence.")
    var because: String

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "By how many percentage points more people should tap to subscribe, such as '+5 points'.",
        valueName: "points"),
      transform: Self.points)
    var expect: Double

    @Option(help: "Write the patch to this file instead of data/proposal-NAME.json.")
    var to: String?

    @Flag(help: "Send the patch, for everybody who uses the app.")
    var apply = false

    @Flag(help: "Do not ask.")
    var yes = false

    func validate() throws {
      guard assignment.values.count == 1 else {
        throw ValidationError(
          "Propose one setting at a time: the effects of two changes cannot be told apart.")
      }
      let scalars = because.unicodeScalars
      guard !because.allSatisfy(\.isWhitespace), scalars.count <= SettingProposal.longestReason,
        scalars.allSatisfy({ $0.properties.generalCategory != .control })
      else {
        throw ValidationError(
          "--because takes a sentence of at most \(SettingProposal.longestReason) characters, on "
            + "one line.")
      }
    }

    func run() async throws {
      guard let (key, text) = assignment.values.first, let number = Int(text) else {
        throw ValidationError("Write one assignment such as refresh.limit=4.")
      }
      let (invocation, opened) = try global.openWorkspace()
      let (_, options) = try opened.workspace.jobs().first(
        SyncSettingsOptions.self, orThrow: .noSettingsJob)
      let context = try invocation.context(opened, store: try opened.store())
      try await invocation.oneOff("settings propose", context) { reads in
        let patch = try await SettingsPatch(
          key, to: number, in: options.path(in: opened.config), reads)
        let proposal = SettingProposal(
          key: key, oldValue: patch.oldValue, value: number, reason: because,
          expectedPoints: expect, proposedAt: invocation.now)
        let printer = ProposalPrinter(patch: patch, proposal: proposal, output: invocation.output)
        guard !patch.isInForce else {
          try printer.print(.inForce)
          return ((), "Nothing to change in \(patch.document).")
        }
        if apply {
          let statement = "\(printer.change) holds for everybody who uses the app."
          try invocation.confirm(
            statement, yes: yes,
            elseRefuse: CommandError.unconfirmed(statement, hasDryRun: false))
        }
        // Recorded before anything is sent: if the answer is lost, the next call finds the value in
        // force.
        try context.store.write { try $0.record(proposal) }
        guard apply else {
          let file = to ?? opened.workspace.path("data/proposal-\(key.rawValue).json")
          try AtomicFile.write(patch.body, to: file)
          try printer.print(.written, file: file)
          return ((), "Wrote \(file).")
        }
        try await patch.send(reads)
        try printer.print(.sent)
        return ((), "Changed \(patch.document).")
      }
    }

    private static func points(_ text: String) throws -> Double {
      guard let points = SettingProposal.points(parsing: text) else {
        throw ValidationError("Write an expectation like '+5 points', not '\(text)'.")
      }
      return points
    }
  }
}

/// A printer of a proposal's outcome.
private struct ProposalPrinter {
  enum State: String {
    case written, sent
    case inForce = "in-force"
  }

  let patch: SettingsPatch
  let proposal: SettingProposal
  let output: Output

  /// The change: `refresh limit 2 -> 4 in AppSettings/com.app`.
  var change: String {
    let old = VisibleText.line(VisibleText.clipped(patch.oldValue ?? "none", to: 40))
    return "\(proposal.key.descriptor.title) \(old) -> \(proposal.value) in \(patch.document)"
  }

  func print(_ state: State, file: String? = nil) throws {
    try output.remark(
      sentence(state, file), always: true,
      json: .compact([
        "message_type": "setting_proposal", "key": proposal.key, "state": state.rawValue,
        "document": patch.document, "field": patch.field, "oldValue": patch.oldValue,
        "value": proposal.value, "reason": proposal.reason,
        "expectedPoints": proposal.expectedPoints, "file": file,
      ]))
  }

  private func sentence(_ state: State, _ file: String?) -> String {
    switch state {
    case .inForce:
      return "\(proposal.key.descriptor.title) is \(proposal.value) in \(patch.document) already: "
        + "nothing was changed."
    case .written:
      return "\(change): the patch is in \(file ?? ""). Send it as docs/proposals.md says, or run "
        + "the command with --apply."
    case .sent:
      return "\(change): sent. The next run of kind sync-settings sees it, and the limits report "
        + "watches it."
    }
  }
}
