package import Model

/// What they write, in a few lines for the index: docs/feedback-themes.md#in-the-reports.
package enum FeedbackDigest {
  /// Texts that it shows.
  static let shownTexts = 4
  /// Themes that its sentence names.
  private static let namedThemes = 3

  /// One sentence and the newest texts with few stars, eight lines at most; the texts of both
  /// places are told apart.
  package static func blocks(_ data: RatingsData, context: ReportContext) -> [Block] {
    let texts = WrittenTexts(data, context: context, newestCount: shownTexts)
    return [.text(sentence(data, texts)), .table(table(texts))]
  }

  private static func sentence(_ data: RatingsData, _ texts: WrittenTexts) -> String {
    let count = texts.current.count
    let open = "\(NumberWords.grouped(texts.openCount)) open in all"
    guard count > 0 else { return "No text with one to three stars in this period; \(open)." }
    let themes = FeedbackThemes(data, texts)
    let named = themes.counted.filter { !$0.texts.isEmpty }.prefix(namedThemes).map {
      "\(themes.title(of: $0.id)) (\(NumberWords.grouped($0.texts.count)))"
    }
    let most = named.isEmpty ? "" : ": " + named.joined(separator: ", ")
    return "\(NumberWords.counted(count, "text")) with one to three stars in this period\(most); "
      + "\(open)."
  }

  private static func table(_ texts: WrittenTexts) -> Table {
    Table(
      id: "newest-texts", title: "Newest texts with one to three stars", of: texts.newest,
      columns: [
        Column("stars", "Stars", .leading) { .stars($0.stars) },
        Column("text", "Text", .leading, wraps: true) { .text($0.text) },
        Column("place", "Where", .leading) { .text($0.place.rawValue) },
        Column("version", "Version", .leading) { .text($0.appVersion) },
        Column("at", "When") { .instant($0.at) },
      ],
      emptyText: "Nobody has written with one to three stars.")
  }
}
