import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// Texts that a reader's style sheet must not contain: docs/reports.md#your-own-style-sheet.
@Suite struct StyleProblemTests {
  @Test(arguments: [
    ("@import 'a.css';", "@import"), ("@IMPORT url(#a);", "@import"),
    ("@\\69mport 'a';", "@import"),
    ("a { background: url(a.png) }", "url"), ("a { background: URL( 'a.png' ) }", "url"),
    ("a { background: url(\"https://a.b/c\") }", "url"), ("a { background: u\\72l(a) }", "url"),
    ("a { background: \\000075 rl(a) }", "url"),
    ("a { background: url(data:image/png;base64,AA) }", "url"),
    ("a { background: image-set('a.png' 1x) }", "image-set"),
    ("a { background: -webkit-image-set('a.png' 1x) }", "-webkit-image-set"),
    ("@font-face { src: url(a.woff2) }", "url"), ("a { b: src('#x') }", "src"), ("url(", "url"),
    ("/* c */url(a)", "url"), ("'s'url(a)", "url"), ("'open\nurl(a)", "url"),
  ])
  func `what would load a file is found, however it is written`(css: String, name: String) {
    #expect(StyleProblem.all(in: css).map(\.violation) == [.load(name)])
  }

  @Test(arguments: [
    "", "/* url(a) @import */", "a::before { content: 'url(a) \\' @import' }",
    "a { fill: url(#b) }",
    "a { fill: url( '#b' ) }", "a { --curl: 1; width: calc(1px) }", ".url { color: var(--url) }",
    "@media (width <= 40rem) { a { & b { color: red } } }", "@namespace svg 'x';",
    "a { b: curl(c) }",
    "/* open", "'open", "\\", "a { background: linear-gradient(red, blue) }",
  ])
  func `comments, texts, places in the page and other functions are fine`(css: String) {
    #expect(StyleProblem.all(in: css).isEmpty)
  }

  @Test(arguments: [
    "/* </style> */", "a { content: '</STYLE' }", "</ style", "<!-- a", "/* ]]> */",
  ])
  func `what would leave the style element is found in comments and texts too`(css: String) {
    #expect(StyleProblem.all(in: css).count == 1)
  }

  @Test func `a control character is a problem, a tab is none`() {
    #expect(StyleProblem.all(in: "a\u{0}b\u{1}").map(\.violation) == [.controlCharacter(0)])
    #expect(StyleProblem.all(in: "\u{C}").map(\.violation) == [.controlCharacter(12)])
    #expect(StyleProblem.all(in: "\ta { }").isEmpty)
  }

  @Test func `every problem has its line, in the order of the lines`() {
    let css = "a { }\n/* two\nlines */ @import 'x';\n\nb { c: url(\n d) } </style>"
    #expect(
      StyleProblem.all(in: css) == [
        StyleProblem(line: 3, violation: .load("@import")),
        StyleProblem(line: 5, violation: .load("url")),
        StyleProblem(line: 6, violation: .breakout("</")),
      ])
  }

  @Test func `an own sheet follows ours and keeps its characters`() throws {
    let css = "@media (width <= 40rem) { a > b { & c { content: \"<&\" } } }"
    let own = StyleSheet(own: css) { "sha256-\($0.count)" }
    let page = try HTMLWriter.bytes(of: SampleReports.reports()[0], in: PageLayout(ownStyle: own))
    let root = try #require(HTMLNode(parsing: page))
    let sheets = root.all("style")
    #expect(sheets.count == 2 && sheets[1].text.contains(css))
    #expect(String(decoding: page, as: UTF8.self).contains("<style>\(own.text)</style>"))
  }
}
