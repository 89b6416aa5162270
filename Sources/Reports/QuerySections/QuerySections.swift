package import Model

/// A query that was run, with what came of it.
package struct QueryOutcome: Sendable {
  package var query: SectionQuery
  package var result: Result<SQLResult, QueryFault>

  package init(_ query: SectionQuery, _ result: Result<SQLResult, QueryFault>) {
    self.query = query
    self.result = result
  }

  /// Whether the query was answered, by no row.
  fileprivate var hasNoRow: Bool {
    guard case .success(let result) = result else { return false }
    return result.rows.isEmpty
  }
}

/// The queries of a report, and their way onto its pages: docs/figures.md#place.
package struct QuerySections {
  private let outcomes: [QueryOutcome]
  /// The files that hold no query, because something is wrong with them.
  private let broken: [QueryFault]
  private let context: QueryContext

  /// Tiles that the index takes at most: with more of them it is longer than one screen.
  package static let mostTiles = 3

  package init(_ outcomes: [QueryOutcome], broken: [QueryFault] = [], _ context: QueryContext) {
    let replaced = Set(outcomes.filter { !$0.hasNoRow }.compactMap(\.query.replaces))
    self.outcomes = outcomes.filter {
      !replaced.contains($0.query.name) && !($0.query.replaces != nil && $0.hasNoRow)
    }
    self.broken = broken
    self.context = context
  }

  /// What is wrong with the queries where they stand, and the places that are probably misspelt;
  /// the reports are those without queries.
  package func faults(on reports: [Report]) -> [QueryFault] {
    let all = outcomes.map { outcome in
      var outcome = outcome
      // Also of those that a page leaves out.
      outcome.query.isOfEverybody = false
      return outcome
    }
    return QuerySections(all, context).placed(in: reports).faults
  }

  /// The reports with the blocks, findings and page of the queries, and the tiles of the index and
  /// what it says of money.
  ///
  /// A query that failed has a sentence in its place and a finding; it costs no other.
  func placed(
    in reports: [Report]
  ) -> (reports: [Report], tiles: [Figure], moneySentences: [String], faults: [QueryFault]) {
    guard !outcomes.isEmpty || !broken.isEmpty else { return (reports, [], [], []) }
    var reports = reports
    var tiles: [Figure] = []
    var moneySentences: [String] = []
    var faults: [QueryFault] = []
    if !broken.isEmpty || outcomes.contains(where: { $0.query.page == .own }) {
      reports.append(ownReport(reports, context))
    }
    for index in reports.indices {
      let own = outcomes.filter { $0.query.page == reports[index].name }
      guard !own.isEmpty || reports[index].name == .own else { continue }
      var page = QueryPage(reports[index], context)
      page.place(own)
      if reports[index].name == .own { page.tell(broken) }
      reports[index] = page.report
      tiles += page.tiles
      moneySentences += page.moneySentences
      faults += page.faults
    }
    return (reports, Array(tiles.prefix(Self.mostTiles)), moneySentences, faults)
  }

  /// Before anything is placed on it.
  private func ownReport(_ reports: [Report], _ context: QueryContext) -> Report {
    let own = outcomes.count { $0.query.page == .own }
    return Report(
      name: .own, title: "Your own figures", context: context.report,
      dataTime: reports.first { $0.name == .usage }?.dataTime
        ?? Report.DataTime(label: "Newest event", at: nil),
      summary: "What \(NumberWords.counted(own, "query", "queries")) of your own "
        + "\(own == 1 ? "counts" : "count").", sections: [])
  }
}

/// One page while queries are placed on it.
private struct QueryPage {
  private(set) var report: Report
  private(set) var tiles: [Figure] = []
  /// In the order of the page.
  private(set) var moneySentences: [String] = []
  private(set) var faults: [QueryFault] = []
  private let context: QueryContext
  private var findings: [Finding] = []
  /// The ids of the tables and lists that the page has.
  private var ids: Set<String>

