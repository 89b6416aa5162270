import Reports

/// Writes comments, each as a quotation.
extension HTMLPage {
  func write(_ list: FeedbackList) {
    guard !list.entries.isEmpty else {
      return out.element("p", .class("empty"), text: list.emptyText)
    }
    write(list.openEntries)
    if !list.foldedEntries.isEmpty {
      out.element("details", .class("fold rest")) {
        out.element("summary") {
          out.element("h3", text: "\(NumberWords.grouped(list.foldedEntries.count)) older")
        }
        write(list.foldedEntries)
      }
    }
    guard let (shown, total) = list.shownOf else { return }
    shownOf(shown: shown, total: total, of: list.id)
  }

  private func write(_ entries: ArraySlice<UserComment>) {
    out.element("ol", .class("feedback")) {
      for entry in entries {
        out.element("li", (entry.anchor.map { [.id($0)] } ?? []) + choices(entry)) {
          write(entry)
        }
      }
    }
  }

  /// The attributes by which the page filters comments.
  private func choices(_ entry: UserComment) -> [Attribute] {
    let words: [(name: StaticString, value: String)] = [
      ("data-country", entry.country), ("data-version", entry.appVersion),
    ]
    return [.plain("data-stars", "\(entry.stars)")]
      + words.filter { !$0.value.isEmpty }.map {
        .plain($0.name, VisibleText.clipped($0.value, to: UserComment.wordLimit))
      }
  }

  private func write(_ entry: UserComment) {
    out.element("p", .class("given")) {
      stars(entry.stars)
      if entry.title == nil {
        out.element("span", .class("verdict"), text: entry.heading)
      }
    }
    out.element("blockquote") {
      if let title = entry.title, !title.isEmpty {
        out.element("p", .plain("dir", "auto")) {
          out.element(
            "strong", text: VisibleText.clipped(title, to: UserComment.headingLimit))
        }
      }
      out.element(
        "p", .plain("dir", "auto"),
        text: VisibleText.clipped(entry.text, to: UserComment.textLimit))
    }
    out.element("p", .class("fine")) { source(entry) }
  }

  private func source(_ entry: UserComment) {
    write(entry.at)
    for part in [entry.country, entry.gender, entry.appVersion, entry.userId] where !part.isEmpty {
      out.text(" · ")
      out.element("bdi", text: VisibleText.clipped(part, to: UserComment.wordLimit))
    }
    for word in entry.statusWords { out.text(" · \(word)") }
  }
}
