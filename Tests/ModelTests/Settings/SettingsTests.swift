import Testing

@testable import Model

@Suite struct SettingsTests {
  @Test func `a feature is limited only when both its limit and its cooldown have a value`() {
    let settings = Settings([
      EffectiveSetting(key: .refreshLimit, value: 2, source: .builtIn),
      EffectiveSetting(key: .refreshCooldown, value: 120, source: .builtIn),
      EffectiveSetting(key: .messageLimit, value: 5, source: .appSettings),
      EffectiveSetting(key: .messageCooldown, value: nil, source: .builtIn),
    ])
    #expect(settings.limit(of: .refresh) == FeatureLimit(limit: 2, cooldownSeconds: 120))
    #expect(settings.limit(of: .message) == nil)
    #expect(settings.limit(of: .filter) == nil)
  }

  @Test func `settings are listed in the order of their keys, the last value of a key counts`() {
    let settings = Settings([
      EffectiveSetting(key: .staleness, value: 1800, source: .builtIn),
      EffectiveSetting(key: .refreshLimit, value: 2, source: .builtIn),
      EffectiveSetting(key: .refreshLimit, value: 5, source: .appSettings),
    ])
    #expect(settings.all.map(\.key) == [.refreshLimit, .staleness])
    #expect(settings.value(.refreshLimit) == 5)
  }

  @Test func `sources rank from built-in to the workspace's own file`() {
    #expect(SettingSource.allCases.sorted() == [.builtIn, .remoteConfig, .appSettings, .workspace])
    #expect(SettingSource.builtIn < .remoteConfig)
    #expect(!(SettingSource.workspace < .appSettings))
  }
}
