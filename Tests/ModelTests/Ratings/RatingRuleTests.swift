import Testing

@testable import Model

@Suite("Submitting a rating")
struct RatingRuleTests {
  private let counters = RatingCounters(sent: 15, received: 12, tries: 1)

  private func submit(_ stars: StarRating, _ feedback: String?) -> RatingRule.Submission {
    RatingRule.submit(stars, feedback: feedback, counters: counters, appName: "ChatHub")
  }

  @Test(arguments: [StarRating.four, .five])
  func `4 and 5 stars open the store and never ask again`(stars: StarRating) {
    #expect(
      submit(stars, nil)
        == .accepted(
          RatingOutcome(
            counters: RatingCounters(sent: -999_999_999, received: -999_999_999, tries: 1),
            eventKeys: [
              "rating_ChatHub_\(stars.rawValue)", "rating_ChatHub_\(stars.rawValue)_after_1",
            ], opensStore: true, feedback: nil)))
    #expect(submit(stars, " \n") == submit(stars, nil))
  }

  @Test(arguments: [StarRating.four, .five])
  func `4 and 5 stars refuse feedback of any length`(stars: StarRating) {
    for text in ["x", "Great app, thank you!", String(repeating: "x", count: 501), "a\u{7}"] {
      #expect(submit(stars, text) == .unwantedFeedback)
    }
  }

  @Test(arguments: [StarRating.one, .two, .three])
  func `1 to 3 stars count a try and deliver feedback`(stars: StarRating) {
    #expect(
      submit(stars, "  It drains my battery. ")
        == .accepted(
          RatingOutcome(
            counters: RatingCounters(sent: 0, received: 0, tries: 2),
            eventKeys: ["rating_ChatHub_\(stars.rawValue)"], opensStore: false,
            feedback: "It drains my battery.")))
  }

  @Test(arguments: [StarRating.one, .two, .three])
  func `1 to 3 stars without enough feedback change nothing`(stars: StarRating) {
    #expect(submit(stars, nil) == .refused(TextRule.feedback.missing))
    #expect(
      submit(stars, "123456789")
        == .refused("The feedback has 9 characters; at least 10 are needed."))
  }

  @Test func `later starts the count anew and keeps the tries`() {
    #expect(RatingRule.later(counters) == RatingCounters(sent: 0, received: 0, tries: 1))
  }

  @Test func `later, or a low rating, begins the count anew also after a high rating`() {
    let done = RatingCounters(
      sent: RatingRule.neverAgain, received: RatingRule.neverAgain, tries: 1)
    #expect(RatingRule.later(done) == RatingCounters(tries: 1))
    let low = RatingRule.submit(
      .two, feedback: "It drains my battery.", counters: done, appName: "ChatHub")
    guard case .accepted(let outcome) = low else {
      Issue.record("refused")
      return
    }
    #expect(outcome.counters == RatingCounters(tries: 2))
  }
}
