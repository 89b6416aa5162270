/// Sentences that need a person, each a link to the place that explains it.
struct FindingsMarkup {
  let page: Page

  func write(_ findings: [Finding]) {
    guard !findings.isEmpty else {
      return page.out.element("p", .class("all-well"), text: "Nothing needs you.")
    }
    page.out.element("ul", .class("findings")) {
      for finding in findings {
        page.out.element("li", .class(finding.level.rawValue)) { write(finding) }
      }
    }
  }

  private func write(_ finding: Finding) {
    LevelMarkup(page: page).sign(finding.level)
    page.out.element("span", .class("level-word"), text: finding.level.word)
    page.out.element("a", [.href(finding.report, anchor: finding.section)]) {
      page.out.element("bdi", text: VisibleText.clipped(finding.sentence, to: 300))
    }
  }
}