  init(_ report: Report, _ context: QueryContext) {
    self.report = report
    self.context = context
    ids = Set(report.sections.flatMap(\.blocks).compactMap(\.listId))
  }

  mutating func place(_ outcomes: [QueryOutcome]) {
    let sorted = outcomes.sorted {
      ($0.query.place.position, $0.query.name) < ($1.query.place.position, $1.query.name)
    }
    var sections: Set<String> = []
    for section in sorted.map(\.query.place.section) where sections.insert(section).inserted {
      place(Self.withRows(sorted.filter { $0.query.place.section == section }), in: section)
    }
    report.findings = Finding.worstFirst(report.findings + findings)
    findings = []
  }

  /// Where no person may be named, one query says so instead of each.
  private static func withRows(_ group: [QueryOutcome]) -> [QueryOutcome] {
    let isEmpty = group.allSatisfy { $0.query.isOfEverybody && $0.hasNoRow }
    return isEmpty ? Array(group.prefix(1)) : group
  }

  private mutating func place(_ all: [QueryOutcome], in id: String) {
    let isNew = !report.sections.contains { $0.id == id }
    func isLeftOut(_ outcome: QueryOutcome) -> Bool { outcome.query.isOptional && outcome.hasNoRow }
    let group = isNew ? all : all.filter { !isLeftOut($0) }
    if group.allSatisfy(isLeftOut) { return }
    if isNew {
      faults += doubts(of: group.map(\.query))
      addSection(id, beginningWith: group[0].query)
    }
    guard let index = report.sections.firstIndex(where: { $0.id == id }) else { return }
    // What one query gives stays together, and counts as one block.
    var pieces = Self.pieces(of: report.sections[index].blocks)
    for (number, outcome) in group.enumerated() {
      let query = outcome.query
      let blocks = blocks(of: outcome, in: id)
      let hasLead = query.lead != nil && !(isNew && number == 0)
      let lead = hasLead ? [Block.text(words(of: query.lead ?? ""))] : []
      pieces.insert(lead + blocks, at: min(query.place.position - 1, pieces.count))
    }
    report.sections[index].blocks = pieces.flatMap(\.self)
    report.sections[index].hideRepeatedTitle()
  }

  /// Why queries that make a section probably mean one that the page has.
  private func doubts(of queries: [SectionQuery]) -> [QueryFault] {
    let ids = report.sections.map(\.id)
    return queries.flatMap { query -> [QueryFault] in
      let names = [("place", query.place.section), ("after", query.after ?? "")]
      return names.compactMap { key, id in
        guard query.keyLines[key] != nil, !ids.contains(id),
          key == "after" || query.sectionTitle == nil,
          let meant = ClosestName.closest(to: id, among: ids)
        else { return nil }
        return query.fault(
          ofKey: key,
          "the page '\(report.name.rawValue)' has no section '\(id)'. Did you mean '\(meant)'? "
            + "Give a new section its title by the key 'section'.")
      }
    }
  }

  /// Blocks one by one, but figures with what follows them: some days have none.
  private static func pieces(of blocks: [Block]) -> [[Block]] {
    blocks.reduce(into: []) { pieces, block in
      if case .figures = pieces.last?.last {
        pieces[pieces.count - 1].append(block)
      } else {
        pieces.append([block])
      }
    }
  }

  private mutating func addSection(_ id: String, beginningWith query: SectionQuery) {
    let section = Section(
      id: id, title: query.sectionTitle ?? query.title, lead: words(of: query.lead ?? ""))
    let after = report.sections.firstIndex { $0.id == query.after }
    report.sections.insert(section, at: after.map { $0 + 1 } ?? report.sections.count)
  }

  /// `{comparison}` stands for the days that changes compare, `{today}` for up to when today is.
  private func words(of lead: String) -> String {
    lead.replacing("{comparison}", with: context.comparison.sentence)
      .replacing("{today}", with: context.comparison.sentenceOfToday)
  }

