import Firestore
import Testing

@testable import Sync

@Suite struct ParentPatternTests {
  @Test(arguments: ["Chats", "Chats/a", "*/a", "*", "", "Chats/*/Messages", "Chats//*"])
  func `a pattern of parents is a path of documents with a * among their ids`(text: String) {
    #expect(ParentPattern(text) == nil)
  }

  @Test func `the fixed beginning of a pattern is the query's parent`() throws {
    let pattern = try #require(ParentPattern("Users/ann/Chats/*"))
    #expect(pattern.fixedParent == "Users/ann")
    #expect(pattern.depth == 2)
    #expect(try #require(ParentPattern("Chats/*")).fixedParent == nil)
  }

  @Test(arguments: [
    ("Chats/a/Messages/m", true), ("Chats/a/Messages", false), ("Chat/a/Messages/m", false),
    ("Chatss/a/Messages/m", false), ("Users/u/Chats/a/Messages/m", false),
    ("Chats/a/Threads/t/Messages/m", false), ("Chats/ü*/Messages/m", true),
  ])
  func `documents with parents of the pattern's shape pass, and no others`(
    path: String, passes: Bool
  ) throws {
    let pattern = try #require(ParentPattern("Chats/*"))
    #expect(Array(path.utf8).withUnsafeBytes { pattern.hold($0) } == passes)
  }

  @Test(arguments: [
    ("Chats/*", "Chatr\u{10FFFD}/0", "Chats\u{1}/0"),
    ("Users/ann/Chats/*", "Users/ann/Chatr\u{10FFFD}/0", "Users/ann/Chats\u{1}/0"),
    ("A/*/B/*", "@\u{10FFFD}/0", "A\u{1}/0"),
    ("\u{E000}/*", "\u{D7FF}\u{10FFFD}/0", "\u{E000}\u{1}/0"),
  ])
  func `the bounds lie directly around the parents' collection`(
    text: String, lower: String, upper: String
  ) throws {
    let bounds = try #require(ParentPattern(text)).bounds
    #expect(
      bounds
        == .composite(
          .and,
          [
            .field(.documentName, .greaterThan, .reference(lower)),
            .field(.documentName, .lessThan, .reference(upper)),
          ]))
  }
}
