import Testing

@testable import Model

@Suite("Limits around those in force")
struct WhatIfScenarioTests {
  private func neighbours(_ limit: Int, _ cooldown: Int) -> [FeatureLimit?] {
    WhatIfScenario.allCases.map {
      $0.limit(around: FeatureLimit(limit: limit, cooldownSeconds: cooldown))
    }
  }

  @Test func `one fewer, one more, twice as many, half and twice the wait`() {
    #expect(
      neighbours(2, 121).map { $0.map { [$0.limit, $0.cooldownSeconds] } } == [
        [2, 121], [1, 121], [3, 121], [4, 121], [2, 60], [2, 242],
      ])
  }

  @Test func `what would be no limit, or one that is there already, is left out`() {
    #expect(
      neighbours(1, 1).map { $0.map { [$0.limit, $0.cooldownSeconds] } } == [
        [1, 1], nil, [2, 1], nil, nil, [1, 2],
      ])
    #expect(neighbours(2, 2).map { $0 == nil } == [false, false, false, false, false, false])
    #expect(neighbours(2_147_483_647, 2_147_483_647).allSatisfy { $0 != nil })
  }

  @Test func `all limits change together, and nothing else does`() {
    let settings = Settings([
      EffectiveSetting(key: .refreshLimit, value: 2, source: .builtIn),
      EffectiveSetting(key: .refreshCooldown, value: 120, source: .builtIn),
      EffectiveSetting(key: .searchLimit, value: 1, source: .appSettings),
      EffectiveSetting(key: .searchCooldown, value: 60, source: .builtIn),
      EffectiveSetting(key: .messageLimit, value: nil, source: .builtIn),
      EffectiveSetting(key: .newUserFreePeriod, value: 7_200, source: .builtIn),
    ])
    let fewer = WhatIfScenario.oneFewer.settings(around: settings)
    #expect(fewer.all.map(\.value) == [1, 120, 1, 60, nil, 7_200])
    let twice = WhatIfScenario.twiceTheWait.settings(around: settings)
    #expect(twice.all.map(\.value) == [2, 240, 1, 120, nil, 7_200])
    #expect(WhatIfScenario.inForce.settings(around: settings) == settings)
  }
}
