import Model
import Rules
import Testing

@testable import Reports

@Suite struct PaywallPreviewsTests {
  private func previews(_ facts: LimitsFacts) throws -> [PopupPreview] {
    guard case .popups(let gallery)? = PaywallPreviews.section(facts).blocks.first else {
      Issue.record("there is no gallery")
      return []
    }
    return gallery.previews
  }

  private func facts(_ marks: MomentMarks, tier: Tier = .free) -> LimitsFacts {
    var facts = SampleFacts.limits
    facts.profiles[0].moments.marks = marks
    facts.profiles[0].profile.tier = tier
    return facts
  }

  @Test("all triggers and the subscriber's card are shown, with the quotas in force")
  func states() throws {
    let previews = try previews(SampleFacts.limits)
    #expect(
      previews.map(\.state) == [
        "now", "daily-limit-reached", "total-limit-reached", "timeline-restricted", "manual",
        "premium",
      ])
    guard case .paywall(let total, let price) = previews[2].picture else {
      Issue.record("no paywall")
      return
    }
    #expect(
      total.banner == "You've logged 10 moments. Go premium to keep celebrating your wins.")
    #expect(price == "$2.99/week")
  }

  @Test("the real one is the paywall in the way, the total before the day")
  func real() throws {
    let day = SampleFacts.today.text
    func trigger(_ marks: MomentMarks) throws -> Paywall.Trigger? {
      let first = try #require(try previews(facts(marks)).first)
      guard case .paywall(let paywall, _) = first.picture else { return nil }
      return paywall.trigger
    }
    #expect(try trigger(MomentMarks(dailyLimitDay: day)) == .dailyLimitReached)
    #expect(
      try trigger(MomentMarks(dailyLimitDay: day, isTotalLimitReached: true)) == .totalLimitReached)
    #expect(try trigger(MomentMarks(dailyLimitDay: "2026-03-01")) == nil)
    #expect(try trigger(.none) == nil)
  }

  @Test("a subscriber meets none, whatever the marks say")
  func subscriber() throws {
    let facts = self.facts(MomentMarks(isTotalLimitReached: true), tier: .lite)
    let first = try #require(try previews(facts).first)
    #expect(first.picture == .nothing("Subscribed (lite): the paywall never stands in the way."))
  }

  @Test("the quotas list who logged or was marked, with the day's end only where it frees")
  func quotas() throws {
    var facts = self.facts(MomentMarks(isTotalLimitReached: true))
    facts.profiles.append(
      LimitsFacts.ProfileLimits(
        profile: Profile(name: "idle"), states: [:],
        moments: LimitsFacts.Moments(today: SampleFacts.today)))
    facts.profiles.append(
      LimitsFacts.ProfileLimits(
        profile: Profile(name: "daily"), states: [:],
        moments: LimitsFacts.Moments(
          today: SampleFacts.today, countTotal: 1,
          marks: MomentMarks(dailyLimitDay: SampleFacts.today.text))))
    guard case .table(let table) = MomentQuotas.section(facts).blocks[1] else {
      Issue.record("no table")
      return
    }
    #expect(table.rows.map { $0.cells[0] } == [.text("default"), .text("daily")])
    #expect(
      table.rows.map { $0.cells[2] } == [
        .level(.warn, "Quota of all reached"), .level(.warn, "Day's quota reached"),
      ])
    #expect(table.rows.map { $0.cells[7] } == [.missing, .instant(SampleFacts.today.end)])
  }
}
