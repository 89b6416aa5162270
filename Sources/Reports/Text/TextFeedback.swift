import Model

/// Feedback as text: stars, the words, and where they came from.
struct TextFeedback {
  let words: CellWords
  let report: Report.Name
  let layout: PageLayout

  func write(_ list: FeedbackList, to sheet: inout TextSheet) {
    guard !list.entries.isEmpty else { return sheet.line(list.emptyText) }
    for entry in list.shownEntries {
      sheet.gap()
      let heading = VisibleText.clipped(entry.heading, to: FeedbackMarkup.headingLimit)
      sheet.paragraph("\(CellWords.stars(entry.stars)) \(heading)")
      sheet.paragraph(
        VisibleText.clipped(entry.text, to: FeedbackMarkup.textLimit), indent: 2)
      let source = [
        words.words(.instant(entry.at)), entry.country, entry.gender, entry.appVersion,
        entry.userId, entry.state?.rawValue ?? "",
      ].filter { !$0.isEmpty }.map {
        TextDirection.isolated(VisibleText.clipped($0, to: FeedbackMarkup.wordLimit))
      }
      sheet.paragraph(source.joined(separator: " · "), indent: 2)
    }
    guard let (shown, total) = list.shownOf else { return }
    sheet.line(
      ShownWords.sentence(shown: shown, total: total, held: total, of: report, in: layout))
  }
}
