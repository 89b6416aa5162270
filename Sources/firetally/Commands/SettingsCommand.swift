import ArgumentParser
import Jobs
import Model
import Reports
import Store

struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show and fetch the app's settings: values, sources and changes.",
    subcommands: [Show.self, History.self, Sync.self])

  struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "history", abstract: "List changes of the fetched settings, newest first.",
      discussion: """
        EXAMPLES:
          firetally settings history
        """)

    @OptionGroup var global: GlobalOptions

    @Option(help: "How many, 1 to 10000.")
    var limit = 20

    func validate() throws {
      guard (1...10_000).contains(limit) else {
        throw ValidationError("--limit takes 1 to 10000.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readStore()
      let changes = try store?.read { try $0.settingChanges(limit: limit) } ?? []
      for change in changes {
        if invocation.output.isJSON {
          try invocation.output.show(json: ChangeLine(change))
        } else {
          let sentence = VisibleText.clipped(change.sentence, to: 400)
          invocation.output.show("\(VisibleText.line(sentence)) (\(change.source.rawValue))")
        }
      }
      if changes.isEmpty { invocation.output.remark("No setting was fetched yet.") }
    }
  }

  struct Sync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sync", abstract: "Fetch the settings now.",
      discussion: """
        Runs the workspace's job of kind sync-settings.

        EXAMPLES:
          firetally settings sync
        """)

    @OptionGroup var global: GlobalOptions

    @OptionGroup var turn: LockOptions

    func run() async throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let catalog = try opened.workspace.jobs()
      let (job, _) = try catalog.first(SyncSettingsOptions.self, orThrow: .noSettingsJob)
      let store = try opened.store()
      let context = try invocation.context(opened, store: store, catalog: catalog)
      let printer = RunPrinter(invocation, store: store)
      let reports =
        try await invocation
        .engine(context, opened, lock: invocation.lockRequest(turn), printer).run(
          job, trigger: .manual)
      try printer.end(reports)
    }
  }

  private struct ChangeLine: Encodable {
    let message_type = "setting_change"
    /// Nil for a field that belongs to no setting.
    let key: SettingKey?
    let wireName: String
    let source: SettingSource
    let oldValue: String?
    let newValue: String?
    let changedAt: Instant

    init(_ change: SettingChange) {
      key = SettingKey(wireName: change.wireName)
      wireName = change.wireName
      source = change.source
      oldValue = change.oldValue
      newValue = change.newValue
      changedAt = change.changedAt
    }
  }
}
