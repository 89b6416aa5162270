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

  @Test(
    arguments: [
      (.integer(1_000_000_000_000_000), 1_000_000_000_000_000),
      (.integer(1_000_000_000_000_001), nil),
      (.integer(.min), nil), (.integer(-1), -1), (.string("10"), nil), (.double(10), nil),
    ] as [(EventValue, Int?)])
  func `a threshold is a whole number that a report can show`(value: EventValue, messages: Int?) {
    let event = Event(
      name: "rating_prompt_shown", at: .morning, userId: "a",
      parameters: ["ios_rating_threshold": value, "ios_rating_max_prompts": .integer(2)])
    #expect(RatingPromptEvent(event)?.thresholds?.messages == messages)
  }

  @Test(
    arguments: [
      (.integer(5), 5), (.double(5), 5), (.double(5.5), nil), (.string("5"), 5),
      (.string("5.0"), nil),
      (.integer(.max), nil), (.double(1e15), 1_000_000_000_000_000), (.double(1e16), nil),
      (.string("-1000000000000000"), -1_000_000_000_000_000),
      (.string("-1000000000000001"), nil),
    ] as [(EventValue, Int?)])
  func `a number is whole in each form, up to the largest that is shown`(
    value: EventValue, number: Int?
  ) { #expect(value.wholeNumber == number) }

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
