import Model
import Store

/// The section with what the texts of a period are about: docs/feedback-themes.md#in-the-reports.
struct FeedbackThemes {
  static let id = "themes"
  private let texts: WrittenTexts
  private let themes: [Theme]
  private let titles: [String: String]

  init(_ data: RatingsData, _ texts: WrittenTexts) {
    self.texts = texts
    themes = data.themes
    titles = Dictionary(data.themes.map { ($0.id, $0.title) }) { first, _ in first }
  }

  /// The title of a theme; the id of one that the list no longer has.
  func title(of id: String) -> String { titles[id] ?? id }

  /// The themes of the period with their texts, the most frequent first.
  var counted: [ThemeCount] {
    let current = counts(of: texts.current)
    let before = counts(of: texts.previous).mapValues(\.count)
    let known = Set(themes.map(\.id))
    let other = Set(current.keys).union(before.keys).subtracting(known).sorted()
    return (themes.map(\.id) + other).map { id in
      ThemeCount(id: id, texts: current[id] ?? [], previous: before[id] ?? 0)
    }.filter { !$0.texts.isEmpty || $0.previous > 0 }
      .enumerated().sorted { left, right in
        (right.element.texts.count, right.element.previous, left.offset)
          < (left.element.texts.count, left.element.previous, right.offset)
      }.map(\.element)
  }

  private func counts(of texts: [WrittenText]) -> [String: [WrittenText]] {
    texts.reduce(into: [:]) { counts, text in
      for theme in text.themes { counts[theme, default: []].append(text) }
    }
  }

  /// Themes that the sentence names.
  private static let namedThemes = 3

  /// How many texts there are, and what most are about; the texts of both places are counted.
  var sentence: String {
    let count = texts.current.count
    let open = "Open feedback of all periods: \(NumberWords.grouped(texts.openCount))."
    guard count > 0 else { return "No text with one to three stars in this period. \(open)" }
    let named = counted.filter { !$0.texts.isEmpty }.prefix(Self.namedThemes).map {
      "\(title(of: $0.id)) (\(NumberWords.grouped($0.texts.count)))"
    }
    let most = named.isEmpty ? "" : ": " + named.joined(separator: ", ")
    return "\(NumberWords.counted(count, "text")) with one to three stars in this period\(most). "
      + open
  }

  func section(_ context: ReportContext) -> Section {
    let words = CellWords(time: TimeWords(context: context))
    let obstacle = texts.obstacle.map { Block.text("There is no comparison: \($0).") }
    var section = Section(
      .ratings, Self.id,
      [.figures(figures(words)), .table(themeTable)] + [obstacle].compactMap(\.self)
        + [.table(versionTable), .table(repeatedTable)])
    section.answer = sentence
    return section
  }

  /// A share of the texts, and what it was before.
  private func share(
    _ id: String, _ label: String, _ words: CellWords, of isCounted: (WrittenText) -> Bool
  ) -> Figure {
    func ratio(_ texts: [WrittenText]) -> Ratio {
      Ratio(texts.count(where: isCounted), of: texts.count)
    }
    return Figure(
      id: id, label: label, value: .ratio(ratio(texts.current)), note: "texts",
      changeNote: texts.obstacle.map { "no comparison: \($0)" }
        ?? "\(words.words(ratio(texts.previous))) before")
  }

  private func figures(_ words: CellWords) -> [Figure] {
    [
      Figure(id: "low-texts", label: "Texts", value: .count(texts.current.count))
        .compared(texts.change),
      share("too-short", "Too short to act on", words) { $0.isTooShort },
      share("without-theme", "Without a theme", words) { $0.themes.isEmpty },
      Figure(
        id: "open-feedback", label: "Open feedback", value: .count(texts.openCount),
        note: "of all periods"),
    ]
  }

  private var themeTable: Table {
    let (now, before) = (texts.current.count, texts.previous.count)
    return Table(
      id: "themes", title: "By theme", of: counted,
      columns: [
        Column("theme", "Theme", .leading) { .text(title(of: $0.id)) },
        Column("texts", "Texts") { .count($0.texts.count) },
        Column("share", "Of texts") { .ratio(Ratio($0.texts.count, of: now)) },
        Column("before", "Before") {
          texts.obstacle == nil ? .ratio(Ratio($0.previous, of: before)) : .missing
        },
        Column("in_store", "App Store") { .count($0.count(in: .store)) },
        Column("open", "Open") { .count($0.texts.count { $0.isOpen == true }) },
      ],
      emptyText: texts.current.isEmpty && texts.previous.isEmpty
        ? "Nobody wrote with one to three stars." : "No text has a theme of the list.")
  }

  private var versionTable: Table {
    let versions = Dictionary(grouping: texts.current, by: \.appVersion)
    let rows = versions.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .flatMap { version, texts in
        counts(of: texts).sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
          .map { (version: version, id: $0, share: Ratio($1.count, of: texts.count)) }
      }
    return Table(
      id: "theme-versions", title: "By app version", of: rows,
      columns: [
        Column("version", "Version", .leading) {
          .text($0.version.isEmpty ? "Not told" : $0.version)
        },
        Column("theme", "Theme", .leading) { .text(title(of: $0.id)) },
        Column("share", "Of the version's texts") { .ratio($0.share) },
      ],
      shownLimit: 12, emptyText: "No text of this period has a theme.", isFolded: true)
  }

  private var repeatedTable: Table {
    let groups = NearDuplicates.groups(of: texts.current.map(\.folded)).map { group in
      group.map { texts.current[$0] }
    }
    return Table(
      id: "repeated-texts", title: "Nearly the same text", of: groups,
      columns: [
        Column("text", "Newest of them", .leading, wraps: true) { .text($0[0].text) },
        Column("times", "Times") { .count($0.count) },
        Column("stars", "Mean stars") { texts in
          .mean(Mean(total: texts.reduce(0) { $0 + $1.stars }, count: texts.count))
        },
        Column("in_store", "App Store") { .count($0.count { $0.place == .store }) },
        Column("versions", "Versions", .leading) { .text(Self.versions(of: $0)) },
        Column("newest", "Newest") { .instant($0[0].at) },
      ],
      shownLimit: 12, emptyText: "No two texts of this period are nearly the same.", isFolded: true)
  }

  private static func versions(of texts: [WrittenText]) -> String {
    Set(texts.map(\.appVersion)).subtracting([""]).sorted().joined(separator: ", ")
  }
}

/// A theme with its texts of the period.
struct ThemeCount {
  var id: String
  var texts: [WrittenText]
  /// Its texts of the period before.
  var previous: Int

  func count(in place: WrittenText.Place) -> Int { texts.count { $0.place == place } }
}
