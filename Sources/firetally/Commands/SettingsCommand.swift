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
          setting,
          candidates: SettingsRule.candidates(
            for: setting.key, fetched: fetched, workspace: workspace)
        )
      }
      let unknown = SettingsRule.unknown(fetched)
      if invocation.output.isJSON {
        for (setting, candidates) in settingsInForce {
          try invocation.output.print(json: Self.line(setting, candidates))
        }
        for line in unknown.map(Self.line) + conditional.map(Self.line) {
          try invocation.output.print(json: line)
        }
      } else {
        printTables(settingsInForce, unknown, opened, invocation.output)
        printTable(conditional, invocation.output)
      }
      if !fetched.contains(where: { $0.source == .appSettings }) {
        invocation.log.warning(
          "No settings document of the app was fetched: \(settings.sourceWords) are in force. "
            + "Fetch it with `firetally settings sync`.")
      }
    }

    private func printTables(
      _ settings: [(EffectiveSetting, candidates: [SettingCandidate])], _ unknown: [FetchedSetting],
      _ opened: OpenWorkspace, _ output: Output
    ) {
      var head = ["SETTING", "VALUE", "SOURCE", "FETCHED", "WARNING"]
      if output.isVerbose { head.insert("SAID BY", at: 4) }
      var table = TextTable(head, rightAligned: [1])
      for (setting, candidates) in settings {
        var row = [
          setting.key.rawValue, setting.value.map(String.init) ?? "not limited",
          setting.source.rawValue, setting.fetchedAt.map(opened.clock) ?? "-",
          setting.warning ?? "-",
        ]
        let said = candidates.map {
          "\($0.source.rawValue): \($0.name) = \(VisibleText.clipped($0.text, to: 40))"
        }
        if output.isVerbose { row.insert(said.isEmpty ? "-" : said.joined(separator: "; "), at: 4) }
        table.add(row)
      }
      output.print(table.text)
      guard !unknown.isEmpty else { return }
      var others = TextTable(["UNKNOWN FIELD", "VALUE", "SOURCE", "FETCHED"])
      for field in unknown {
        others.add([
          VisibleText.clipped(field.wireName, to: 60), VisibleText.clipped(field.rawValue, to: 60),
          field.source.rawValue, opened.clock(field.fetchedAt),
        ])
      }
      output.print("\n" + others.text)
    }

    private func printTable(_ conditional: [ConditionalSetting], _ output: Output) {
      guard !conditional.isEmpty else { return }
      var table = TextTable(["NOT EVALUATED", "VALUE", "KIND", "CONDITION", "EXPRESSION"])
      for value in conditional {
        table.add(
          [
            value.wireName, value.rawValue ?? "-", value.kindWords ?? "condition",
            value.condition.isEmpty ? "-" : value.condition,
            value.expression.isEmpty ? "-" : value.expression,
          ].map { VisibleText.clipped($0, to: 60) })
      }
      output.print("\n" + table.text)
    }

    /// Returns a setting in force with the values of all sources, the strongest first; without a
    /// value there is no limit.
    private static func line(
      _ setting: EffectiveSetting, _ candidates: [SettingCandidate]
    ) -> JSONObject {
      let said = candidates.map { candidate in
        JSONObject.compact([
          "source": candidate.source, "name": candidate.name, "value": candidate.text,
          "fetchedAt": candidate.fetchedAt,
        ])
      }
      return .compact([
        "message_type": "setting", "key": setting.key, "value": setting.value,
        "source": setting.source, "fetchedAt": setting.fetchedAt, "warning": setting.warning,
        "saidBy": said,
      ])
    }

    private static func line(_ value: ConditionalSetting) -> JSONObject {
      .compact([
        "message_type": "conditional_setting", "name": value.wireName, "value": value.rawValue,
        "kind": value.kind, "percent": value.percent,
        "condition": value.condition.isEmpty ? nil : value.condition,
        "expression": value.expression,
      ])
    }

    private static func line(_ field: FetchedSetting) -> JSONObject {
      [
        "message_type": "unknown_setting", "name": field.wireName, "value": field.rawValue,
        "source": field.source, "fetchedAt": field.fetchedAt,
      ]
    }
  }
}
