import Model
import Testing

@Suite("Texts of a profile")
struct ProfileTextRuleTests {
  private func problem(
    _ text: String, _ field: ProfileTextRule.Field = .city
  ) -> String? {
    ProfileTextRule.problem(text, in: field)
  }

  private static func tooLong(_ count: Int, _ most: Int) -> String {
    "is too long: \(count), at most \(most) are allowed."
  }

  @Test(arguments: ["Madrid", "東京", "Αθήνα", "👩‍👧"])
  func `texts of any script are taken as they are`(text: String) {
    for field in ProfileTextRule.Field.allCases { #expect(problem(text, field) == nil) }
  }

  @Test func `at most 200 characters, and none that hides in a cluster`() {
    #expect(problem(String(repeating: "x", count: 200)) == nil)
    #expect(problem(String(repeating: "x", count: 201)) == Self.tooLong(201, 200))
    let marks = "e" + String(repeating: "\u{301}", count: 200)
    #expect(problem(marks) == Self.tooLong(201, 200))
    #expect(problem(String(repeating: "x", count: 10 << 20)) != nil)
  }

  @Test func `a user id has the 1500 bytes of a document id, a name 64 characters`() {
    #expect(problem(String(repeating: "ü", count: 750), .userId) == nil)
    #expect(
      problem(String(repeating: "ü", count: 751), .userId) == Self.tooLong(1_502, 1_500))
    #expect(problem(String(repeating: "n", count: 64), .name) == nil)
    #expect(problem(String(repeating: "n", count: 65), .name) == Self.tooLong(65, 64))
  }

  @Test(arguments: ["a\nb", "\u{1B}[2J", "a\u{0}", "\u{85}x", "\t"])
  func `control characters are refused`(text: String) {
    #expect(problem(text) == "has control characters, such as a line break; leave them out.")
  }

  @Test func `an empty text is none`() {
    #expect(problem("") == "must not be empty.")
  }
}
