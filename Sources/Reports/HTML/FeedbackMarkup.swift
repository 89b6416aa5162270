import Model

/// Writes comments, each as a quotation.
struct FeedbackMarkup {
  /// Characters of a text on the page; the app allows 500: docs/reports.md#hostile-text.
  static let textLimit = 600
  static let wordLimit = 60
  static let headingLimit = 120

  let page: HTMLPage

  func write(_ list: FeedbackList) {
    guard !list.entries.isEmpty else {
      return page.out.element("p", .class("empty"), text: list.emptyText)
    }
    page.out.element("ol", .class("feedback")) {
      for entry in list.shownEntries {
        page.out.element("li", (entry.anchor.map { [.id($0)] } ?? []) + choices(entry)) {
          write(entry)
        }
      }
    }
    guard let (shown, total) = list.shownOf else { return }
    ShownMarkup(page: page).write(shown: shown, total: total, held: total, of: list.id)
  }

  /// The attributes by which the page filters comments.
  private func choices(_ entry: UserComment) -> [Attribute] {
    let words: [(name: StaticString, value: String)] = [
      ("data-country", entry.country), ("data-version", entry.appVersion),
    ]
    return [.plain("data-stars", "\(entry.stars)")]
      + words.filter { !$0.value.isEmpty }.map {
        .plain($0.name, VisibleText.clipped($0.value, to: FeedbackMarkup.wordLimit))
      }
  }

  private func write(_ entry: UserComment) {
    page.out.element("p", .class("given")) {
      CellMarkup(page: page).stars(entry.stars)
      if entry.title == nil {
        page.out.element("span", .class("verdict"), text: entry.heading)
      }
    }
    page.out.element("blockquote") {
      if let title = entry.title, !title.isEmpty {
        page.out.element("p", .plain("dir", "auto")) {
          page.out.element(
            "strong", text: VisibleText.clipped(title, to: FeedbackMarkup.headingLimit))
        }
      }
      page.out.element(
        "p", .plain("dir", "auto"),
        text: VisibleText.clipped(entry.text, to: FeedbackMarkup.textLimit))
    }
    page.out.element("p", .class("fine")) { source(entry) }
  }

  private func source(_ entry: UserComment) {
    TimeMarkup(page: page).write(entry.at)
    for part in [entry.country, entry.gender, entry.appVersion, entry.userId] where !part.isEmpty {
      page.out.text(" · ")
      page.out.element("bdi", text: VisibleText.clipped(part, to: FeedbackMarkup.wordLimit))
    }
    for word in entry.statusWords { page.out.text(" · \(word)") }
  }
}
