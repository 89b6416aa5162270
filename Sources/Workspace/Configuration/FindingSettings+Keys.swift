import Model
import Reports

extension FindingSettings {
  /// The keys of `findings`, as described in docs/findings.md#settings.
  static let options = OptionKeys(
    FindingSettings(),
    [
      .custom(
        ConfigurationKey(
          "rules",
          .object([
            ConfigurationKey(
              "*", .either([.choice(of: RuleSwitch.self), .object(ruleOptions.table)]),
              names: FindingRule.allCases.map(\.rawValue))
          ]))
      ) { $0.mapping("rules").fillRules(of: &$1) },
      .custom(
        ConfigurationKey(
          "quiet", .list(.either([.pattern(quietForm), .object([ConfigurationKey("*", .text)])])))
      ) { $1.quiet = $0.quietDays() },
    ])

  fileprivate enum RuleSwitch: String, CaseIterable {
    case on, off
  }

  /// The options of a rule that is on: the floor.
  fileprivate static let ruleOptions = OptionKeys<Double?>(
    nil, [.key("floor", \.self, .amount)])

  private static let quietForm =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}( to [0-9]{4}-[0-9]{2}-[0-9]{2})?$"
}

extension MappingReader {
  /// Reads the mapping `findings.rules`.
  fileprivate func fillRules(of settings: inout FindingSettings) {
    refuseOthers(than: FindingRule.allCases.map(\.rawValue))
    for entry in entries where entry.scalar != .null {
      guard let rule = FindingRule(rawValue: entry.name) else { continue }
      switch entry.scalar {
      case .mapping:
        let reader = mapping(entry.name)
        reader.refuseOthers(than: FindingSettings.ruleOptions.table.names)
        settings.floors[rule] = FindingSettings.ruleOptions.read(reader)
        if let floor = reader.entry("floor"), !rule.hasFloor {
          reader.problem(floor, "has no effect: this rule has no floor; it can be on or off")
        }
      case .text(let word) where FindingSettings.RuleSwitch(rawValue: word) != nil:
        if word == FindingSettings.RuleSwitch.off.rawValue { settings.off.insert(rule) }
      default: wrongType(entry, wanted: "on, off or a floor such as {floor: 20}")
      }
    }
  }

  /// Reads the items of `findings.quiet`: days, or days with their reason, `2026-12-24: holidays`.
  fileprivate func quietDays() -> [QuietDays] {
    guard entry("quiet") != nil, let items = items("quiet") else { return [] }
    return items.flatMap { item -> [QuietDays] in
      guard item.scalar == .mapping else {
        guard let text = text(of: item) else { return [] }
        return [quietDays(text, nil, at: item)].compactMap(\.self)
      }
      let reader = mapping(of: item)
      return reader.entries.compactMap { pair in
        let reason = pair.scalar == .null ? nil : reader.text(of: pair)
        return quietDays(pair.name, reason, at: item)
      }
    }
  }

  /// Parses one day, or a range from a first to a last day; problems go to the log.
  private func quietDays(_ text: String, _ reason: String?, at item: Entry) -> QuietDays? {
    let days = text.split(separator: " to ", omittingEmptySubsequences: false)
      .map { CivilDay(iso8601: String($0)) }
    guard days.count <= 2, let first = days[0], let last = days[days.count - 1] else {
      problem(
        item,
        "must be a day or two such as 2026-12-24 or 2026-12-24 to 2026-12-26, not '"
          + "\(text.prefix(60))'")
      return nil
    }
    guard let days = QuietDays(from: first.iso8601, to: last.iso8601, reason: reason) else {
      problem(item, "ends before it begins: '\(text)'")
      return nil
    }
    return days
  }
}
