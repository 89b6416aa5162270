import Model
import Testing

@Suite("Texts of a profile")
struct ProfileTextRuleTests {
  private func problem(
    _ text: String, _ field: ProfileTextRule.Field = .city
  ) -> ProfileTextRule.Problem? {
    ProfileTextRule.problem(text, in: field)
  }

  @Test("texts of any script are taken as they are", arguments: ["Madrid", "東京", "Αθήνα", "👩‍👧"])
  func accepted(text: String) {
    for field in ProfileTextRule.Field.allCases { #expect(problem(text, field) == nil) }
  }

  @Test("at most 200 characters, and none that hides in a cluster")
  func length() {
    #expect(problem(String(repeating: "x", count: 200)) == nil)
    #expect(problem(String(repeating: "x", count: 201)) == .tooLong(count: 201, most: 200))
    let marks = "e" + String(repeating: "\u{301}", count: 200)
    #expect(problem(marks) == .tooLong(count: 201, most: 200))
    #expect(problem(String(repeating: "x", count: 10 << 20)) != nil)
  }

  @Test("a user id has the 1500 bytes of a document id, a name 64 characters")
  func otherLengths() {
    #expect(problem(String(repeating: "ü", count: 750), .userId) == nil)
    #expect(
      problem(String(repeating: "ü", count: 751), .userId) == .tooLong(count: 1_502, most: 1_500))
    #expect(problem(String(repeating: "n", count: 64), .name) == nil)
    #expect(problem(String(repeating: "n", count: 65), .name) == .tooLong(count: 65, most: 64))
  }

  @Test(
    "control characters are refused", arguments: ["a\nb", "\u{1B}[2J", "a\u{0}", "\u{85}x", "\t"])
  func controls(text: String) {
    #expect(problem(text) == .controlCharacter)
  }

  @Test("an empty text is none, and every problem has its words")
  func words() {
    #expect(problem("") == .empty)
    let texts: [ProfileTextRule.Problem] = [
      .empty, .controlCharacter, .tooLong(count: 201, most: 200),
    ]
    #expect(Set(texts.map(\.text)).count == 3)
    #expect(texts[2].text.contains("201") && texts[2].text.contains("200"))
  }
}
