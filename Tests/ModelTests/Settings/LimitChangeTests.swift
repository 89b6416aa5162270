import Fixtures
import Testing

@testable import Model

/// Which changes begin the attempts of what-if: docs/replay.md#changed-limits.
@Suite struct LimitChangeTests {
  private func change(
    _ name: String, _ old: String?, _ new: String?, at seconds: Int,
    _ source: SettingSource = .appSettings
  ) -> SettingChange {
    SettingChange(
      wireName: name, source: source, oldValue: old, newValue: new,
      changedAt: .morning + .seconds(seconds))
  }

  private func found(
    _ changes: [SettingChange], from start: Int? = nil, workspace: [SettingKey: String] = [:]
  ) -> [Instant] {
    let fetched = [
      FetchedSetting(
        wireName: "freeRefreshLimit", rawValue: "5", source: .appSettings, fetchedAt: .morning)
    ]
    return SettingsRule.resolve(fetched: fetched, workspace: workspace).limitChanges(
      among: changes, after: start.map { .morning + .seconds($0) }, before: .morning + .seconds(100)
    ).map(\.changedAt)
  }

  @Test(arguments: [(99, true), (100, false)])
  func `a change counts before the end`(at: Int, counts: Bool) {
    #expect(!found([change("freeRefreshLimit", "2", "5", at: at)]).isEmpty == counts)
  }

  @Test(arguments: [(50, false), (49, true)])
  func `a change counts after the start`(start: Int, counts: Bool) {
    #expect(!found([change("freeRefreshLimit", "2", "5", at: 50)], from: start).isEmpty == counts)
  }

  @Test func `the newest comes first; other settings and first values are no changes`() {
    let changes = [
      change("freeRefreshLimit", "2", "3", at: 1), change("freeRefreshLimit", "3", "5", at: 9),
      change("freeSearchCooldownSeconds", "60", "120", at: 4),
      change("newUserFreePeriodSeconds", "0", "7200", at: 3),
      change("freeFilterLimit", "4", nil, at: 2),
      change("freeRefreshLimit", nil, "2", at: 20), change("maxRatePrompts", "1", "2", at: 30),
      change("other", "1", "2", at: 40),
    ]
    #expect(found(changes) == [9, 4, 3, 2, 1].map { .morning + .seconds($0) })
  }

  @Test func `what a stronger source overrides is no change`() {
    let remote = change("freeRefreshLimit", "2", "9", at: 5, .remoteConfig)
    #expect(found([remote]).isEmpty)
    let app = change("freeRefreshLimit", "2", "5", at: 6)
    #expect(found([remote, app]).count == 1)
    #expect(found([app], workspace: [.refreshLimit: "3"]).isEmpty)
  }
}
