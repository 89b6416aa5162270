/// Writes a section: title and lead beside the blocks.
struct SectionMarkup {
  let page: HTMLPage

  func write(_ section: Section) {
    let heading = "\(section.id)-title"
    let width: [Attribute] = section.blocks.contains(where: \.isWide) ? [.class("wide")] : []
    // Two reports of one page may have sections of the same title.
    let labels = page.layout.isSingleFile ? "\(Masthead.titleId) \(heading)" : heading
    page.out.element(
      "section", [.id(section.id), .plain("aria-labelledby", labels)] + width
    ) {
      page.out.element("div", .class("section-head")) {
        page.out.element("h2", .id(heading)) {
          page.out.element(
            "a", .class("permalink"), .href(anchor: section.id), text: section.title)
        }
        page.out.element("p", .class("lead"), text: section.lead)
      }
      guard !section.blocks.isEmpty else { return }
      page.out.element("div", .class("section-body")) {
        for group in groups(of: section.blocks) { write(group) }
      }
    }
  }

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
    page.out.element("div", .class("pair")) {
      for block in group {
        page.out.element("div") { write(block) }
      }
    }
  }

  private func write(_ block: Block) {
    switch block {
    case .text(let text): page.out.element("p", text: text)
    case .figures(let figures): FiguresMarkup(page: page).write(figures)
    case .table(let table): TableMarkup(page: page).write(table)
    case .chart(let chart): ChartMarkup(page: page).write(chart)
    case .definitions(let definitions): write(definitions)
    case .findings(let findings): FindingsMarkup(page: page).write(findings)
    case .feedback(let list): FeedbackMarkup(page: page).write(list)
    case .popups(let gallery): PopupGalleryMarkup(page: page).write(gallery)
    case .contents(let links): write(links)
    }
  }

  private func write(_ definitions: [Definition]) {
    page.out.element("details", .class("fold")) {
      page.out.element("summary", text: "What the words mean")
      page.out.element("dl", .class("definitions")) {
        for definition in definitions {
          page.out.element("div") {
            page.out.element("dt", text: definition.term)
            page.out.element("dd", text: definition.meaning)
          }
        }
      }
    }
  }

  private func write(_ links: [PageLink]) {
    page.out.element("ul", .class("contents")) {
      for link in links {
        page.out.element("li") {
          page.out.element("h3") { page.out.element("a", .href(link.report), text: link.title) }
          page.out.element("p", text: link.summary)
          page.out.element("p", .class("fine"), text: freshness(of: link.dataTime))
        }
      }
    }
  }

  private func freshness(of dataTime: Report.DataTime) -> String {
    let distance = dataTime.at.map { page.time.distance(to: $0) } ?? "never"
    return "\(dataTime.label): \(distance)"
  }
}

extension Block {
  /// Whether the block also uses the margin column.
  fileprivate var isWide: Bool {
    if case .popups = self { true } else { false }
  }

  /// Whether the block is a table that leaves room for another table beside it.
  fileprivate var isNarrowTable: Bool {
    guard case .table(let table) = self, !table.isFolded else { return false }
    return table.columns.count <= 3
  }
}
