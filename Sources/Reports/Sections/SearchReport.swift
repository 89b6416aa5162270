/// A list of every section of the other pages with the words in it, which the filter of its table
/// searches without a request: docs/reports/form.md#find.
package enum SearchReport {
  /// Characters of a section's words at most, so that the page stays small.
  static let wordLimit = 1_500

  /// Expects the index first; nil without reports.
  package static func make(of reports: [Report]) -> Report? {
    guard let index = reports.first else { return nil }
    let places = reports.flatMap { report in report.sections.map { (report: report, section: $0) } }
    return Report(
      name: .search, title: "Find", context: index.context, dataTime: index.dataTime,
      summary: "Questions with the sections that answer them, and every section with its words.",
      sections: [
        asked(places).map { Section(.search, "questions", [.table($0)]) },
        Section(
          .search, "sections",
          [.table(table(places, CellWords(time: TimeWords(context: index.context))))]),
      ].compactMap(\.self))
  }

  private typealias Place = (report: Report, section: Section)

  /// The questions whose sections are there; nil without one.
  private static func asked(_ places: [Place]) -> Table? {
    let answered = questions.flatMap { asked in
      asked.answers.compactMap { answer($0, places) }.map { (question: asked.question, link: $0) }
    }
    guard !answered.isEmpty else { return nil }
    return Table(
      id: "questions", title: "Questions", of: answered,
      columns: [
        Column("question", "Question", .leading, wraps: true) { .text($0.question) },
        Column("section", "Answered by", .leading, wraps: true) { $0.link },
      ])
  }

  /// A link to the table, where the section has it; nil without the section.
  private static func answer(_ answer: Question.Answer, _ places: [Place]) -> Cell? {
    guard
      let place = places.first(where: {
        $0.report.name.rawValue == answer.page && $0.section.id == answer.section
      })
    else { return nil }
    let block = place.section.blocks.first { $0.table?.id == answer.table }
    // A table with the title of its section has no head of its own.
    let table = block?.table.flatMap { $0.isTitled ? $0 : nil }
    return .place(
      "\(place.report.title): \(table?.title ?? place.section.title)", place.report.name,
      section: table.map { "\($0.id)-\(block?.chart == nil ? "table" : "chart")" }
        ?? place.section.id)
  }

  private static func table(_ places: [Place], _ words: CellWords) -> Table {
    Table(
      id: "sections", title: "All sections", of: places,
      columns: [
        Column("page", "Page", .leading) {
          .text($0.report.name == .index ? "At a glance" : $0.report.title)
        },
        Column("section", "Section", .leading) {
          .place($0.section.title, $0.report.name, section: $0.section.id)
        },
        Column("words", "Words", .leading, wraps: true) { .excerpt(text(of: $0.section, words)) },
      ])
  }

  /// The words of a section in the order of reading, each once.
  private static func text(of section: Section, _ words: CellWords) -> String {
    var text = section.lead
    var seen: Set<String> = []
    for part in section.blocks.flatMap({ $0.searchedWords(words) }) {
      guard text.utf8.count < wordLimit else { break }
      if seen.insert(part).inserted { text += " · " + part }
    }
    // The mark of small counts is explained on the page that has the number.
    let plain = text.replacing(CellWords.smallMark, with: "")
    return VisibleText.line(VisibleText.clipped(plain, to: wordLimit))
  }
}

extension Block {
  /// The words of a block that somebody may look for.
  fileprivate func searchedWords(_ words: CellWords) -> [String] {
    switch self {
    case .text(let text): [text]
    case .figures(let figures): figures.map(\.label)
    case .table(let table): table.searchedWords(words)
    case .chart(let chart): chart.markedDays.map(\.words) + chart.table.searchedWords(words)
    case .definitions(let definitions): definitions.map { "\($0.term): \($0.meaning)" }
    case .findings(let findings): findings.map(\.sentence)
    case .feedback(let list): list.shownEntries.map { VisibleText.clipped($0.text, to: 200) }
    case .popups(let gallery): [gallery.title] + gallery.previews.map(\.caption)
    case .contents(let links): links.map(\.summary)
    }
  }
}

extension Table {
  /// The title, the heads of the columns, and the names in the rows.
  fileprivate func searchedWords(_ words: CellWords) -> [String] {
    [title] + columns.map(\.title)
      + shownRows.flatMap(\.cells).compactMap { cell in
        switch cell {
        case .text(let text), .code(let text): VisibleText.clipped(text, to: 120)
        case .level(_, let text): text
        default: nil
        }
      }
  }
}
