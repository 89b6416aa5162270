import Foundation
import Testing

@testable import Reports

/// The design that docs/decisions/010-report-design.md settles.
@Suite struct StyleSheetTests {
  @Test("the policy's digest is the style sheet's")
  func digest() throws {
    #expect(StyleSheet.shared.digest == (try SHA256Sum.of(StyleSheet.shared.text)))
  }

  @Test("the sheet needs no escaping, loads nothing and is no longer than 24 kB")
  func text() {
    let text = StyleSheet.shared.text
    #expect(!text.contains("<") && !text.contains("&") && !text.contains("url("))
    #expect(!text.contains("@import"))
    #expect(text.utf8.count < 24_000)
  }

  @Test("text and signs keep WCAG AA contrast on paper, light and dark", arguments: [0, 1])
  func contrast(theme: Int) throws {
    let colours = try StyleSheetTests.palettes()[theme]
    let paper = try #require(colours["paper"])
    for name in ["ink", "soft", "accent", "blocked", "good", "middling", "poor"] {
      let ratio = paper.contrast(to: try #require(colours[name]))
      #expect(ratio >= 4.5, "\(name): \(ratio)")
    }
    for name in ["quiet", "heat-5"] {
      #expect(paper.contrast(to: try #require(colours[name])) >= 3, "\(name)")
    }
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
