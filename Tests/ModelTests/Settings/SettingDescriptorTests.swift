import Fixtures
import Model
import Testing

@Suite struct SettingDescriptorTests {
  @Test func `each setting has one row, under its own key and in the order of the keys`() {
    #expect(SettingDescriptor.all.map(\.key) == SettingKey.allCases)
    for key in SettingKey.allCases { #expect(key.descriptor.key == key) }
  }

  @Test func `no two settings have one title or one wire name`() {
    #expect(Set(SettingDescriptor.all.map(\.title)).count == SettingKey.allCases.count)
    let names = SettingDescriptor.all.flatMap(\.wireNames)
    #expect(Set(names).count == names.count)
    for setting in SettingDescriptor.all {
      #expect(!setting.wireNames.isEmpty)
      for name in setting.wireNames { #expect(SettingKey(wireName: name) == setting.key) }
    }
    #expect(SettingKey(wireName: "refresh.limit") == nil)
  }

  @Test func `each feature has its own two keys, the limit before the cooldown`() {
    let keys = Feature.allCases.flatMap { [$0.limitKey, $0.cooldownKey] }
    #expect(keys == Array(SettingKey.allCases.prefix(keys.count)))
    for feature in Feature.allCases {
      #expect(feature.limitKey.rawValue == "\(feature.rawValue).limit")
      #expect(feature.cooldownKey.rawValue == "\(feature.rawValue).cooldown")
    }
  }
}

@Suite struct SettingChangeTests {
  private func change(_ name: String, _ old: String?, _ new: String?) -> SettingChange {
    SettingChange(
      wireName: name, source: .appSettings, oldValue: old, newValue: new,
      changedAt: Instant.morning)
  }

  @Test func `a change reads as a sentence, under the setting's name or the field's own`() {
    #expect(
      change("freeRefreshLimit", "2", "5").sentence
        == "refresh limit 2 -> 5 at 2026-01-31T08:00:00Z")
    #expect(
      change("maxRatePrompts", nil, "5").sentence
        == "rating prompts at most none -> 5 at 2026-01-31T08:00:00Z")
    #expect(
      change("welcome", "Hi", nil).sentence == "welcome Hi -> none at 2026-01-31T08:00:00Z")
  }
}
