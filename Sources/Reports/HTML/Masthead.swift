import Model

/// Writes the top of a page: app, navigation, title, summary, period and time of the data.
struct Masthead {
  /// The id of the title when several reports share the page.
  static let titleId = "title"

  let page: HTMLPage

  func write() {
    page.out.element("header", .class("masthead")) {
      runningHead()
      title()
    }
  }

  func runningHead() {
    page.out.element("div", .class("running-head")) {
      page.out.element("p", .class("app")) {
        page.out.element("bdi", text: VisibleText.clipped(page.report.context.appName, to: 60))
      }
      navigation()
    }
  }

  func title() {
    page.out.element(
      "h1", page.layout.isSingleFile ? [.id(Masthead.titleId)] : []
    ) { page.out.text(page.report.title) }
    page.out.element("p", .class("summary"), text: page.report.summary)
    if page.layout.folder == .pastDay {
      page.out.element("p", .class("fine")) {
        let day = page.time.calendar.day(of: page.report.context.now)
        page.out.text("Kept as it was on \(day.long). ")
        page.out.element("a", .href(.newest), text: "The newest report")
        page.out.element("span", .class(PastDayLinks.Side.earlier.rawValue)) {
          guard let previous = page.layout.previousDay else { return }
          page.out.text(" · ")
          page.out.element("a", .href(.pastDay(previous.day, previous.page))) {
            page.out.text(PastDayLinks.title(of: previous, on: .earlier))
          }
        }
        // The copy of the next day brings its link: it is written later.
        page.out.element("span", .class(PastDayLinks.Side.later.rawValue)) {}
      }
    }
    context()
  }

  private func navigation() {
    page.out.element("nav", .plain("aria-label", "Reports")) {
      page.out.element("ul") {
        for name in Report.Name.inNavigation where page.layout.reports.contains(name) {
          page.out.element("li") { link(to: name) }
        }
        if page.layout.hasHistory { page.out.element("li") { link(to: .history) } }
      }
    }
  }

  private func link(to name: Report.Name) {
    let isCurrent = name == page.report.name && (!page.layout.isSingleFile || name == .history)
    let current = isCurrent ? [Attribute.plain("aria-current", "page")] : []
    page.out.element("a", [.href(name)] + current) { page.out.text(name.navigationTitle) }
  }

  private func context() {
    let report = page.report
    let words = ReportHeadWords(report: report, time: page.time)
    page.out.element("dl", .class("frame")) {
      entry("Period") { page.out.text(words.period) }
      if let previous = words.previousPeriod { entry("Compared with") { page.out.text(previous) } }
      entry(report.dataTime.label) {
        guard let at = report.dataTime.at else { return page.out.text("never") }
        TimeMarkup(page: page).write(at)
        page.out.text(" (\(page.time.distance(to: at)))")
      }
      entry("Written") { TimeMarkup(page: page).write(report.context.now) }
      entry("Time zone") { page.out.text(words.timeZone) }
      if let people = words.people { entry("People") { page.out.text(people) } }
    }
  }

  private func entry(_ term: String, content: () -> Void) {
    page.out.element("div") {
      page.out.element("dt", text: term)
      page.out.element("dd") { content() }
    }
  }
}

extension Report.Name {
  /// The popups are reached from the pages that they belong to.
  fileprivate static let inNavigation = pages.filter { $0 != .popups }

  /// The name in the navigation.
  fileprivate var navigationTitle: String {
    switch self {
    case .index: "At a glance"
    case .history: "Past reports"
    case .search: "Find"
    case .usage, .limits, .popups, .ratings, .users, .runs:
      rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
  }
}