  /// What a query says and its table, or why there is none; what else it gives is noted.
  private mutating func blocks(of outcome: QueryOutcome, in section: String) -> [Block] {
    let query = outcome.query
    do {
      guard !ids.contains(query.id) else {
        throw query.fault(
          ofKey: "id", "the page has a table '\(query.id)' already; set another 'id'")
      }
      let table = try QueryTable(query, try outcome.result.get(), in: section, context)
      ids.insert(query.id)
      findings += table.findings
      moneySentences += [table.moneySentences].compactMap(\.self)
      if var tile = table.tile {
        (tile.report, tile.section) = (query.page, section)
        tiles.append(tile)
      }
      if let place = report.sections.firstIndex(where: { $0.id == section && $0.answer == nil }) {
        report.sections[place].answer = table.answer
      }
      return [table.answer.map(Block.text), table.block].compactMap(\.self)
    } catch {
      // A pseudonymizer that cannot read the database throws another error.
      let fault = error as? QueryFault ?? query.fault("\(error)")
      faults.append(fault)
      findings.append(finding("A query failed.", fault, query.name, in: section))
      return [.text(context.words(of: fault))]
    }
  }

  private func finding(
    _ what: String, _ fault: QueryFault, _ name: String, in section: String
  ) -> Finding {
    Finding(
      .warn, "\(what) \(context.words(of: fault))", report: report.name, section: section,
      subject: Report.faultSubject + name)
  }

  /// The files that hold no query, at the end of the page.
  mutating func tell(_ broken: [QueryFault]) {
    guard !broken.isEmpty else { return }
    let id = "broken-files"
    report.sections.append(
      Section(
        id: id, title: "Files with errors",
        lead: "`firetally report --check` says the same without a report.",
        blocks: broken.map { .text(context.words(of: $0)) }))
    var files: Set<String> = []
    let findings = broken.filter { files.insert($0.file).inserted }.map {
      finding("A section file is wrong.", $0, $0.file, in: id)
    }
    report.findings = Finding.worstFirst(report.findings + findings)
  }
}

extension Report {
  fileprivate static let faultSubject = "query failed "

  /// What is wrong with its queries and their files, in sentences; each is a finding, too.
  package var queryFaults: [String] {
    findings.filter { $0.subject?.hasPrefix(Self.faultSubject) == true }.map(\.sentence)
  }
}

extension Block {
  /// The id of its table or list, unique on its page; nil for other blocks.
  fileprivate var listId: String? {
    switch self {
    case .feedback(let list): list.id
    case .popups(let gallery): gallery.id
    default: table?.id
    }
  }
}

/// What a query becomes on its page: a table, or a chart with its table.
struct QueryTable {
  let block: Block
  /// The tile of the index; nil without one.
  let tile: Figure?
  let findings: [Finding]
  /// What the query says above its table; nil without such a sentence.
  let answer: String?
  /// What the index says; nil without such a sentence.
  let moneySentences: String?

  /// `section` is where its findings lead.
  ///
  /// - Throws: `QueryFault` for what the query did not give as its header says, and what a
  ///   pseudonymizer throws.
  init(
    _ query: SectionQuery, _ result: SQLResult, in section: String, _ context: QueryContext
  ) throws {
    let reading = try QueryRows(query, result, context)
    let rows = try reading.rows()
    // In an unknown period, a count of 0 means unknown.
    findings =
      query.basis == .events && context.report.knowsNothing
      ? [] : QueryFindings(query: query, rows: rows, words: context.words).found(in: section)
    let table = try Self.table(reading, rows)
    block =
      try query.chart.map { .chart(try $0.chart(of: table, rows, query, context)) }
      ?? .table(table.leavingOutEmpty(query.columns))
    tile = Self.tile(of: query, table)
    answer = try reading.sentence(SectionQuery.saysColumn, about: rows)
    moneySentences = try reading.sentence(SectionQuery.indexSaysColumn, about: rows)
  }

