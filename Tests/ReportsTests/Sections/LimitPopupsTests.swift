import Model
import Rules
import Testing

@testable import Reports

@Suite struct LimitPopupsTests {
  private func galleries(_ facts: LimitsFacts) -> [PopupGallery] {
    LimitPopups.section(facts, frame: SampleFacts.frame).blocks.compactMap { block in
      if case .popups(let gallery) = block { gallery } else { nil }
    }
  }

  private func facts(limit: Int, cooldown: Int) -> LimitsFacts {
    var facts = SampleFacts.limits
    facts.settings = Settings([
      EffectiveSetting(key: .filterLimit, value: limit, source: .builtIn),
      EffectiveSetting(key: .filterCooldown, value: cooldown, source: .builtIn),
    ])
    facts.profiles = []
    return facts
  }

  @Test("each limited feature has its states, the real one first, under the limits in force")
  func states() throws {
    let galleries = galleries(SampleFacts.limits)
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

  @Test(
    "states that would look alike are shown once",
    arguments: [
      (1, 1, ["full", "wait-begins"]), (1, 2, ["full", "wait-begins"]),
      (1, 3, ["full", "wait-begins", "wait-ends"]), (1, 4, ["full", "wait-begins", "wait-ends"]),
      (1, 5, ["full", "wait-begins", "waiting", "wait-ends"]),
      (2, 2, ["full", "one-left", "wait-begins"]),
    ])
  func short(limit: Int, cooldown: Int, expected: [String]) {
    #expect(galleries(facts(limit: limit, cooldown: cooldown))[0].previews.map(\.state) == expected)
  }

  @Test("at the limit the real popup is the one that the next tap opens, with the whole wait")
  func opens() throws {
    var facts = SampleFacts.limits
    facts.profiles[0].states[.filter] = LimitState(usage: 2)
    #expect(text(galleries(facts)[1], \.timeLeftText).first == "Time remaining: 2:00")
  }

  @Test("who sees no popup is told why: subscribers, new users, and who was just reset")
  func nothing() throws {
    var facts = SampleFacts.limits
    facts.profiles[0].profile.tier = .plus
    let real = try #require(galleries(facts)[0].previews.first)
    #expect(real.picture == .nothing("Subscribed (plus): limits do not apply."))
    facts.profiles[0].profile.tier = .free
    facts.profiles[0].states[.filter] = LimitState(
      usage: 2, cooldownStartedAt: SampleFacts.frame.now - .seconds(119))
    let reset = try #require(galleries(facts)[1].previews.first)
    #expect(reset.picture == .nothing("0 of 2 used, just reset: may proceed at once."))
    #expect(galleries(facts)[2].previews.map(\.state) == ["subscriber", "new-user"])
  }

  @Test("the profile's own price wins over the workspace's")
  func price() {
    var facts = SampleFacts.limits
    facts.profiles[0].profile.price = "1,99 €"
    #expect(Set(text(galleries(facts)[0], \.price)) == ["1,99 €"])
  }
}
