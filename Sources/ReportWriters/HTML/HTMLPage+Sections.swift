import Model
import Reports

/// Writes a section: title and lead beside the blocks.
extension HTMLPage {
  func write(_ section: Section) {
    let heading = "\(section.id)-title"
    let width: [Attribute] = section.blocks.contains(where: \.isWide) ? [.class("wide")] : []
    // Two reports of one page may have sections of the same title.
    let labels = layout.isSingleFile ? "\(Self.titleId) \(heading)" : heading
    out.element("section", [.id(section.id), .plain("aria-labelledby", labels)] + width) {
      out.element("div", .class("section-head")) {
        out.element("h2", .id(heading)) {
          out.element("a", .class("permalink"), .href(anchor: section.id), text: section.title)
        }
        out.element("p", .class("lead"), text: section.lead)
        if report.hasContents, section.id != report.sections.first?.id {
          out.element(
            "a", .class("to-top"), .href(anchor: Self.contentsId),
            .plain("aria-label", "From \(section.title) to the list of sections"),
            text: "↑ Sections")
        }
      }
      guard !section.blocks.isEmpty else { return }
      guard isTucked(section) else { return body(of: section, tucksTables: hasTucks) }
      out.element("details", .class("tuck"), .plain("open", "")) {
        let answer = answer(of: section)
        let name = ["Show \(section.title)", answer].compactMap(\.self).joined(separator: ": ")
        out.element("summary", .plain("aria-label", name)) {
          if let answer { out.element("span", .class("answer"), text: answer) }
          out.text(answer == nil ? "Show" : " Show")
        }
        body(of: section)
      }
    }
  }

  private func body(of section: Section, tucksTables: Bool = false) {
    out.element("div", .class("section-body")) {
      for group in groups(of: section.blocks) {
        guard tucksTables, let title = group.longTitle else {
          write(group)
          continue
        }
        out.element("details", .class("tuck"), .plain("open", "")) {
          out.element("summary", text: "Show \(title)")
          write(group)
        }
      }
    }
  }

  /// Whether a narrow page closes what is long: neither the index nor the overview, nor the page of
  /// all sections, whose lists are what it is for.
  private var hasTucks: Bool { ![.index, .overview, .search].contains(report.name) }

  /// Whether a narrow page shows the section's head alone until somebody asks for the rest: no
  /// first section, whose long tables are closed instead.
  private func isTucked(_ section: Section) -> Bool {
    guard hasTucks, section.id != report.sections.first?.id else { return false }
    return section.blocks.reduce(0) { $0 + $1.narrowLines } > Self.shortLines
  }

  /// Lines of a section that a narrow page shows at once.
  private static var shortLines: Int { 6 }

  /// The blocks in order; consecutive narrow tables form a group.
  private func groups(of blocks: [Block]) -> [[Block]] {
    var groups: [[Block]] = []
    for block in blocks {
      if block.isNarrowTable, let last = groups.last?.last, last.isNarrowTable {
        groups[groups.count - 1].append(block)
      } else {
        groups.append([block])
      }
    }
    return groups
  }

  private func write(_ group: [Block]) {
    guard group.count > 1 else { return group.forEach(write) }
    out.element("div", .class("pair")) {
      for block in group {
        out.element("div") { write(block) }
      }
    }
  }

  private func write(_ block: Block) {
    switch block {
    case .text(let text): out.element("p", text: text)
    case .figures(let figures): write(figures)
    case .table(let table): write(table)
    case .chart(let chart): write(chart)
    case .definitions(let definitions): write(definitions)
    case .findings(let findings): write(findings)
    case .feedback(let list): write(list)
    case .popups(let gallery): write(gallery)
    case .contents(let links): write(links)
    }
  }

  private func write(_ definitions: [Definition]) {
    out.element("details", .class("fold")) {
      out.element("summary", text: "What the words mean")
      list(definitions)
    }
  }

  func list(_ definitions: [Definition]) {
    out.element("dl", .class("definitions")) {
      for definition in definitions {
        out.element("div") {
          out.element("dt", text: definition.term)
          out.element("dd", text: definition.meaning)
        }
      }
    }
  }

