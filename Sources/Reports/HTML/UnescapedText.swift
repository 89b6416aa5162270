/// The text of a `style` or `script` element, which HTML reads as it is and XML would not.
///
/// Marked as a CDATA section inside comments that CSS and JavaScript share, it is the same text to both.
enum UnescapedText {
  static let start = "/*<![CDATA[*/"
  static let end = "/*]]>*/"

  /// What would end the element or the section too early; none of it belongs in CSS or our scripts.
  static let breakouts = ["</", "<!--", "]]>"]

  static func marked(_ text: String) -> String {
    start + "\n" + text + "\n" + end
  }
}
