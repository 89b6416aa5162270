import Foundation
import Testing

@testable import ReportWriters
@testable import Reports

/// The design of docs/decisions/010-report-design.md.
@Suite struct StyleSheetTests {
  @Test func `the policy's digest matches the style sheet`() throws {
    for sheet in [StyleSheet.shared, .popups] {
      #expect(sheet.digest == (try SHA256Sum.of(sheet.text)))
    }
  }

  @Test func `the sheet needs no escaping, loads nothing and is no longer than 24 KiB`() {
    let text = StyleSheet.shared.text
    #expect(!text.contains("<") && !text.contains("&"))
    // The patterns of the drawings are in the page.
    #expect(!text.replacing("url(#hatch-", with: "").contains("url("))
    #expect(!text.contains("@import"))
    #expect(text.utf8.count < 24 * 1_024)
  }

  @Test(arguments: [0, 1])
  func `text and signs keep WCAG AA contrast on paper, light and dark`(theme: Int) throws {
    let colours = try StyleSheetTests.palettes()[theme]
    let paper = try #require(colours["paper"])
    for name in ["ink", "soft", "accent", "good", "middling", "poor"] {
      let ratio = paper.contrast(to: try #require(colours[name]))
      #expect(ratio >= 4.5, "\(name): \(ratio)")
    }
    for name in ["quiet", "heat-5", "series", "blocked"] {
      #expect(paper.contrast(to: try #require(colours[name])) >= 3, "\(name)")
    }
    // Stacked series differ also for who sees no colour, and by a pattern.
    let series = try #require(colours["series"])
    #expect(series.contrast(to: try #require(colours["blocked"])) >= 3)
  }

  @Test
  func `the manual names every variable that a reader's own sheet may set, and no other`() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../docs/reports.md")
    let manual = try String(contentsOf: path, encoding: .utf8)
    let section = try #require(manual.components(separatedBy: "## Your own style sheet").last)
      .components(separatedBy: "\n## ")[0]
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `--") }.joined()
    var named = Set(rows.matches(of: /`(--[a-z0-9-]+)`/).map { String($0.output.1) })
    if named.contains("--heat-5") { named.formUnion((1...4).map { "--heat-\($0)" }) }
    let set = StyleSheet.paletteRules.matches(of: /(--[a-z0-9-]+):/).map { String($0.output.1) }
    #expect(named == Set(set))
  }

  @Test func `a star is 44 by 44 pixels at every width`() {
    let text = StyleSheet.shared.text + StyleSheet.popups.text
    let rules = text.matches(of: /\.touch-stars( span)? \{([^}]*)\}/)
      .map { "\($0.output.1 ?? ""):\($0.output.2)" }
    #expect(rules.count == 2)
    #expect(rules.contains { $0.hasPrefix(":") && $0.contains("line-height: 44px;") })
    #expect(rules.contains(" span: flex: none; width: 44px; "))
  }

  @Test func `no class of the popups styles a drawing`() {
    func names(_ rules: String) -> Set<String> {
      Set(rules.matches(of: /\.([a-z][a-z0-9-]*)[^;{}]*\{/).map { String($0.output.1) })
    }
    let shared = names(StyleSheet.popupRules).intersection(names(StyleSheet.chartRules))
    // The bar of a wait is drawn inside and outside of popups.
    #expect(shared.isSubset(of: ["track"]))
  }

  @Test(arguments: [0, 1])
  func `a found word stands out from its surroundings, light and dark`(theme: Int) throws {
    let colours = try StyleSheetTests.palettes()[theme]
    let mark = try #require(colours["mark"])
    #expect(mark.contrast(to: try #require(colours["ink"])) >= 4.5)
    #expect(mark.contrast(to: try #require(colours["paper"])) >= 1.2)
  }

  /// The colours of `:root`, light and then dark.
  private static func palettes() throws -> [[String: Colour]] {
    StyleSheet.paletteRules.components(separatedBy: "@media").map { rules in
      var colours: [String: Colour] = [:]
      for match in rules.matches(of: /--([a-z0-9-]+): #([0-9a-f]{6});/) {
        colours[String(match.output.1)] = Colour(String(match.output.2))
      }
      return colours
    }
  }
}
