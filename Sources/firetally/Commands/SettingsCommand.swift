import ArgumentParser
import Jobs
import Model
import Reports
import Store
import Workspace

struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show and fetch the app's settings, and propose changes.",
    group: [Show.self, History.self, Sync.self, Propose.self])

  struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "history", abstract: "List changes of the fetched settings, newest first.",
      examples: ["firetally settings history"])

    @OptionGroup var global: GlobalOptions

    @OptionGroup var count: CountOption

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readStore()
      let changes = try store?.read { try $0.settingChanges(limit: count.fetched) } ?? []
      for change in changes.prefix(count.limit) {
        let sentence = VisibleText.line(VisibleText.clipped(change.sentence, to: 400))
        try invocation.output.print(
          "\(sentence) (\(change.source.rawValue))",
          json: .compact([
            // The key is missing for a field that belongs to no setting.
            "message_type": "setting_change", "key": SettingKey(wireName: change.wireName),
            "wireName": change.wireName, "source": change.source, "oldValue": change.oldValue,
            "newValue": change.newValue, "changedAt": change.changedAt,
          ]))
      }
      count.printMore(of: changes, on: invocation.output)
      if changes.isEmpty { invocation.output.remark("No setting was fetched yet.") }
    }
  }

  struct Sync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sync", abstract: "Fetch the settings now.",
      discussion: """
        Runs the workspace's job of kind sync-settings.
        """,
      examples: ["firetally settings sync"])

    @OptionGroup var global: GlobalOptions

    @OptionGroup var turn: LockOptions

    func run() async throws {
      let (invocation, opened) = try global.openWorkspace(runsHooks: true)
      let catalog = try opened.workspace.jobs()
      let (job, _) = try catalog.first(SyncSettingsOptions.self, orThrow: .noSettingsJob)
      let store = try opened.store()
      let context = try invocation.context(opened, store: store, catalog: catalog)
      let printer = RunPrinter(invocation, store: store)
      let scheduler = invocation.scheduler(
        context, opened, lock: invocation.lockRequest(turn), printer)
      try printer.end(try await scheduler.run(job, trigger: .manual))
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show every setting in force, and fetched fields that are not settings.",
      discussion: """
        With --verbose, also shows the value of every source, strongest first. Lists the \
        conditional values of Remote Config, and the values that Firebase manages (rollouts, \
        experiments, personalizations). Firetally never evaluates these.
        """,
      examples: ["firetally settings show"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let store = try opened.readStore()
      let fetched = try store?.read { try $0.fetchedSettings() } ?? []
      let conditional = try store?.read { try $0.conditionalSettings() } ?? []
      let settings = WorkspaceSettings.inForce(fetched: fetched, config: opened.config)
      let workspace = opened.config.settings.mapValues { String($0) }
      let settingsInForce = settings.all.map { setting in
        (
          setting: setting,
          candidates: SettingsRule.candidates(
            for: setting.key, fetched: fetched, workspace: workspace)
        )
      }
      let output = invocation.output
      try output.print(
        settingsInForce, as: "setting", isCompact: true,
        Self.columns(opened, isVerbose: output.isVerbose))
      try print(
        SettingsRule.unknown(fetched), as: "unknown_setting", Self.unknownColumns(opened), output)
      try print(
        conditional, as: "conditional_setting", isCompact: true, Self.conditionalColumns, output)
      if !fetched.contains(where: { $0.source == .appSettings }) {
        invocation.log.warning(
          "No settings document of the app was fetched: \(settings.sourceWords) are in force. "
            + "Fetch it with `firetally settings sync`.")
      }
    }

    /// Prints a further list, if there is one.
    private func print<Row>(
      _ rows: [Row], as type: String, isCompact: Bool = false, _ columns: [OutputColumn<Row>],
      _ output: Output
    ) throws {
      guard !rows.isEmpty else { return }
      if !output.isJSON { output.print("") }
      try output.print(rows, as: type, isCompact: isCompact, columns)
    }

    /// A setting in force with the values of all sources, the strongest first; without a value
    /// there is no limit.
    private static func columns(
      _ opened: OpenWorkspace, isVerbose: Bool
    ) -> [OutputColumn<(setting: EffectiveSetting, candidates: [SettingCandidate])>] {
      [
        OutputColumn("SETTING", "key") { $0.setting.key.rawValue },
        OutputColumn("VALUE", "value", isNumber: true, none: "not limited") { $0.setting.value },
        OutputColumn("SOURCE", "source") { $0.setting.source.rawValue },
        .time("FETCHED", "fetchedAt", words: opened.clock) { $0.setting.fetchedAt },
        isVerbose
          ? OutputColumn(
            "SAID BY", "saidBy", value: { $0.candidates.map(\.members) },
            cell: {
              $0.candidates.isEmpty ? nil : $0.candidates.map(\.words).joined(separator: "; ")
            })
          : .members { ["saidBy": $0.candidates.map(\.members)] },
        OutputColumn("WARNING", "warning") { $0.setting.warning },
      ]
    }

    private static func unknownColumns(_ opened: OpenWorkspace) -> [OutputColumn<FetchedSetting>] {
      [
        .clipped("UNKNOWN FIELD", "name") { $0.wireName },
        .clipped("VALUE", "value") { $0.rawValue },
        OutputColumn("SOURCE", "source") { $0.source.rawValue },
        .time("FETCHED", "fetchedAt", words: opened.clock) { $0.fetchedAt },
      ]
    }

    private static var conditionalColumns: [OutputColumn<ConditionalSetting>] {
      [
        .clipped("NOT EVALUATED", "name") { $0.wireName },
        .clipped("VALUE", "value") { $0.rawValue },
        OutputColumn(
          "KIND", "kind", value: { $0.kind },
          cell: { VisibleText.clipped($0.kindWords ?? "condition", to: 60) }),
        .clipped("CONDITION", "condition") { $0.condition.isEmpty ? nil : $0.condition },
        OutputColumn(
          "EXPRESSION", "expression", value: { $0.expression },
          cell: { $0.expression.isEmpty ? nil : VisibleText.clipped($0.expression, to: 60) }),
        .members { ["percent": $0.percent] },
      ]
    }
  }
}

extension OutputColumn {
  /// Returns a column of texts, which people get without what is too long.
  fileprivate static func clipped(
    _ heading: String, _ member: String, _ value: @escaping (Row) -> String?
  ) -> OutputColumn {
    OutputColumn(heading, member, value: value) {
      value($0).map { VisibleText.clipped($0, to: 60) }
    }
  }
}

extension SettingCandidate {
  fileprivate var words: String {
    "\(source.rawValue): \(name) = \(VisibleText.clipped(text, to: 40))"
  }

  fileprivate var members: JSONObject {
    .compact(["source": source, "name": name, "value": text, "fetchedAt": fetchedAt])
  }
}
