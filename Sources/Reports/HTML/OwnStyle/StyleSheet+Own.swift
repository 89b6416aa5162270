extension StyleSheet {
  /// The reader's own sheet, which follows ours in every page: docs/reports.md#your-own-style-sheet.
  ///
  /// - Parameters:
  ///   - css: with line feeds alone between its lines, as the browser will digest it, and without
  ///     problems of `StyleProblem`.
  ///   - digest: `sha256-` and the SHA-256 of a text in base 64.
  package init(own css: String, digest: (String) -> String) {
    precondition(StyleProblem.all(in: css).isEmpty, "a sheet is checked before it is embedded")
    text = UnescapedText.marked(css)
    self.digest = digest(text)
  }
}
