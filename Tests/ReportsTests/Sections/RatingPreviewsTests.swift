import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

@Suite struct RatingPreviewsTests {
  private func previews(_ data: RatingsData) -> [PopupPreview] {
    RatingPreviews.section(data, appName: "ChatHub").blocks.flatMap {
      block -> [PopupPreview] in
      if case .popups(let gallery) = block { gallery.previews } else { [] }
    }
  }

  @Test func `all states are shown: no star, each count of stars, the field, the thanks`() {
    var data = SampleReports.ratings
    data.prompt = nil
    #expect(
      previews(data).map(\.state) == [
        "asked", "1-star", "2-stars", "3-stars", "4-stars", "5-stars", "empty", "too-short",
        "accepted", "too-long", "sent", "store",
      ])
    #expect(previews(data).filter(\.isReal).isEmpty)
  }

  @Test func `the real preview is the question, or the reason why there is none`() {
    var data = SampleReports.ratings
    #expect(
      previews(data).first
        == PopupPreview(
          "now", "default now: is asked", isReal: true,
          .rating(RatingDialog(.stars(nil), appName: "ChatHub"))))
    data.prompt?.counters.sent = 10
    #expect(
      previews(data).first?.picture == .nothing("10 messages sent, not more than 10."))
  }
}
