import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// The scripts of pages: docs/reports.md#with-javascript.
@Suite struct PageScriptTests {
  private static let all: [PageScript] = [.tables, .days, .feedback, .compare]

  @Test(arguments: all)
  func `each digest matches its script`(script: PageScript) throws {
    #expect(script.digest == (try SHA256Sum.of(script.text)))
  }

  @Test(arguments: all)
  func `a script neither ends its element early nor could make markup, run text or load`(
    script: PageScript
  ) {
    let inside = script.text.dropFirst(UnescapedText.start.count).dropLast(UnescapedText.end.count)
    for breakout in UnescapedText.breakouts { #expect(!inside.contains(breakout)) }
    let forbidden = [
      "innerHTML", "outerHTML", "insertAdjacent", "document.write", "createContextualFragment",
      "eval",
      "Function(", "setTimeout", "fetch", "XMLHttp", "import", "location", "storage", "cookie",
    ]
    for word in forbidden { #expect(!script.text.contains(word), "\(word)") }
  }

  @Test func `what a page runs is under 14 kB, without its comments and indentation`() {
    let usage = PageScript.tables.text.utf8.count + PageScript.days.text.utf8.count
    let ratings = PageScript.tables.text.utf8.count + PageScript.feedback.text.utf8.count
    #expect(usage < 14_000 && ratings < 14_000)
    #expect(Self.all.allSatisfy { !$0.text.contains("\n//") && !$0.text.contains("\n ") })
  }

  @Test func `a page runs only the scripts that it needs`() {
    let reports = SampleReports.reports()
    let names = Dictionary(
      uniqueKeysWithValues: reports.map { ($0.name, PageScript.needed(by: [$0])) })
    #expect(names[.index] == [.tables] && names[.search] == [.tables])
    #expect(names[.usage] == [.tables, .days])
    #expect(names[.runs] == [.tables, .days])
    #expect(names[.ratings] == [.tables, .feedback])
    #expect(PageScript.needed(by: reports) == [.tables, .days, .feedback])
    #expect(PageScript.needed(by: EmptyReports.reports) == [.tables])
  }

  @Test
  func `the policy names the digests of the page's own sheets and scripts, and nothing more`()
    throws
  {
    let own = StyleSheet(own: ".x { color: red }") { _ in "sha256-own" }
    for style in [nil, own] {
      let layout = PageLayout(ownStyle: style)
      for report in SampleReports.reports() {
        let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report, in: layout)))
        let policy = try #require(
          root.all("meta").first { $0.attributes["http-equiv"] == "Content-Security-Policy" }?
            .attributes["content"])
        let digests = PageScript.needed(by: [report]).map { "'\($0.digest)'" }
        let popups = report.name == .popups ? ["'\(StyleSheet.popups.digest)'"] : []
        let styles =
          ["'\(StyleSheet.shared.digest)'"] + popups + (style == nil ? [] : ["'sha256-own'"])
        #expect(
          policy == "default-src 'none'; style-src \(styles.joined(separator: " ")); "
            + "script-src \(digests.joined(separator: " ")); base-uri 'none'; form-action 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'")
        #expect(
          root.all("style").count == styles.count && root.all("script").count == digests.count)
      }
    }
  }

  @Test func `a page without scripts allows none`() {
    #expect(SecurityPolicy.text(styles: [], scripts: []).contains("script-src 'none'"))
  }
}
