import Testing

@testable import Model

@Suite struct RunCountsTests {
  @Test func `the total of the skipped is the sum of all reasons`() {
    #expect(RunCounts().skippedTotal == 0)
    #expect(RunCounts(skipped: ["own-user": 1, "empty-name": 4]).skippedTotal == 5)
  }

  @Test func `every tier but free is subscribed`() {
    #expect(Tier.allCases.filter(\.isSubscribed) == [.lite, .plus, .pro])
  }

  @Test func `a profile starts as a free user who was never counted`() {
    let profile = Profile()
    #expect(profile.name == "default")
    #expect(profile.tier == .free)
    #expect(profile.filter.isEmpty)
    #expect(profile.usersRefreshedAt == nil)
    #expect(profile.rating == RatingCounters(sent: 0, received: 0, tries: 0))
  }
}
