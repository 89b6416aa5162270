import Fixtures
import Model
import Testing

@Suite("Last-seen times from the future")
struct LastSeenRuleTests {
  private let now = Instant.morning

  @Test(arguments: [Duration.seconds(-1), .zero, .microseconds(299_999_999), .seconds(300)])
  func `up to 300 s ahead is believed`(ahead: Duration) {
    #expect(LastSeenRule.correction(of: now + ahead, now: now) == nil)
  }

  @Test(arguments: [Duration.microseconds(300_000_001), .seconds(999_999_999)])
  func `more is stored as 30 days ago`(ahead: Duration) {
    let thirtyDaysAgo: Int64 = 1_767_254_400
    #expect(LastSeenRule.correction(of: now + ahead, now: now) == thirtyDaysAgo)
  }

  @Test func `the ends of 64 bits are judged, not trapped`() {
    #expect(LastSeenRule.correction(of: Instant(microseconds: .max), now: now) != nil)
    #expect(LastSeenRule.correction(of: Instant(microseconds: .min), now: now) == nil)
  }
}
