import Model
import Reports
import Testing

@testable import Workspace

struct ThemeFileTests {
  private static let shipped = [
    Theme(id: "crash", title: "Crashes", terms: ["crash*"]),
    Theme(id: "ads", title: "Ads", terms: ["ad"]),
  ]

  private static func themes(_ text: String) throws -> [Theme] {
    try ThemeFile.themes(
      parsing: SourceFile(path: "themes.yml", text: text), shipped: shipped)
  }

  @Test(arguments: [
    ("themes:\n  crash:\n    more: [hang]\n", ["crash Crashes crash* hang", "ads Ads ad"]),
    ("themes:\n  crash:\n    words: [hang]\n", ["crash Crashes hang", "ads Ads ad"]),
    ("themes:\n  ads:\n    title: Werbung\n", ["crash Crashes crash*", "ads Werbung ad"]),
    ("drop: [ads]\n", ["crash Crashes crash*"]),
    ("shipped: false\nthemes:\n  a-1: {words: [x]}\n", ["a-1 a-1 x"]),
    (
      "shipped: true\nthemes:\n  a: {words: [x], more: [y z*]}\n",
      ["crash Crashes crash*", "ads Ads ad", "a a x y z*"]
    ),
    ("themes:\n  crash:\n", ["crash Crashes crash*", "ads Ads ad"]),
  ])
  func `a file changes the shipped list`(text: String, list: [String]) throws {
    let themes = try Self.themes(text)
    #expect(themes.map { ([$0.id, $0.title] + $0.terms).joined(separator: " ") } == list)
  }

  /// Each problem with its line and key.
  @Test(arguments: [
    ("theme: {}\n", "themes.yml:1:1: theme: unknown key. Did you mean 'themes'?"),
    ("drop: [adds]\n", "themes.yml:1:8: drop[0]: names no shipped theme. Did you mean 'ads'?"),
    ("themes:\n  Voice: {words: [x]}\n", "themes.yml:2:3: themes.Voice: a theme's name has"),
    ("themes:\n  voice: {title: V}\n", "themes.voice.words: is missing; list the words"),
    (
      "themes:\n  voice: {words: ['...']}\n",
      "themes.yml:2:19: themes.voice.words[0]: has no letter and no digit"
    ),
    ("themes:\n  voice: {words: ['a* b']}\n", "themes.voice.words[0]: has a '*' before its end"),
    ("themes:\n  voice: {words: []}\n", "themes.voice.words: must not be an empty list"),
    ("themes:\n  voice: {words: [5]}\n", "themes.voice.words[0]: must be text, not"),
    ("themes:\n  voice: {wordz: [x]}\n", "themes.voice.wordz: unknown key"),
    ("shipped: false\n", "themes: is missing; write at least one theme"),
    ("shipped: maybe\n", "shipped: must be true or false"),
    ("", "the file is empty"),
  ])
  func `a wrong file is refused with line and key`(text: String, problem: String) {
    do {
      _ = try Self.themes(text)
      Issue.record("read: \(text)")
    } catch {
      #expect("\(error)".contains(problem), "\(error)")
    }
  }

  @Test func `the printed list reads back as itself, and the shipped list is valid`() throws {
    let source = SourceFile(path: "themes.yml", text: ThemeFile.text(of: ShippedThemes.all))
    #expect(source.bytes.count < YAMLDocument.maxBytes)
    #expect(try ThemeFile.themes(parsing: source) == ShippedThemes.all)
    for theme in ShippedThemes.all {
      #expect(theme.terms.allSatisfy { !FoldedText.words(of: $0).isEmpty }, "\(theme.id)")
    }
  }
}
