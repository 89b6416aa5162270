import Testing

@testable import Model

/// What the owner decides about findings: docs/findings.md#settings.
@Suite struct FindingSettingsTests {
  @Test(arguments: [
    ("2026-12-23", false), ("2026-12-24", true), ("2026-12-25", true), ("2026-12-26", true),
    ("2026-12-27", false), ("2025-12-25", false), ("2026-11-02", false), ("2026-11-03", true),
    ("2026-11-04", false),
  ])
  func `quiet days are from the first to the last, both included`(day: String, isQuiet: Bool) {
    var settings = FindingSettings()
    settings.quiet = [
      QuietDays(from: "2026-12-24", to: "2026-12-26", reason: "holidays"),
      QuietDays(from: "2026-11-03", to: "2026-11-03"),
    ].compactMap(\.self)
    #expect(settings.quiet.count == 2)
    #expect(settings.isQuiet(day) == isQuiet)
    #expect(!FindingSettings().isQuiet(day))
  }

  @Test func `days that end before they begin are none`() {
    #expect(QuietDays(from: "2026-12-24", to: "2026-12-23") == nil)
    #expect(QuietDays(from: "2027-01-01", to: "2026-12-31") == nil)
  }

  @Test(arguments: FindingRule.allCases)
  func `a rule is on, with its own floor, unless the owner says otherwise`(rule: FindingRule) {
    var settings = FindingSettings()
    #expect(settings.isOn(rule) && settings.floor(of: rule, own: 7) == 7)
    settings.off = [rule]
    settings.floors = [rule: 0]
    #expect(!settings.isOn(rule) && settings.floor(of: rule, own: 7) == 0)
    for other in FindingRule.allCases where other != rule {
      #expect(settings.isOn(other) && settings.floor(of: other, own: 7) == 7)
    }
  }

  private static let made = Instant(unixSeconds: 1_795_996_800)

  @Test(
    arguments: [
      (0.0, "2026-11-30", "2026-12-01", true), (0, "2026-12-01", "2026-12-01", false),
      (0, "2026-12-02", "2026-12-01", false), (0, "2026-12-02", nil, true),
      (-0.000_001, "2026-11-30", "2026-12-01", false), (-0.000_001, "2026-11-30", nil, false),
    ] as [(Double, String, String?, Bool)])
  func `an acknowledgement lasts from its instant up to its day`(
    seconds: Double, day: String, until: String?, isInForce: Bool
  ) {
    let acknowledgement = Acknowledgement(id: "a", at: Self.made, until: until)
    #expect(
      acknowledgement.isInForce(at: Self.made + .seconds(seconds), on: day) == isInForce)
  }
}
