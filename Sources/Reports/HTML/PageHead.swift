import Model

/// The head of a page: what it may load and run, its name, and its style sheets.
struct PageHead {
  let page: Page
  /// What the page runs.
  let scripts: [PageScript]

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
      out.element("title", text: "\(report.title) · \(report.frame.appName)")
      for sheet in sheets { out.element("style") { out.styleSheet(sheet) } }
    }
  }

  /// Ours, then the reader's own, which so has the last word.
  private var sheets: [StyleSheet] {
    [.shared] + (page.layout.ownStyle.map { [$0] } ?? [])
  }

  private var policy: String {
    SecurityPolicy.text(styles: sheets.map(\.digest), scripts: scripts.map(\.digest))
  }
}
