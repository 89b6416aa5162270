import Model
import Testing

@Suite("Stars")
struct StarRatingTests {
  @Test(arguments: [
    (1, "Not meeting your expectations. Help us improve!", "😞", StarRating.Colour.red, false),
    (2, "Could be much better. Tell us how!", "😕", .red, false),
    (3, "It's okay, but needs improvement", "😐", .orange, false),
    (4, "Great! Rate us on App Store", "😊", .green, true),
    (5, "Awesome! Share your love on App Store", "🤩", .green, true),
  ])
  func `each number of stars has its words, face and colour`(
    stars: Int, text: String, emoji: String, colour: StarRating.Colour, isHigh: Bool
  ) throws {
    let rating = try #require(StarRating(rawValue: stars))
    #expect(rating.text == text)
    #expect(rating.emoji == emoji)
    #expect(rating.colour == colour)
    #expect(rating.isHigh == isHigh)
  }

  @Test(arguments: [0, 6, -1])
  func `there are no other stars`(stars: Int) {
    #expect(StarRating(rawValue: stars) == nil)
  }
}
