import Testing

@testable import Model

/// Themes of folded texts; folding itself is that of the reports.
@Suite struct ThemeMatcherTests {
  private static func fold(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static let themes = [
    Theme(id: "crash", title: "", terms: ["crash*", "hang", "does not open*"]),
    Theme(id: "ads", title: "", terms: ["ad", "ads", "  "]),
    Theme(id: "time", title: "", terms: ["per day", "検 索"]),
  ]

  /// Whole words, beginnings and phrases, each with what is just not one.
  private static let texts: [(text: String, themes: [String])] = [
    ("Crash", ["crash"]), ("crashes", ["crash"]), ("a scratch", []), ("crasy", []),
    ("hang", ["crash"]), ("hangs", []), ("change", []),
    ("it does not open", ["crash"]), ("does not opens well", ["crash"]),
    ("does not ever open", []), ("does not", []), ("open does not", []),
    ("ad", ["ads"]), ("add", []), ("bad", []), ("Ads and crash", ["crash", "ads"]),
    ("3 per day", ["time"]), ("per days", []), ("per", []), ("day per day", ["time"]),
    ("ads ads", ["ads"]), ("検 索 だ", ["time"]), ("索 検", []), ("", []),
  ]

  @Test(arguments: texts.indices)
  func `a text has the themes whose words it has`(index: Int) {
    var matcher = ThemeMatcher(Self.themes, fold: Self.fold)
    let (text, themes) = Self.texts[index]
    #expect(matcher.themes(of: Self.fold(text)) == themes, "\(text)")
    #expect(matcher.themes(of: Self.fold(text)) == themes, "\(text), again")
  }

  @Test func `the shipped themes have names of their own and terms that are words`() {
    let ids = ShippedThemes.all.map(\.id)
    #expect(Set(ids).count == ids.count && ids.count == 10)
    for theme in ShippedThemes.all {
      #expect(theme.terms.count > 25, "\(theme.id)")
      for term in theme.terms {
        #expect(!Self.fold(term).isEmpty, "\(theme.id): \(term)")
        #expect(!term.dropLast().contains("*"), "\(theme.id): \(term)")
      }
    }
  }

  /// Three words and four; seven signs of a script without spaces and eight.
  @Test(arguments: [
    ("a b c", true), ("a b c d", false), ("", true), ("検 索 の 制 限 が き", true),
    ("検 索 の 制 限 が き つ", false), ("a b c 検", true), ("a b c 検 索", false),
  ])
  func `a text of fewer than four words is too short, unless it has a theme`(
    text: String, isTooShort: Bool
  ) {
    let words = text.split(separator: " ").map(String.init)
    #expect(ShortTextRule.isTooShort(words, hasTheme: false) == isTooShort)
    #expect(!ShortTextRule.isTooShort(words, hasTheme: true))
  }
}

@Suite struct NearDuplicatesTests {
  private static let near: [(left: String, right: String, areNear: Bool)] = [
    ("app crashes when i open a chat", "the app crashes when i open a chat", true),
    ("app crashes when i open a chat", "app crashes when i open a chat", true),
    ("app crashes when i open a chat", "app crashed when i opened a chat", false),
    ("too many ads", "too many users", false), ("abc", "abc", true), ("abc", "abd", false),
    ("", "", false),
  ]

  @Test(arguments: near.indices)
  func `texts are near when six of ten pieces are in both`(index: Int) {
    let (left, right, areNear) = Self.near[index]
    #expect(
      NearDuplicates.groups(of: [left, "something else", right]) == (areNear ? [[0, 2]] : []))
  }

  @Test func `the similarity is shared pieces by all pieces`() {
    #expect(NearDuplicates.similarity([1, 2, 3], [2, 3, 4]) == 0.5)
    #expect(NearDuplicates.similarity([1, 2], [1, 2]) == 1)
    #expect(NearDuplicates.similarity([1], [2]) == 0)
    #expect(NearDuplicates.similarity([], []) == 0)
    // Five letters are two pieces, and 512 are all that count.
    #expect(NearDuplicates.shingles(of: "abcde").count == 2)
    let long = (0..<600).map { "\($0)" }.joined()
    #expect(
      NearDuplicates.shingles(of: String(long.prefix(512))) == NearDuplicates.shingles(of: long))
  }

  /// Every pair above the threshold is found among texts that share most of their words.
  @Test func `banding loses no group of texts that are clearly alike`() {
    let texts = (0..<60).flatMap { number in
      let text = "the \(number * 7919) chat closes on my phone after \(number * 104_729) minutes"
      return [text, text + " again"]
    }
    let groups = NearDuplicates.groups(of: texts)
    #expect(groups.reduce(0) { $0 + $1.count } == texts.count)
    #expect(groups.allSatisfy { $0 == $0.sorted() })
  }

  @Test func `the largest group comes first, and texts beyond the bound are left out`() {
    let texts = ["one thing", "other thing", "other thing", "one thing", "other thing"]
    #expect(NearDuplicates.groups(of: texts) == [[1, 2, 4], [0, 3]])
    let many = Array(repeating: "one thing", count: NearDuplicates.mostTexts + 1)
    #expect(NearDuplicates.groups(of: many).first?.count == NearDuplicates.mostTexts)
  }
}
