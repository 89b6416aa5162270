import ArgumentParser
import Jobs
import Model
import Reports
import Rules
import Store

struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "The app's settings: what is in force, where it came from, how it changed.",
    subcommands: [Show.self, History.self, Sync.self])

  struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "history", abstract: "Say how the fetched settings changed, newest first.")

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
      let store = try invocation.desk().readStore()
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
      discussion: "Does what `run` does with the workspace's job of kind sync-settings.")

    @OptionGroup var global: GlobalOptions

    @OptionGroup var turn: LockOptions

    func run() async throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let jobs = try desk.workspace.jobs()
      guard let job = jobs.first(where: { $0.kind.name == .syncSettings }) else {
        throw JobsError.noSettingsJob
      }
      let store = try desk.store()
      let context = try invocation.context(desk, store: store, jobs: jobs)
      let lock = try await invocation.lock(desk, store: store, wait: turn.wait)
      defer { lock.release() }
      let runner = JobRunner(
        context, hooks: invocation.hooks(desk), sleep: { try await Task.sleep(for: $0) })
      let printer = RunPrinter(invocation)
      try printer.end(try await runner.run([job], trigger: .manual) { printer.show($0) })
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
      key = SettingsRule.key(named: change.wireName)
      wireName = change.wireName
      source = change.source
      oldValue = change.oldValue
      newValue = change.newValue
      changedAt = change.changedAt
    }
  }
}
