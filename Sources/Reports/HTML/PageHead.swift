import Model

/// Writes the `head` of a page: security policy, title and style sheets.
struct PageHead {
  let page: HTMLPage
  /// The scripts that the page runs.
  let scripts: [PageScript]
  /// Whether the page draws popups.
  let hasPopups: Bool

  func write() {
    let out = page.out
    let report = page.report
    out.element("head") {
      out.element("meta", .plain("charset", "utf-8"))
      out.element(
        "meta", .plain("http-equiv", "Content-Security-Policy"), .plain("content", policy))
      out.element(
        "meta", .plain("name", "viewport"), .plain("content", "width=device-width, initial-scale=1")
      )
      out.element("meta", .plain("name", "color-scheme"), .plain("content", "light dark"))
      out.element("meta", .plain("name", "referrer"), .plain("content", "no-referrer"))
      out.element("meta", .plain("name", "generator"), .plain("content", "Firetally"))
      out.element("title", text: "\(report.title) · \(report.context.appName)")
      for sheet in sheets { out.element("style") { out.styleSheet(sheet) } }
    }
  }

  /// Our sheet, then the reader's sheet, so that its rules override ours.
  private var sheets: [StyleSheet] {
    [.shared] + (hasPopups ? [.popups] : []) + (page.layout.ownStyle.map { [$0] } ?? [])
  }

  private var policy: String {
    SecurityPolicy.text(styles: sheets.map(\.digest), scripts: scripts.map(\.digest))
  }
}

/// What a page may load and run: only the style sheets and scripts within it.
enum SecurityPolicy {
  /// The Content-Security-Policy that allows style sheets and scripts by their digests.
  ///
  /// No script may turn text into markup: the page allows no policy for trusted types.
  static func text(styles: [String], scripts: [String]) -> String {
    [
      "default-src 'none'", "style-src \(quoted(styles))", "script-src \(quoted(scripts))",
      "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].joined(separator: "; ")
  }

  private static func quoted(_ digests: [String]) -> String {
    digests.isEmpty ? "'none'" : digests.map { "'\($0)'" }.joined(separator: " ")
  }
}
