import Model
import Testing

@Suite struct RatingVisitTests {
  @Test(
    arguments: [
      (#"{"rating_ChatHub_5_after_1":1}"#, 5), (#"{"a":1,"rating_ChatHub_4_after_0":1}"#, 4),
      (#"{"label":"rating_ChatHub_1_after_12"}"#, 1), (#"{"rating_My_App_2_after_3":1}"#, 2),
      (#"{"rating_ChatHub_5":1}"#, nil), (#"{"rating_ChatHub_0_after_1":1}"#, nil),
      (#"{"rating_ChatHub_6_after_1":1}"#, nil), (#"{"rating_ChatHub_5_after_":1}"#, nil),
      (#"{"rating_ChatHub_5_after_x":1}"#, nil), (#"{"rating_5_after_1":1}"#, nil),
      (#"{"xrating_ChatHub_5_after_1":1}"#, nil), (#"{"rating_ChatHub_+5_after_1":1}"#, nil),
      ("{}", nil), ("", nil),
    ] as [(String, Int?)])
  func `the stars stand before the tries, as a parameter's key or text`(
    parameters: String, stars: Int?
  ) {
    #expect(RatingVisit.stars(inParameters: parameters) == stars)
  }
}
