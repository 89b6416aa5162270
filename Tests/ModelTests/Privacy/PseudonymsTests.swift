import Testing

@testable import Model

struct PseudonymsTests {
  private let pseudonyms = Pseudonyms(KeyedHash(low: 1, high: 2)) {
    ["u17", "anna-b"].contains($0)
  }

  @Test func `an id has one pseudonym, which another key, kind or id does not have`() {
    let own = pseudonyms.user("u17")
    #expect(own == pseudonyms.user("u17"))
    #expect(own.wholeMatch(of: /user-[0-9a-z]{10}/) != nil)
    #expect(own != pseudonyms.user("u18"))
    #expect(own != Pseudonyms(KeyedHash(low: 1, high: 3)).user("u17"))
    #expect(own.dropFirst(5) != pseudonyms.profile("u17").dropFirst(8))
    let many = Set((0..<20_000).map { pseudonyms.user("user-\($0)") })
    #expect(many.count == 20_000)
  }

  @Test func `no id stays no id, and the default profile keeps its name`() {
    #expect(pseudonyms.user("") == "")
    #expect(pseudonyms.profile("default") == "default")
    #expect(pseudonyms.profile("anna").hasPrefix("profile-"))
  }

  @Test(arguments: [
    ("The document Users/u17 has no name.", "The document Users/USER has no name."),
    ("u17", "USER"), ("u170 and xu17 stay", "u170 and xu17 stay"),
    ("(u17), 'u17'.", "(USER), 'USER'."), ("...", "..."), (" (!) ", " (!) "),
    ("for profile=anna and anna-b", "for profile=PROFILE and ANNA"),
    ("write to a.b@c.example, please", "write to [e-mail], please"),
    ("2026-01-31T08:00:00Z: 1234567 documents", "2026-01-31T08:00:00Z: 1234567 documents"),
    ("two  spaces\nand lines ", "two  spaces\nand lines "), ("", ""),
  ])
  func `a message keeps its words and loses its people`(text: String, expected: String) throws {
    let expected = expected.replacing("USER", with: pseudonyms.user("u17"))
      .replacing("PROFILE", with: pseudonyms.profile("anna"))
      .replacing("ANNA", with: pseudonyms.user("anna-b"))
    #expect(
      try pseudonyms.message(text, others: ["anna": pseudonyms.profile("anna")]) == expected)
  }

  private static let spacedIds = [
    "a b", " lead", "trail ", ".dot", "dot.", "(paren)", "x.y", "x/y", "two  words here", "a b c",
    "q?",
    "ü ß", "=1+1", "'quoted'",
  ]

  @Test(arguments: spacedIds)
  func `an id with spaces or punctuation is found wherever a word is`(id: String) throws {
    let pseudonyms = Pseudonyms(
      KeyedHash(low: 1, high: 2), spaced: SpacedIds(Self.spacedIds + ["u17"])
    ) { Self.spacedIds.contains($0) }
    let user = pseudonyms.user(id)
    for (text, expected) in [
      ("ID", user), ("The document Users/ID has none.", "The document Users/\(user) has none."),
      ("for ID, ID; (ID) and \"ID\".", "for \(user), \(user); (\(user)) and \"\(user)\"."),
      ("id=ID\nID", "id=\(user)\n\(user)"),
    ] {
      let text = text.replacing("ID", with: id)
      #expect(try pseudonyms.message(text) == expected)
      #expect(try pseudonyms.writing(text, by: "w9", named: nil) == expected)
      let own = Pseudonyms(KeyedHash(low: 1, high: 2))
      #expect(try own.writing(text, by: id, named: nil) == expected)
      #expect(try own.message(text, others: [id: user]) == expected)
    }
    #expect(try pseudonyms.message("xa b, a bx, xx.yy") == "xa b, a bx, xx.yy")
  }

  @Test(arguments: [
    ("I am Sofía, call 0151 2345678!", "I am [name], call [number]!"),
    ("hernández@mail.example or @sofia_h", "[e-mail] or [handle]"),
    ("see https://example.com/me, www.example.com", "see [link], [link]"),
    ("SOFÍA HERNÁNDEZ here", "[name] [name] here"), ("+49 (151) 234-56-78.", "+[number]."),
    ("123456 is six, 1234567 is seven", "123456 is six, [number] is seven"),
    ("٠١٢٣٤٥٦٧ digits", "[number] digits"),
    (
      "2 stars, 3 people, 100 messages",
      "2 stars, 3 people, 100 messages"
    ), ("mail me @ home", "mail me @ home"),
    ("my id is w9", "my id is WRITER"),
    ("Sofi\u{301}a❤️ and \"\u{FE0F}Sofía", "[name] and [name]"), ("Sofia", "Sofia"),
    ("1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣ or 1️⃣2️⃣", "[number] or 1️⃣2️⃣"), ("@\u{FE0F}sofia", "[handle]"),
  ])
  func `what people wrote keeps its words and loses the ways to reach them`(
    text: String, expected: String
  ) throws {
    let found = try pseudonyms.writing(text, by: "w9", named: "Sofía Hernández")
    #expect(found == expected.replacing("WRITER", with: pseudonyms.user("w9")))
  }

  @Test func `a name in a script without spaces is found inside of a sentence`() throws {
    #expect(
      try pseudonyms.writing("私は花子です。", by: "w9", named: "山田 花子") == "私は[name]です。")
  }

  @Test func `an error of whoever knows the ids is not swallowed`() {
    struct Broken: Error {}
    let broken = Pseudonyms(KeyedHash(low: 1, high: 2)) { _ in throw Broken() }
    #expect(throws: Broken.self) { try broken.message("any word") }
  }
}
