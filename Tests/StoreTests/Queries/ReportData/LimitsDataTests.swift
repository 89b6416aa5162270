import Fixtures
import StoreTesting
import Testing

@testable import Model
@testable import Store

@Suite struct LimitsDataTests {
  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func data(profile: String = Profile.defaultName) throws -> LimitsData {
    try store.read {
      try $0.limitsData(
        settings: Settings([]), price: nil, changes: 5, profile: profile, now: .morning)
    }
  }

  @Test func `the chosen profile is there, saved or not, and the default one is first`() throws {
    #expect(try data().profiles.map(\.profile.name) == ["default"])
    try store.write { writer in
      try writer.save(Profile(name: "anna"))
      try writer.setLimitState(.initial, profile: "default", feature: .refresh)
    }
    let data = try data(profile: "zoe")
    #expect(data.profiles.map(\.profile.name) == ["default", "anna", "zoe"])
    #expect(data.chosen?.profile == Profile(name: "zoe"))
    #expect(try store.read { try $0.profileNames() } == ["default", "anna"])
  }

  @Test func `moments are counted by the profile's own day, without the rejected ones`() throws {
    let today = LocalDay(of: .morning, in: "Asia/Tokyo")
    try store.write { writer in
      try writer.save(Profile(name: "kei", timeZone: "Asia/Tokyo"))
      for at in [
        today.start - .microseconds(1), today.start, today.end - .microseconds(1), today.end,
        today.start - .seconds(40 * 86_400),
      ] {
        _ = try writer.enqueue(.moment, profile: "kei", payload: "{}", at: at)
      }
      let rejected = try writer.enqueue(.moment, profile: "kei", payload: "{}", at: .morning)
      try writer.markSending(id: rejected, at: .morning)
      try writer.reject(id: rejected, reason: "no")
      _ = try writer.enqueue(.feedback, profile: "kei", payload: "{}", at: .morning)
      try writer.setReachedMomentLimits(
        ReachedMomentLimits(isTotalLimitReached: true), profile: "kei")
    }
    let moments = try data().profiles.map(\.moments)
    #expect(moments[0] == LimitsData.MomentUsage(today: LocalDay(of: .morning, in: "UTC")))
    #expect(
      moments[1]
        == LimitsData.MomentUsage(
          today: today, countToday: 2, countTotal: 5,
          reached: ReachedMomentLimits(isTotalLimitReached: true)))
  }
}
