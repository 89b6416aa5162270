import Testing

@testable import Model

@Suite("Comparing settings")
struct WhatIfComparisonTests {
  private static let seeds: [UInt64] = Array(1...20)

  private static func settings(_ values: [SettingKey: String] = [:]) -> Settings {
    SettingsRule.resolve(fetched: [], workspace: values)
  }

  private func use(_ seconds: Int, _ feature: Feature = .refresh) -> LimitAttempt {
    LimitAttempt(at: Attempt.start + .seconds(seconds), feature: feature, action: .use)
  }

  @Test func `attempts, performed, blocked and popups are counted under each of the settings`() {
    var comparison = WhatIfComparison([
      Self.settings(), Self.settings([.refreshLimit: "1"]), Self.settings([.refreshLimit: "3"]),
    ])
    for second in 0..<3 { comparison.decide(use(second), of: 0) }
    #expect(comparison.totals(of: .refresh).attempts == 3)
    let figures = (0..<3).map { comparison.figures($0, of: .refresh) }
    #expect(figures.map(\.performed) == [2, 1, 3])
    #expect(figures.map(\.blocked) == [1, 2, 0])
    #expect(figures.map(\.popups) == [3, 3, 3])
    #expect(figures.map(\.usersBlocked) == [1, 1, 0])
    #expect(figures.map(\.usersAffected) == [0, 1, 1])
  }

  @Test func `a tap is kept where its attempt shows a popup, and lost where it shows none`() {
    // The cooldown of 1 s is over at once: the third use acts without a popup.
    var comparison = WhatIfComparison([
      Self.settings(), Self.settings([.refreshLimit: "1", .refreshCooldown: "1"]),
    ])
    comparison.tapSubscription(.refresh, of: 0)
    for second in 0..<3 { comparison.decide(use(second), of: 0) }
    comparison.tapSubscription(.refresh, of: 0)
    comparison.tapSubscription(.refresh, of: 0)
    comparison.tapSubscription(.filter, of: 0)
    comparison.tapSubscription(.refresh, of: 1)
    #expect(comparison.totals(of: .refresh).subscriptionTaps == 2)
    #expect(comparison.totals(of: .refresh).tapsWithoutAttempt == 2)
    #expect(comparison.totals(of: .filter).tapsWithoutAttempt == 1)
    #expect(comparison.totals(of: nil).tapsWithoutAttempt == 3)
    #expect(comparison.figures(0, of: .refresh).subscriptionTapsKept == 2)
    #expect(comparison.figures(0, of: .refresh).subscriptionTapsLost == 0)
    #expect(comparison.figures(1, of: .refresh).subscriptionTapsKept == 0)
    #expect(comparison.figures(1, of: .refresh).subscriptionTapsLost == 2)
  }

  @Test
  func `a tap on a popup of one user is none of another's, whose number is higher or lower`() {
    var comparison = WhatIfComparison([Self.settings()])
    comparison.decide(use(0), of: 5)
    comparison.tapSubscription(.refresh, of: 4)
    comparison.tapSubscription(.refresh, of: 6)
    comparison.tapSubscription(.search, of: 5)
    #expect(comparison.totals(of: nil).subscriptionTaps == 0)
    #expect(comparison.totals(of: nil).tapsWithoutAttempt == 3)
  }

  @Test
  func `a user of two features is one user of all, and features without attempts are left out`() {
    var comparison = WhatIfComparison([Self.settings(), Self.settings([.refreshLimit: "1"])])
    for second in 0..<2 {
      comparison.decide(use(second), of: 0)
      comparison.decide(use(second, .filter), of: 0)
      comparison.decide(use(second, .filter), of: 3)
    }
    #expect(comparison.features == [.refresh, .filter])
    #expect(comparison.totals(of: .refresh).users == 1)
    #expect(comparison.totals(of: .filter).users == 2)
    #expect(comparison.totals(of: nil).users == 2)
    #expect(comparison.figures(1, of: .refresh).usersAffected == 1)
    #expect(comparison.figures(1, of: .filter).usersAffected == 0)
    #expect(comparison.figures(1, of: nil).usersAffected == 1)
    #expect(comparison.figures(0, of: nil).usersAffected == 0)
  }

  @Test func `no attempts: no features, and zeros`() {
    let comparison = WhatIfComparison([Self.settings()])
    #expect(comparison.features == [])
    #expect(comparison.totals(of: nil) == WhatIfTotals())
    #expect(comparison.figures(0, of: nil) == WhatIfFigures())
  }

  @Test func `what came before the counting fills the states, and is in no figure`() {
    var comparison = WhatIfComparison([Self.settings(), Self.settings([.refreshLimit: "3"])])
    for second in 0..<2 { comparison.decide(use(second), of: 0) }
    comparison.tapSubscription(.refresh, of: 1)
    comparison.beginCounting()
    #expect(comparison.totals(of: nil) == WhatIfTotals())
    #expect(comparison.figures(0, of: nil) == WhatIfFigures())
    // A tap belongs to the popup of an attempt before, which is no attempt of the time.
    comparison.tapSubscription(.refresh, of: 0)
    #expect(comparison.totals(of: .refresh).subscriptionTaps == 1)
    #expect(comparison.figures(0, of: .refresh).subscriptionTapsKept == 1)
    #expect(comparison.totals(of: .refresh).users == 0)
    comparison.decide(use(2), of: 0)
    #expect((0..<2).map { comparison.figures($0, of: .refresh).blocked } == [1, 0])
    #expect(comparison.totals(of: .refresh).users == 1)
    comparison.tapSubscription(.refresh, of: 1)
    #expect(comparison.totals(of: .refresh).tapsWithoutAttempt == 1)
  }

  @Test(arguments: seeds)
  func `settings equal to those in force differ in nothing, and affect nobody`(seed: UInt64) {
    var comparison = WhatIfComparison([Self.settings(), Self.settings([.refreshLimit: "2"])])
    for (attempt, user) in LimitReplayTests.attempts(seed: seed) {
      comparison.decide(attempt, of: user)
      if seed.isMultiple(of: 2) { comparison.tapSubscription(attempt.feature, of: user) }
    }
    for feature in Feature.allCases.map(Optional.some) + [nil] {
      let inForce = comparison.figures(0, of: feature)
      #expect(inForce.usersAffected == 0, "seed \(seed)")
      #expect(comparison.figures(1, of: feature) == inForce, "seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func `whatever the settings, every attempt is let through or blocked`(seed: UInt64) {
    var comparison = WhatIfComparison([Self.settings(), Self.settings([.filterLimit: "5"])])
    var blocked = 0
    var replay = LimitReplay(settings: Self.settings())
    for (attempt, user) in LimitReplayTests.attempts(seed: seed) {
      comparison.decide(attempt, of: user)
      if !replay.decide(attempt, of: user).canProceed { blocked += 1 }
    }
    #expect(comparison.figures(0, of: nil).blocked == blocked, "seed \(seed)")
    #expect(comparison.totals(of: nil).attempts == 400, "seed \(seed)")
  }
}
