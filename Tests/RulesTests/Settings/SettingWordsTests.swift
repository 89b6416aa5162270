import Model
import Rules
import Testing

@Suite("Settings in words")
struct SettingWordsTests {
  private func change(_ name: String, _ old: String?, _ new: String?) -> SettingChange {
    SettingChange(
      wireName: name, source: .appSettings, oldValue: old, newValue: new,
      changedAt: Instant(unixSeconds: 1_769_846_400))
  }

  @Test("a change reads as a sentence, under the setting's name or the field's own")
  func sentence() {
    #expect(
      change("freeRefreshLimit", "2", "5").sentence
        == "refresh limit 2 -> 5 at 2026-01-31T08:00:00Z")
    #expect(
      change("maxRatePrompts", nil, "5").sentence
        == "rating prompts at most none -> 5 at 2026-01-31T08:00:00Z")
    #expect(
      change("welcome", "Hi", nil).sentence == "welcome Hi -> none at 2026-01-31T08:00:00Z")
  }

  @Test("no two settings have one name")
  func titles() {
    #expect(Set(SettingKey.allCases.map(\.title)).count == SettingKey.allCases.count)
  }
}
