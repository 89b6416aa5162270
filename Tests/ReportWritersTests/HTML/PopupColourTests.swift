import Foundation
import Testing

@testable import ReportWriters
@testable import Reports

/// The colours of the popups are readable: docs/reports.md#popups.
@Suite struct PopupColourTests {
  private static let themes = StyleSheet.popupRules.components(separatedBy: "@media")

  /// The variables of the rule with this beginning, light or dark.
  private func colours(_ selector: String, theme: Int) throws -> [String: Colour] {
    let rule = try #require(
      Self.themes[theme].components(separatedBy: "\n").joined(separator: " ")
        .components(separatedBy: "}").first {
          $0.contains(" \(selector) {")
            && $0.contains("--card-ink")
        })
    var colours: [String: Colour] = [:]
    for match in rule.matches(of: /--([a-z-]+): #([0-9a-f]{6})/) {
      colours[String(match.output.1)] = Colour(match.output.2)
    }
    return colours
  }

  @Test(arguments: [0, 1])
  func `words on the card can be read, stars and borders of fields be seen`(theme: Int) throws {
    let colours = try colours(".popup", theme: theme)
    let card = try #require(colours["card"])
    for name in ["card-ink", "card-soft"] {
      #expect(try #require(colours[name]).contrast(to: card) >= 4.5, "\(name)")
    }
    for name in ["red", "orange", "green", "none"] {
      #expect(try #require(colours[name]).contrast(to: card) >= 3, "\(name)")
    }
    let later = try #require(colours["card-line"])
    #expect(try #require(colours["card-ink"]).contrast(to: later) >= 4.5)
  }

  @Test
  func `white words can be read on both ends of a button, and on the pill that lies on it`() throws
  {
    let white = try #require(Colour("ffffff"))
    let gradients = StyleSheet.popupRules.matches(
      of: /(?:action|subscribe|submit) \{ background: [^#]*#([0-9a-f]{6}), #([0-9a-f]{6})/)
    #expect(gradients.count == 3)
    for gradient in gradients {
      for hex in [gradient.output.1, gradient.output.2] {
        let end = try #require(Colour(hex))
        #expect(white.contrast(to: end) >= 4.5)
        #expect(white.contrast(to: end.under(white, share: 0x26 / 255)) >= 4.5, "\(hex)")
      }
    }
    #expect(StyleSheet.popupRules.contains("border-radius: 16px; background: #ffffff26"))
  }

  @Test
  func `the paywall's words can be read on both ends of its ground and on its banner`() throws {
    let grounds = try #require(
      StyleSheet.popupRules.firstMatch(
        of: /linear-gradient\(#([0-9a-f]{6}), #([0-9a-f]{6})\)/))
    let white = try #require(Colour("ffffff"))
    for hex in [grounds.output.1, grounds.output.2] {
      let ground = try #require(Colour(hex))
      for word in ["ecf4ff", "c3d5f0", "bfd9ff", "8fd0a8"] {
        #expect(try #require(Colour(word)).contrast(to: ground) >= 4.5, "\(word) \(hex)")
      }
      let offer = ground.under(white, share: 0x14 / 255)
      #expect(try #require(Colour("ecf4ff")).contrast(to: offer) >= 4.5)
    }
    let banner = try #require(
      StyleSheet.popupRules.firstMatch(
        of: /limit-banner \{.*background: #([0-9a-f]{6}); color: #([0-9a-f]{6})/))
    let ground = try #require(Colour(banner.output.1))
    #expect(try #require(Colour(banner.output.2)).contrast(to: ground) >= 4.5)
  }
}
