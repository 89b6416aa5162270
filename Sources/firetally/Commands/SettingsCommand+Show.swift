import ArgumentParser
import Jobs
import Model
import Reports
import Store

extension SettingsCommand {
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show every setting in force, and fetched fields that are no settings.",
      discussion: """
        With --verbose, also shows what every source says, strongest first. Lists the conditional \
        values of Remote Config, whose conditions are never evaluated.

        EXAMPLES:
          firetally settings show
        """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let store = try opened.readStore()
      let fetched = try store?.read { try $0.fetchedSettings() } ?? []
      let conditional = try store?.read { try $0.conditionalSettings() } ?? []
      let settings = WorkspaceSettings.inForce(fetched: fetched, config: opened.config)
      let lines = settings.all.map { setting in
        SettingLine(
          setting,
          SettingsRule.offers(
            for: setting.key, fetched: fetched,
            workspace: opened.config.settings.mapValues { String($0) }))
      }
      let unknown = SettingsRule.unknown(fetched)
      if invocation.output.isJSON {
        for line in lines { try invocation.output.show(json: line) }
        for field in unknown { try invocation.output.show(json: UnknownLine(field)) }
        for value in conditional { try invocation.output.show(json: ConditionalLine(value)) }
      } else {
        showTables(lines, unknown, invocation.output)
        SettingsCommand.showTable(conditional, invocation.output)
      }
      if !fetched.contains(where: { $0.source == .appSettings }) {
        invocation.log.warn(
          "No settings document of the app was fetched: \(settings.sourceWords) are in force. "
            + "Fetch it with `firetally settings sync`.")
      }
    }

    private func showTables(
      _ lines: [SettingLine], _ unknown: [FetchedSetting], _ output: Output
    ) {
      var head = ["SETTING", "VALUE", "SOURCE", "FETCHED", "WARNING"]
      if output.isVerbose { head.insert("SAID BY", at: 4) }
      var table = TextTable(head, rightAligned: [1])
      for line in lines {
        var row = [
          line.key.rawValue, line.value.map(String.init) ?? "not limited", line.source.rawValue,
          line.fetchedAt?.iso8601 ?? "-", line.warning ?? "-",
        ]
        if output.isVerbose { row.insert(line.said, at: 4) }
        table.add(row)
      }
      output.show(table.text)
      guard !unknown.isEmpty else { return }
      var others = TextTable(["UNKNOWN FIELD", "VALUE", "SOURCE", "FETCHED"])
      for field in unknown {
        others.add([
          VisibleText.clipped(field.wireName, to: 60), VisibleText.clipped(field.rawValue, to: 60),
          field.source.rawValue, field.fetchedAt.iso8601,
        ])
      }
      output.show("\n" + others.text)
    }
  }

  private static func showTable(_ conditional: [ConditionalSetting], _ output: Output) {
    guard !conditional.isEmpty else { return }
    var table = TextTable(["NOT EVALUATED", "VALUE", "CONDITION", "EXPRESSION"])
    for value in conditional {
      table.add(
        [value.wireName, value.rawValue ?? "-", value.condition, value.expression].map {
          VisibleText.clipped($0, to: 60)
        })
    }
    output.show("\n" + table.text)
  }

  /// A conditional value of Remote Config as JSON.
  private struct ConditionalLine: Encodable {
    let message_type = "conditional_setting"
    let name: String
    let value: String?
    let condition: String
    let expression: String

    init(_ setting: ConditionalSetting) {
      name = setting.wireName
      value = setting.rawValue
      condition = setting.condition
      expression = setting.expression
    }
  }

  /// A setting in force as JSON, with what every source says.
  private struct SettingLine: Encodable {
    struct Said: Encodable {
      let source: SettingSource
      let name: String
      let value: String
      let fetchedAt: Instant?
    }

    let message_type = "setting"
    let key: SettingKey
    /// Nil: not limited.
    let value: Int?
    let source: SettingSource
    let fetchedAt: Instant?
    let warning: String?
    /// The strongest first.
    let saidBy: [Said]

    init(_ setting: EffectiveSetting, _ offers: [SettingOffer]) {
      key = setting.key
      value = setting.value
      source = setting.source
      fetchedAt = setting.fetchedAt
      warning = setting.warning
      saidBy = offers.map {
        Said(source: $0.source, name: $0.name, value: $0.text, fetchedAt: $0.fetchedAt)
      }
    }

    var said: String {
      guard !saidBy.isEmpty else { return "-" }
      return saidBy.map {
        "\($0.source.rawValue): \($0.name) = \(VisibleText.clipped($0.value, to: 40))"
      }.joined(separator: "; ")
    }
  }

  private struct UnknownLine: Encodable {
    let message_type = "unknown_setting"
    let name: String
    let value: String
    let source: SettingSource
    let fetchedAt: Instant

    init(_ field: FetchedSetting) {
      name = field.wireName
      value = field.rawValue
      source = field.source
      fetchedAt = field.fetchedAt
    }
  }
}
