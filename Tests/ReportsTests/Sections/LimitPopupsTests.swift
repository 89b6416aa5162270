import ReportsTesting
import Testing

@testable import Model
@testable import Reports
@testable import Store

@Suite struct LimitPopupsTests {
  private func galleries(_ data: LimitsData) -> [PopupGallery] {
    LimitPopups.section(data, context: SampleReports.context).blocks.compactMap { block in
      if case .popups(let gallery) = block { gallery } else { nil }
    }
  }

  private func data(limit: Int, cooldown: Int) -> LimitsData {
    var data = SampleReports.limits
    data.settings = Settings([
      EffectiveSetting(key: .filterLimit, value: limit, source: .builtIn),
      EffectiveSetting(key: .filterCooldown, value: cooldown, source: .builtIn),
    ])
    data.profiles = []
    return data
  }

  @Test
  func `each limited feature has its states, the real one first, under the limits in force`() throws
  {
    let galleries = galleries(SampleReports.limits)
    #expect(galleries.map(\.id) == ["refresh-popup", "filter-popup", "no-popup"])
    #expect(
      galleries[0].previews.map(\.state) == [
        "now", "full", "one-left", "wait-begins", "waiting", "wait-ends",
      ])
    #expect(galleries.flatMap(\.previews).filter(\.isReal).count == 2)
    #expect(text(galleries[0], \.remainingText) == ["2 left", "5 left", "1 left", nil, nil, nil])
    #expect(
      text(galleries[1], \.timeLeftText) == [
        "Time remaining: 1:20", nil, nil, "Time remaining: 2:00", "Time remaining: 1:00",
        "Time remaining: 0:02",
      ])
    #expect(text(galleries[1], \.price) == Array(repeating: "$2.99/week", count: 6))
  }

  private func text(_ gallery: PopupGallery, _ part: (Popup) -> String?) -> [String?] {
    gallery.previews.map { preview in
      if case .limit(let popup, _) = preview.picture { part(popup) } else { nil }
    }
  }

  @Test(arguments: [
    (1, 1, ["full", "wait-begins"]), (1, 2, ["full", "wait-begins"]),
    (1, 3, ["full", "wait-begins", "wait-ends"]), (1, 4, ["full", "wait-begins", "wait-ends"]),
    (1, 5, ["full", "wait-begins", "waiting", "wait-ends"]),
    (2, 2, ["full", "one-left", "wait-begins"]),
  ])
  func `states that would look alike are shown once`(limit: Int, cooldown: Int, expected: [String])
  {
    #expect(galleries(data(limit: limit, cooldown: cooldown))[0].previews.map(\.state) == expected)
  }

  @Test
  func `at the limit the real popup is the one that the next tap opens, with the whole wait`()
    throws
  {
    var data = SampleReports.limits
    data.profiles[0].states[.filter] = LimitState(usage: 2)
    #expect(text(galleries(data)[1], \.timeLeftText).first == "Time remaining: 2:00")
  }

  @Test
  func `the page says why there is no popup: subscribers, new users, users just reset`() throws {
    var data = SampleReports.limits
    data.profiles[0].profile.tier = .plus
    let real = try #require(galleries(data)[0].previews.first)
    #expect(real.picture == .nothing("Subscribed (plus): limits do not apply."))
    data.profiles[0].profile.tier = .free
    data.profiles[0].states[.filter] = LimitState(
      usage: 2, cooldownStartedAt: SampleReports.context.now - .seconds(119))
    let reset = try #require(galleries(data)[1].previews.first)
    #expect(reset.picture == .nothing("0 of 2 used, just reset: may proceed at once."))
    #expect(galleries(data)[2].previews.map(\.state) == ["subscriber", "new-user"])
  }

  @Test func `the profile's own price wins over the workspace's`() {
    var data = SampleReports.limits
    data.profiles[0].profile.price = "1,99 €"
    #expect(Set(text(galleries(data)[0], \.price)) == ["1,99 €"])
  }
}
