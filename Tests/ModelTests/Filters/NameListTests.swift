import Model
import Testing

@Suite("Country and language names")
struct NameListTests {
  private let fruit = NameList([
    "Banana", "Apple", "Pineapple", "Custard Apple", "Apple Pear", "Crab-apple", "(Apple) Jam",
    "Oak apple", "Grapple",
  ])

  @Test func `the app's own countries and languages are listed`() {
    for country in [
      "United States", "Germany", "South Korea", "Turkey", "Türkiye", "Korea, Republic of",
      "Trinidad & Tobago", "Trinidad and Tobago", "Hong Kong", "Côte d’Ivoire",
    ] {
      #expect(NameList.countries.contains(country), "\(country)")
    }
    for language in ["English", "Spanish", "Castilian", "Filipino", "Hindi", "Chinese"] {
      #expect(NameList.languages.contains(language), "\(language)")
    }
    #expect(!NameList.countries.contains("Fakeland"))
    #expect(!NameList.languages.contains("Alien"))
  }

  @Test func `codes and collections are no names`() {
    for text in ["US", "UK", "DE", "", "World", "Africa"] {
      #expect(!NameList.countries.contains(text), "\(text)")
    }
    for text in ["en", "Undetermined", "Multiple languages", "Germanic languages"] {
      #expect(!NameList.languages.contains(text), "\(text)")
    }
  }

  @Test(
    arguments: [
      ("Germany", "Germany"), ("germany", "Germany"), ("GERMANY", "Germany"),
      (" Germany\t", "Germany"), ("CÔTE D'IVOIRE", "Côte d'Ivoire"), ("Germny", nil), ("", nil),
      (" ", nil), ("Germany\u{0}", nil), ("Germany, France", nil),
    ] as [(String, String?)])
  func `a name is taken in any case and stored as the list writes it`(
    typed: String, expected: String?
  ) {
    #expect(NameList.countries.spelling(of: typed) == expected)
  }

  @Test
  func `a value of the data counts, exactly as it is before the list's, in any case after it`() {
    let names = NameList(["Germany"]).adding(["germany", "Kosovo", "Germany"])
    #expect(names.spelling(of: "germany") == "germany")
    #expect(names.spelling(of: "GERMANY") == "Germany")
    #expect(names.spelling(of: "KOSOVO") == "Kosovo")
    #expect(names.suggestions(for: "germ") == ["Germany", "germany"])
  }

  @Test func `an accent in two scalars is the data's, and found as the data has it`() {
    let composed = "T\u{FC}rkiye"
    let decomposed = "Tu\u{308}rkiye"
    #expect(NameList.countries.contains(composed) && !NameList.countries.contains(decomposed))
    #expect(NameList.countries.spelling(of: decomposed)?.hasSameBytes(as: composed) == true)
    let names = NameList.countries.adding([decomposed, composed])
    for typed in [composed, decomposed] {
      #expect(names.spelling(of: typed)?.hasSameBytes(as: typed) == true)
      #expect(names.spelling(of: " \(typed) ")?.hasSameBytes(as: typed) == true)
    }
    #expect(names.spelling(of: "t\u{FC}rkiye")?.hasSameBytes(as: composed) == true)
  }

  @Test
  func `names that begin with the text come first, then words that do, the rest, at most 5`() {
    #expect(
      fruit.suggestions(for: "apple")
        == ["Apple", "Apple Pear", "(Apple) Jam", "Crab-apple", "Custard Apple"])
    #expect(fruit.suggestions(for: "apples") == [])
    #expect(fruit.suggestions(for: "grapple") == ["Grapple"])
    #expect(fruit.suggestions(for: "ineap") == ["Pineapple"])
  }

  @Test
  func `a historical language comes after every living one, wherever the text stands in it`() {
    let list = NameList(
      ["Old Elvish", "Elvish", "Elvish, Old", "High Elvish", "Telvish"],
      historical: ["Old Elvish", "Elvish, Old"])
    let order = ["Elvish", "High Elvish", "Telvish", "Elvish, Old", "Old Elvish"]
    #expect(list.suggestions(for: "elv") == order)
    #expect(list.adding(["Elvish (spoken)"]).suggestions(for: "elvish, old") == ["Elvish, Old"])
  }

  @Test(arguments: [
    ("Eng", ["English", "Jamaican Creole English"]), ("Iri", ["Irish"]), ("Greek", ["Greek"]),
    ("Middle", []),
  ])
  func `the language that people speak is suggested first`(text: String, first: [String]) {
    let found = NameList.languages.suggestions(for: text)
    #expect(found.starts(with: first), "\(found)")
    #expect(found.count > first.count)
    let rest = found.dropFirst(first.count)
    #expect(rest.allSatisfy { NameList.languages.suggestions(for: $0) == [$0] }, "\(rest)")
  }

  @Test func `four, five and six that match are four, five and five`() {
    let names = ["Aa", "Ab", "Ac", "Ad", "Ae", "Af"]
    for count in 4...6 {
      let found = NameList(Array(names.prefix(count).reversed())).suggestions(for: "A")
      #expect(found == Array(names.prefix(min(count, 5))))
    }
  }

  @Test(arguments: ["cote", "CÔTE", " côte ", "co\u{302}te"])
  func `neither case nor accents nor white space around it matter`(text: String) {
    #expect(NameList.countries.suggestions(for: text) == ["Côte d'Ivoire", "Côte d’Ivoire"])
  }

  @Test(arguments: [
    "", "  ", "\u{0}", "%", "_", "*", "日本", "🇩🇪", String(repeating: "a", count: 100_000),
  ])
  func `an empty text suggests nothing, a strange one finds nothing`(text: String) {
    #expect(NameList.countries.suggestions(for: text) == [])
  }

  @Test func `a misspelt name is found by its distance, part of one by what contains it`() {
    #expect(NameList.countries.closest(to: "Germny") == ["Germany"])
    #expect(NameList.countries.closest(to: "unted states").first == "United States")
    #expect(NameList.countries.closest(to: "Korea").contains("South Korea"))
    #expect(NameList.countries.closest(to: "Fakeland") == [])
    #expect(NameList.languages.closest(to: "Englsh").first == "English")
    #expect(NameList.languages.closest(to: String(repeating: "n", count: 100_000)) == [])
  }
}
