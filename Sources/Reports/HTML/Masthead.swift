import Model

/// The top of a page: whose app, which report, what it says, and for what time.
struct Masthead {
  let page: Page

  func write() {
    page.out.element("header", .class("masthead")) {
      page.out.element("div", .class("running-head")) {
        page.out.element("p", .class("app")) {
          page.out.element("bdi", text: VisibleText.clipped(page.report.frame.appName, to: 60))
        }
        navigation()
      }
      page.out.element("h1", text: page.report.title)
      page.out.element("p", .class("summary"), text: page.report.summary)
      frame()
    }
  }

  private func navigation() {
    page.out.element("nav", .plain("aria-label", "Reports")) {
      page.out.element("ul") {
        for name in Report.Name.allCases {
          page.out.element("li") { link(to: name) }
        }
      }
    }
  }

  private func link(to name: Report.Name) {
    let title =
      name == .index
      ? "At a glance"
      : name.rawValue.prefix(1).uppercased()
        + name.rawValue.dropFirst()
    let current = name == page.report.name ? [Attribute.plain("aria-current", "page")] : []
    page.out.element("a", [.href(name)] + current) { page.out.text(title) }
  }

  private func frame() {
    let report = page.report
    let frame = report.frame
    page.out.element("dl", .class("frame")) {
      entry("Period") {
        page.out.text(page.time.period(from: frame.start, to: frame.end))
      }
      entry(report.dataTime.label) {
        guard let at = report.dataTime.at else { return page.out.text("never") }
        TimeMarkup(page: page).write(at)
        page.out.text(" (\(page.time.distance(to: at)))")
      }
      entry("Written") { TimeMarkup(page: page).write(frame.now) }
      entry("Time zone") {
        page.out.text(page.time.calendar.knowsZone ? frame.timeZone : "UTC")
      }
    }
  }

  private func entry(_ term: String, content: () -> Void) {
    page.out.element("div") {
      page.out.element("dt", text: term)
      page.out.element("dd") { content() }
    }
  }
}