  private static func table(_ reading: QueryRows, _ rows: [QueryRows.Row]) throws -> Table {
    let (query, context) = (reading.query, reading.context)
    return Table(
      id: query.id, title: query.title, columns: query.columns.map(\.head),
      rows: rows.map { Table.Row(cells: $0.cells, isTotal: $0.isTotal) },
      shownLimit: query.shown ?? .max, totalCount: try reading.totalCount(),
      emptyText: query.basis == .events ? context.report.emptyText(query.empty) : query.empty,
      isFolded: query.isFolded, source: context.source(of: query))
  }

  /// The cell of the total, or of the first row when there is none; nil without rows.
  private static func tile(of query: SectionQuery, _ table: Table) -> Figure? {
    guard let place = query.columns.firstIndex(where: { $0.id == query.tile }),
      let row = table.rows.first(where: \.isTotal) ?? table.rows.first
    else { return nil }
    let column = query.columns[place]
    return Figure(
      id: "\(query.id)-\(column.id)".replacing("_", with: "-"), label: query.title,
      value: row.cells[place], note: column.title.lowercased(),
      definition: "The result of the query \(query.name). The query is below its table.",
      source: table.source)
  }
}

extension Table {
  /// Drops optional columns that are empty in every row; without rows all stay.
  fileprivate func leavingOutEmpty(_ queried: [QueryColumn]) -> Table {
    let kept = queried.indices.filter { place in
      !queried[place].isOptional || rows.isEmpty || rows.contains { $0.cells[place] != .missing }
    }
    return part(columns: kept)
  }
}

/// The rows that meet a check of their query, as one finding a check: docs/figures.md#checks.
struct QueryFindings {
  /// The rows that a finding names beside its own.
  static let mostNames = 3

  let query: SectionQuery
  let rows: [QueryRows.Row]
  let words: CellWords

  /// In the order of the checks; each is about its first row, and names others.
  func found(in section: String) -> [Finding] {
    query.checks.indices.compactMap { index in
      let failing = rows.filter { $0.fails.indices.contains(index) && $0.fails[index] }
      guard let first = failing.first else { return nil }
      let sentence = [sentence(query.checks[index], first), others(failing.dropFirst())]
        .compactMap(\.self).joined(separator: " ")
      return finding(index, sentence, naming: stableName(of: first), in: section)
    }
  }

  /// `Also: Thu 26 Nov, Fri 27 Nov and 2 more.`; nil without a row.
  private func others(_ rows: ArraySlice<QueryRows.Row>) -> String? {
    guard !rows.isEmpty else { return nil }
    let names = rows.map(name).filter { !$0.isEmpty }.unique
    guard names.count == rows.count else {
      return "So do \(NumberWords.counted(rows.count, "more row"))."
    }
    let isLong = names.count > Self.mostNames
    return "Also: \(isLong ? names.listed(Self.mostNames) : names.listed)."
  }

  private func finding(
    _ index: Int, _ sentence: String, naming row: String, in section: String
  ) -> Finding {
    // Ids stay while a check is the first; those after it have their numbers.
    let number = index == 0 ? "" : " check \(index + 1)"
    return Finding(
      query.checks[index].level, sentence, report: query.page, section: section,
      subject: "\(query.name)\(number) \(row)")
  }

  /// What names the row in the finding's id: nothing where rows are people, as none of them stays
  /// the first.
  private func stableName(of row: QueryRows.Row) -> String {
    query.columns.contains { $0.unit == .userId } ? "" : name(of: row)
  }

  /// What names the row: its cells other than numbers, which stay from day to day.
  private func name(of row: QueryRows.Row) -> String {
    zip(query.columns, row.cells).filter { $0.0.unit.isName }.map { words.words($0.1) }
      .joined(separator: " ")
  }

  private func sentence(_ check: RowCheck, _ row: QueryRows.Row) -> String {
    // In one pass: a text in a cell may hold the name of a column, too.
    check.say.replacing(/\{([^{}]*)\}/) { match in
      query.columns.firstIndex { $0.id == match.output.1 }.map { words.words(row.cells[$0]) }
        ?? String(match.output.0)
    }
  }
}
