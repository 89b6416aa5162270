/// A style sheet as it stands in a page: ours (docs/decisions/010-report-design.md), or the reader's.
package struct StyleSheet: Hashable, Sendable {
  /// All that stands between the tags.
  let text: String
  /// `sha256-` and the digest of the text in base 64; a test keeps the two together for ours.
  let digest: String

  static let shared = StyleSheet(
    text: [
      paletteRules, pageRules, sectionRules, tableRules, chartRules, popupRules, controlRules,
      mediaRules,
    ].joined(separator: "\n"),
    digest: "sha256-c15ihE3kmZeTsTuChWRR8TwjdlSpf8EMKTYc7r9uClU=")
}