  private func write(_ links: [PageLink]) {
    out.element("ul", .class("contents")) {
      for link in links {
        out.element("li") {
          out.element("h3") { out.element("a", .href(link.report), text: link.title) }
          out.element("p", text: link.summary)
          out.element("p", .class("fine"), text: time.freshness(of: link.dataTime))
        }
      }
    }
  }
}

extension Block {
  var isGallery: Bool { if case .popups = self { true } else { false } }

  /// Whether the block also uses the margin beside it: popups, and tables of nine columns or more,
  /// of seven with a long id.
  fileprivate var isWide: Bool {
    guard case .table(let table) = self else { return isGallery }
    return table.columns.count >= (table.hasLongId ? 7 : 9)
  }

  /// About how many lines of text the block is high on a narrow page.
  fileprivate var narrowLines: Int {
    switch self {
    case .text: 3
    case .figures(let figures): 2 * figures.count
    case .table(let table):
      table.isFolded ? 1 : table.shownRows.count * (1 + table.columns.count / 2)
    case .chart(let chart): 8 + chart.table.rows.count
    case .definitions: 1
    case .findings(let findings): 3 * findings.count
    case .feedback(let list): 6 * list.openEntries.count
    case .popups: 24
    case .contents(let links): 3 * links.count
    }
  }

  /// Whether the block is a table that leaves room for another table beside it.
  fileprivate var isNarrowTable: Bool {
    guard case .table(let table) = self, !table.isFolded else { return false }
    return table.columns.count <= 3
  }
}

extension [Block] {
  /// Lines of a table that a narrow page shows at once.
  private static var longestTable: Int { 24 }

  /// The title of a table that is too long for a narrow page, with its rows; nil for other blocks.
  fileprivate var longTitle: String? {
    guard count == 1, case .table(let table) = self[0], !table.title.isEmpty,
      self[0].narrowLines > Self.longestTable
    else { return nil }
    return "\(table.title) (\(NumberWords.grouped(table.shownRows.count)))"
  }
}

/// Writes a row of figures.
extension HTMLPage {
  func write(_ figures: [Figure]) {
    out.element("dl", .class("figures of-\(figures.count)")) {
      for figure in figures {
        out.element("div") { write(figure) }
      }
    }
    definitions(of: figures)
  }

  private func write(_ figure: Figure) {
    out.element("dt") { label(of: figure) }
    out.element("dd", .class("value")) { value(figure.value) }
    if let note = note(figure) { out.element("dd", .class("note"), text: note) }
    if let change = words.changeWords(of: figure) {
      out.element("dd", .class("change"), text: change)
    }
    guard let trend = figure.drawnTrend else { return }
    out.element("dd", .class("course")) {
      self.trend(trend, words: "\(figure.label) by day: \(words.words(.trend(trend)))")
    }
  }

  func label(of figure: Figure) {
    guard let report = figure.report else { return out.text(figure.label) }
    out.element("a", .href(report, anchor: figure.section)) { out.text(figure.label) }
  }

  /// Shows a percentage large above its counts; for small counts, the counts above the percentage.
  private func value(_ cell: Cell) {
    guard case .ratio(let ratio) = cell, ratio.whole > 0 else { return write(cell) }
    out.text(ratio.isSmall ? counts(ratio) : NumberWords.percent(ratio.percent))
  }

  private func counts(_ ratio: Ratio) -> String {
    "\(NumberWords.grouped(ratio.part)) of \(NumberWords.grouped(ratio.whole))"
  }

  private func note(_ figure: Figure) -> String? {
    let noun = figure.note.map { " \($0)" } ?? ""
    if let share = figure.share { return words.words(share) + noun }
    guard case .ratio(let ratio) = figure.value, ratio.whole > 0 else { return figure.note }
    guard ratio.isSmall else { return counts(ratio) + noun }
    let percent = NumberWords.percent(ratio.percent) + CellWords.smallMark
    return "\(percent) of \(NumberWords.grouped(ratio.whole))\(noun)"
  }
}

