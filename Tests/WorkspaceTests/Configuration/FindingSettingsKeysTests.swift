import Testing

@testable import Workspace
@testable import Model

/// `findings` in `firetally.yml`: docs/findings.md#settings.
struct FindingSettingsKeysTests {
  private static let app = "app: {name: ChatHub, bundle_id: com.peppty.ChatApp}\n"

  private func messages(_ text: String) -> [String] {
    do {
      _ = try WorkspaceConfig(
        parsing: SourceFile(path: "firetally.yml", text: Self.app + text))
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test func `rules, floors and quiet days are read, and nothing is off without them`() throws {
    let text = """
      findings:
        rules:
          dead: {floor: 20}
          one-rater: {floor: 2.5}
          region: off
          day: on
          week:
        quiet:
          - 2026-12-24 to 2026-12-26: holidays
          - 2026-11-03
          - "2026-11-05"
          - 2026-11-07 to 2026-11-08
      """
    let findings = try WorkspaceConfig(
      parsing: SourceFile(path: "firetally.yml", text: Self.app + text)
    ).findings
    #expect(findings.off == [.region])
    #expect(findings.floors == [.dead: 20, .oneRater: 2.5])
    #expect(
      findings.quiet.map(\.first) == ["2026-12-24", "2026-11-03", "2026-11-05", "2026-11-07"])
    #expect(findings.quiet.map(\.last) == ["2026-12-26", "2026-11-03", "2026-11-05", "2026-11-08"])
    #expect(findings.quiet.map(\.reason) == ["holidays", nil, nil, nil])
    let none = try WorkspaceConfig(parsing: SourceFile(path: "firetally.yml", text: Self.app))
    #expect(none.findings == FindingSettings())
  }

  @Test(arguments: FindingRule.allCases)
  func `some rules have no floor, and a floor is refused of these alone`(rule: FindingRule) {
    let without: Set<FindingRule> = [
      .partialExport, .hoursMoved, .doubled, .stars, .settingEffect, .values, .shares,
    ]
    let found = messages("findings:\n  rules: {\(rule.rawValue): {floor: 0.5}}\n")
    #expect(found.isEmpty != without.contains(rule), "\(found)")
  }

  @Test(arguments: [
    (
      "rules: {stars: {floor: 3}}",
      "findings.rules.stars.floor: has no effect: this rule has no floor; it can be on or off"
    ),
    ("rules: {regoin: off}", "findings.rules.regoin: unknown key. Did you mean 'region'?"),
    (
      "rules: {region: never}",
      "findings.rules.region: must be on, off or a floor such as {floor: 20}, not the text 'never'"
    ),
    (
      "rules: {region: 20}",
      "findings.rules.region: must be on, off or a floor such as {floor: 20}, not the integer 20"
    ),
    (
      "rules: {region: {floor: -1}}",
      "findings.rules.region.floor: must be a number, zero or more, not the integer -1"
    ),
    (
      "rules: {region: {flor: 1}}",
      "findings.rules.region.flor: unknown key. Did you mean 'floor'?"
    ),
    (
      "quiet: [2026-11-31]",
      "findings.quiet[0]: must be a day or two such as 2026-12-24 or 2026-12-24 to 2026-12-26, not "
        + "'2026-11-31'"
    ),
    (
      "quiet: [2026-11-30, {tomorrow: why}]",
      "findings.quiet[1]: must be a day or two such as 2026-12-24 or 2026-12-24 to 2026-12-26, not "
        + "'tomorrow'"
    ),
    (
      "quiet: [2026-11-03 to 2026-11-02]",
      "findings.quiet[0]: ends before it begins: '2026-11-03 to 2026-11-02'"
    ),
    (
      "quiet: []", "findings.quiet: must not be an empty list; leave the key out instead"
    ),
    ("silent: []", "findings.silent: unknown key."),
  ])
  func `what is wrong is told with its line and key`(line: String, message: String) throws {
    let found = messages("findings:\n  \(line)\n")
    #expect(found.count == 1)
    let text = try #require(found.first)
    #expect(text.hasPrefix("firetally.yml:3:") && text.hasSuffix(": \(message)"), "\(text)")
  }
}
