import Foundation
import Testing

@testable import Model

/// Keeps the pages of the rules true: their tables, and what the code cites of them.
@Suite("The manual of the rules")
struct ManualTests {
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let pages = [
    "rules", "limits", "replay", "loads", "filters", "ratings", "moments", "events",
  ]

  /// The pages of the rules, one after the other.
  private static func manual() throws -> String {
    try pages.map {
      try String(contentsOf: root.appending(path: "docs/\($0).md"), encoding: .utf8)
    }.joined(separator: "\n")
  }

  /// The anchors that a Markdown renderer gives the headings.
  private static func anchors() throws -> Set<String> {
    let headings = try manual().split(separator: "\n").filter { $0.hasPrefix("#") }
    return Set(
      headings.map { heading in
        heading.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
      })
  }

  private static func sources() throws -> [URL] {
    let folder = root.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try #require(files).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
  }

  @Test func `every heading that the sources cite is there`() throws {
    let anchors = try Self.anchors()
    var cited = 0
    for file in try Self.sources() {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: #/docs/(\w+)\.md#([A-Za-z0-9-]+)/#)
      where Self.pages.contains(String(match.1)) {
        #expect(anchors.contains(String(match.2)), "\(match.2) in \(file.lastPathComponent)")
        cited += 1
      }
    }
    #expect(cited > 20)
  }

  @Test
  func `the table of settings has every setting's names, unit, built-in value and bound`() throws {
    let rows = try Self.manual().split(separator: "\n").filter { $0.hasPrefix("| ") }
    for setting in SettingDescriptor.all {
      let names = setting.wireNames.map { "`\($0)`" }.joined(separator: ", ")
      let unit = setting.unit == .seconds ? ", seconds" : ""
      let builtIn = setting.builtIn.map(String.init) ?? "not limited"
      let accepted =
        switch setting.bound {
        case .positive: "1 and up"
        case .zeroOrMore: "0 and up"
        case .zeroOrLessIsOff: "any; 0 and less"
        }
      let row =
        "| \(setting.title)\(unit) | `\(setting.key.rawValue)` | \(names) | \(builtIn) | \(accepted)"
      #expect(rows.contains { $0.hasPrefix(row) }, "\(setting.key.rawValue)")
    }
  }

  @Test func `the table of ratings has the words of every star`() throws {
    let manual = try Self.manual()
    for stars in StarRating.allCases {
      let row = "| \(stars.rawValue) | \(stars.text) | \(stars.emoji) | \(stars.colour.rawValue) |"
      #expect(manual.contains(row))
    }
  }

  @Test(arguments: Feature.allCases)
  func `the popup's words stand in the manual`(feature: Feature) throws {
    let popup = Popup(
      feature: feature, limit: FeatureLimit(limit: 2, cooldownSeconds: 120), usage: 0,
      remainingCooldown: .zero, appName: "APP", price: nil)
    let invitation = popup.description.prefix { $0 != "." }
    #expect(
      try Self.manual().contains("| \(feature.rawValue) | \(popup.title) | \(invitation). |"))
  }

  @Test func `every kind of event and every reason to skip a user is named in the manual`() throws {
    let manual = try Self.manual()
    for kind in EventKind.allCases { #expect(manual.contains("`\(kind.rawValue)`")) }
    let reasons: [SkipReason] = [.ownUser, .emptyName, .shortId, .adId]
    for reason in reasons { #expect(manual.contains("| `\(reason.id)` |")) }
    #expect(manual.contains("`\(LastSeenRule.countedAs)`"))
  }
}
