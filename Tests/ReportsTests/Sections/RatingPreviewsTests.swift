import Model
import Rules
import Testing

@testable import Reports

@Suite struct RatingPreviewsTests {
  private func previews(_ facts: RatingsFacts) -> [PopupPreview] {
    RatingPreviews.section(facts, appName: "ChatHub").blocks.flatMap {
      block -> [PopupPreview] in
      if case .popups(let gallery) = block { gallery.previews } else { [] }
    }
  }

  @Test("all states are shown: no star, each count of stars, the field, the thanks")
  func states() {
    var facts = SampleFacts.ratings
    facts.prompt = nil
    #expect(
      previews(facts).map(\.state) == [
        "asked", "1-star", "2-stars", "3-stars", "4-stars", "5-stars", "empty", "too-short",
        "accepted", "too-long", "sent", "store",
      ])
    #expect(previews(facts).filter(\.isReal).isEmpty)
  }

  @Test("the real one is the question, or the reason why there is none")
  func real() {
    var facts = SampleFacts.ratings
    #expect(
      previews(facts).first
        == PopupPreview(
          "now", "default now: is asked", isReal: true,
          .rating(RatingDialog(.stars(nil), appName: "ChatHub"))))
    facts.prompt?.counters.sent = 10
    #expect(
      previews(facts).first?.picture == .nothing("10 messages sent, not more than 10."))
  }
}
