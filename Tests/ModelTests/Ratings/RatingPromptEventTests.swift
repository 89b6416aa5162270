import Fixtures
import Testing

@testable import Model

/// Rating dialogs and their answers: docs/reports.md#ratings.
@Suite struct RatingPromptEventTests {
  private func event(
    _ kind: RatingPromptEvent.Kind, _ userId: String, stars: Int? = nil
  ) -> RatingPromptEvent {
    RatingPromptEvent(at: .morning, kind: kind, userId: userId, stars: stars)
  }

  @Test func `an answer belongs to the last open dialog of its user, and to no other user's`() {
    let dialogs = RatingPromptEvent.dialogs([
      event(.shown, "a"), event(.shown, "b"), event(.shown, "a"), event(.stars, "a", stars: 3),
      event(.feedback, "a"), event(.later, "a"), event(.later, "c"), event(.stars, "b", stars: 4),
      event(.stars, "b", stars: 2), event(.feedback, "b"),
    ])
    #expect(dialogs.map(\.wasShown) == [true, true, true, false])
    #expect(dialogs.map(\.stars) == [nil, 4, 3, 2])
    #expect(dialogs.map(\.wasPutOff) == [true, false, false, false])
    #expect(dialogs.map(\.wasFollowed) == [false, false, true, true])
  }
}
