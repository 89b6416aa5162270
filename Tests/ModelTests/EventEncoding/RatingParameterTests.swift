import Fixtures
import Testing

@testable import Model

@Suite struct RatingParameterTests {
  private func stars(_ name: String, _ parameters: [String: EventValue]) -> Int64? {
    let event = Event(
      name: name, at: Instant(microseconds: 0), userId: "u", parameters: parameters)
    return EventRows([event]).rows[0].stars
  }

  @Test(arguments: [
    ("rating_ChatHub_1", 1), ("rating_ChatHub_5", 5), ("rating_My_App_3", 3),
    ("rating_Chat\"\\\n_2", 2), ("rating_ChatHub_0", nil), ("rating_ChatHub_6", nil),
    ("rating_ChatHub_10", nil), ("rating_ChatHub_", nil), ("rating_ChatHub", nil),
    ("rating_5", nil), ("rating__5", nil), ("rating_ChatHub_4_after_2", nil),
    ("rating_ChatHub_٣", nil), ("rating_ChatHub_\u{1}", nil), ("Rating_ChatHub_4", nil),
    ("x_rating_ChatHub_4", nil), ("rating_ChatHub_4 ", nil), ("", nil),
  ])
  func `only the exact name is a rating`(text: String, expected: Int?) {
    #expect(stars("app_events", [text: .integer(1)]) == expected.map(Int64.init))
    #expect(stars("app_events", ["event": .string(text)]) == expected.map(Int64.init))
    #expect(RatingParameter(text)?.stars == expected)
  }

  @Test func `other events are no ratings`() {
    #expect(stars("ios_rating", ["rating_ChatHub_4": .integer(1)]) == nil)
    #expect(stars("app_events", [:]) == nil)
    #expect(stars("app_events", ["stars": .integer(4)]) == nil)
  }

  @Test func `the try count beside the rating does not hide it`() {
    let parameters: [String: EventValue] = [
      "rating_ChatHub_4_after_2": .integer(1), "rating_ChatHub_4": .integer(1),
    ]
    #expect(stars("app_events", parameters) == 4)
  }

  @Test func `of several ratings that of the first name counts`() {
    #expect(stars("app_events", ["rating_B_1": .integer(1), "rating_A_5": .integer(1)]) == 5)
  }
}
