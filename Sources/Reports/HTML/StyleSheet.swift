/// The one style sheet of all pages: docs/decisions/010-report-design.md.
struct StyleSheet: Sendable {
  /// CSS without `<` and `&`, which would have to be escaped in XML and must not be in HTML.
  let text: String
  /// `sha256-` and the digest of the text in base 64; a test keeps the two together.
  let digest: String

  static let shared = StyleSheet(
    text: [paletteRules, pageRules, sectionRules, tableRules, chartRules, popupRules, mediaRules]
      .joined(separator: "\n"),
    digest: "sha256-d4VZlz4cZlEusY1DWr0CeboylU9aO2uu5idw4ISfbvA=")

  /// Nothing may be loaded or run; of styles only this sheet.
  var contentSecurityPolicy: String {
    "default-src 'none'; style-src '\(digest)'; base-uri 'none'; form-action 'none'"
  }
}