/// Writes findings, each as a link to the section that explains it, with its evidence and advice.
extension HTMLPage {
  func write(_ findings: [Finding]) {
    guard !findings.isEmpty else {
      return out.element("p", .class("all-well"), text: "Nothing needs you.")
    }
    let shown = findings.prefix(report.name.shownFindings)
    var ids: Set<String> = []
    out.element("ul", .class("findings")) {
      for (place, finding) in shown.enumerated() {
        let isFirst = ids.insert(finding.id).inserted
        let anchor = isFirst ? [Attribute.id("finding-\(finding.id)")] : []
        out.element("li", anchor + [.class(finding.level.rawValue)]) {
          write(finding, atMost: sentenceLimit(place))
        }
      }
    }
    guard shown.count < findings.count else { return }
    shownOf(shown: shown.count, total: findings.count, of: "findings")
  }

  /// Characters of the sentence of a finding: on the index, which is one screen, the third and
  /// later ones have a line each, and their support on the page that they lead to.
  private func sentenceLimit(_ place: Int) -> Int {
    guard report.name == .index else { return 300 }
    return place < 2 ? 160 : 96
  }

  private func write(_ finding: Finding, atMost limit: Int) {
    sign(of: finding.level)
    out.element("span", .class("level-word"), text: finding.level.word)
    // The index is one screen: all that supports a finding is on the page that it leads to.
    let support = report.name == .index ? finding.shortSupport : finding.supportWords
    guard !support.isEmpty else { return link(finding, atMost: limit) }
    out.element("div") {
      link(finding, atMost: limit)
      for text in support {
        out.isolated("p", .class("support"), text: text)
      }
    }
  }

  private func link(_ finding: Finding, atMost limit: Int) {
    out.isolated(
      "a", .href(finding.report, anchor: finding.section),
      text: VisibleText.clipped(finding.sentence, to: limit))
  }
}

extension Report.Name {
  /// How many findings HTML and text show: the index is one screen.
  var shownFindings: Int { self == .index ? IndexReport.shownFindings : .max }
}

/// Writes how numbers are counted: closed until a reader opens it, without a script.
extension HTMLPage {
  /// Definitions, the query and its parameters; nothing on the index, which is one screen.
  func write(_ source: QuerySource?) {
    guard let source, report.name != .index else { return }
    out.element("details", .class("how")) {
      out.element("summary", text: "How is this counted?")
      if !source.definitions.isEmpty { list(source.definitions) }
      query(source)
    }
  }

  /// What figures count, in one list whose terms lead to the sections that have the numbers.
  func definitions(of figures: [Figure]) {
    let defined = figures.filter { $0.definition != nil }
    guard !defined.isEmpty else { return }
    out.element("details", .class("how")) {
      out.element("summary", text: "How is this counted?")
      out.element("dl", .class("definitions")) {
        for figure in defined {
          out.element("div") {
            out.element("dt") { label(of: figure) }
            out.element("dd", text: figure.definition ?? "")
          }
        }
      }
    }
  }

  private func query(_ source: QuerySource) {
    guard let sql = source.sql else {
      return out.element("p", .class("fine"), text: "\(source.name): \(QuerySource.coveredWords)")
    }
    // It scrolls by itself, so the keyboard has to reach it.
    out.element(
      "pre", .plain("tabindex", "0"), .plain("role", "group"),
      .plain("aria-label", "Query \(source.name)")
    ) {
      out.element("code", text: sql)
    }
    out.element("p", .class("fine")) {
      out.text("The query ")
      out.element("code", text: source.name)
      guard !source.parameters.isEmpty else { return out.text(".") }
      out.text(", with \(source.parameterWords).")
    }
  }
}

extension QuerySource {
  static let coveredWords = "the query is left out of anonymous reports, since it may name people."

  /// `:start = 1772409600000000, :time_zone = 'Europe/Berlin'`.
  var parameterWords: String {
    parameters.map { ":\($0.name) = \($0.value.literal)" }.joined(separator: ", ")
  }
}

extension SQLValue {
  /// As SQL writes it.
  var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): "'\(text.replacingScalars("'", with: "''"))'"
    case .blob(let bytes): "x'\(bytes.map(Self.hexadecimal).joined())'"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}

extension Table {
  /// Whether a cell of the first row is an id about as long as Firebase's.
  fileprivate var hasLongId: Bool {
    rows.first?.cells.contains { cell in
      if case .code(let id) = cell { id.count > 20 } else { false }
    } ?? false
  }
}
