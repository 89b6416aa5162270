/// A style sheet within a page: ours (docs/decisions/010-report-design.md) or the reader's.
package struct StyleSheet: Hashable, Sendable {
  /// The text between the tags.
  let text: String
  /// `sha256-` and the digest of the text in base 64; a test checks it for our sheet.
  let digest: String

  /// Colours and type sizes by their roles, for light and dark screens.
  static let paletteRules = text(of: PackageResources.palette_css)
  /// Drawings: a gutter for the axis, hairlines for the grid, one meaning a colour.
  static let chartRules = text(of: PackageResources.charts_css)
  /// The app's popups, 24 px between parts, 4 px bars, 20 px corners: docs/reports.md#popups.
  ///
  /// They keep the app's colours where the reader forces others.
  static let popupRules = text(of: PackageResources.popups_css)

  /// After the page, its sections and tables come drawings, controls that scripts add, wide and narrow
  /// pages, paper, and the index.
  static let shared = StyleSheet(
    text: [
      paletteRules, text(of: PackageResources.page_css), chartRules,
      text(of: PackageResources.controls_css),
    ].joined(separator: "\n"),
    digest: "sha256-9d94QooUZwTb2daq1CXNRIu0qM4WJ2Mz6ZK1NEU1HbY=")

  /// The rules of the popups, for the pages that draw them.
  static let popups = StyleSheet(
    text: popupRules, digest: "sha256-Ie0D58W0WxNtiMs1L7Lbsz1sHeBk9qbwrcRJwqaVkp8=")

  /// A file of this folder, which is compiled into the program, without its last line feed.
  private static func text(of file: [UInt8]) -> String {
    String(decoding: file.dropLast(), as: UTF8.self)
  }
}

extension StyleSheet {
  /// The reader's sheet, which follows ours: docs/reports.md#your-own-style-sheet.
  ///
  /// - Parameters:
  ///   - css: a text without a `StyleProblem`, with single line feeds, as the browser digests it.
  ///   - digest: `sha256-` and the SHA-256 of a text in base 64.
  package init(own css: String, digest: (String) -> String) {
    precondition(StyleProblem.all(in: css).isEmpty, "a sheet is checked before it is embedded")
    text = UnescapedText.marked(css)
    self.digest = digest(text)
  }
}

/// The text of a `style` or `script` element, which HTML does not unescape but XML does.
///
/// A CDATA section, within comments of CSS and JavaScript, makes both read the same text.
enum UnescapedText {
  static let start = "/*<![CDATA[*/"
  static let end = "/*]]>*/"

  /// Texts that would end the element or the section early; CSS and our scripts need none of them.
  static let breakouts = ["</", "<!--", "]]>"]

  static func marked(_ text: String) -> String {
    start + "\n" + text + "\n" + end
  }
}
