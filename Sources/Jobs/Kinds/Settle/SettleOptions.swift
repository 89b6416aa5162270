/// How a job of kind `settle` works; see `docs/jobs/settle.md`.
package struct SettleOptions: JobDefinition {
  package static let kind = JobKind("settle")

  /// Told of each allowance that is back; nil tells nobody.
  package var onReset: Hook?

  static let resetKey = "on_reset"

  package static let options = OptionKeys(
    SettleOptions(),
    [
      .custom(ConfigurationKey(resetKey, .object(Hook.keys))) { reader, options in
        options.onReset = reader.hook(resetKey)
      }
    ])

  package var hooks: [String: Hook] {
    onReset.map { [Self.resetKey: $0] } ?? [:]
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SettleWork(self, context)
  }
}

extension SettleOptions {
  package static var template: WorkspaceTemplate.File? {
    WorkspaceTemplate.File(path: "jobs/settle.yml", text: jobFile)
  }

  private static let jobFile = """
    # Records when cooldowns ended that nobody asked about since, with the time at which they
    # ended, and tells you of it. Makes no request.
    kind: settle
    description: Ends of cooldowns, for the ledger
    schedule: "4-59/5 * * * *"
    timeout: 5m

    # Once for each profile and feature whose free uses are back:
    # on_reset:
    #   command: echo "$FIRETALLY_PROFILE, $FIRETALLY_MESSAGE" | mail -s firetally you@example.com

    """
}
