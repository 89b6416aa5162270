import Model
import Store

/// The parts of the index that other sections make: one place for each.
struct IndexPanels {
  let tiles: IndexTiles
  /// What cannot be judged yet; nil when all can.
  let unjudged: String?
  /// What they write: the newest low ratings with their words.
  let written: Section
  private let experiments: ExperimentData?
  private let words: CellWords
  /// The last 28 days, with settings and releases marked.
  let month: Section

  init(
    _ usage: UsageData, _ limits: LimitsData, _ ratings: RatingsData, context: ReportContext
  ) {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    tiles = IndexTiles(
      usage.history, calendar,
      judgedBy: context.scope == nil ? context.findingSettings : nil)
    unjudged = IndexAttention.unjudged(usage.history, context)
    written = Self.written(ratings, context)
    experiments = limits.experiments
    words = CellWords(time: TimeWords(context: context))
    month = IndexMonth.section(
      Array(usage.history.complete.suffix(IndexMonth.dayCount)), calendar)
  }

  /// Does the limit sell: the funnel of the page Usage, after what queries say of money.
  func sells(saying moneySentences: [String], _ reports: [Report]) -> Section {
    let usage = reports.first { $0.name == .usage }
    let tables = usage?.sections.flatMap(\.blocks).compactMap(\.table)
    let digest = PeopleDigest.blocks(tables?.first { $0.id == PeopleFunnel.id }, experiments, words)
    let money = moneySentences.isEmpty ? [] : [Block.text(moneySentences.joined(separator: " "))]
    return Section(
      .index, "sells",
      money + (digest.isEmpty ? [.text("Nobody can be followed in this period.")] : digest))
  }

  /// Texts in the panel.
  private static let mostTexts = 2
  /// Characters of a text in the panel; the ratings report has it whole.
  private static let textLimit = 120

  private static func written(_ ratings: RatingsData, _ context: ReportContext) -> Section {
    let times = context.start.unixSeconds..<context.end.unixSeconds
    let low = ratings.feedback.filter { entry in
      entry.feedback.stars <= 3
        && (!context.comparison.isMonth || times.contains(entry.feedback.timestamp))
    }.prefix(mostTexts).map { entry in
      // The stars, the words, when and where: the rest is on the page that the panel leads to.
      UserComment(
        at: Instant(unixSeconds: entry.feedback.timestamp), stars: entry.feedback.stars,
        title: nil, text: VisibleText.clipped(entry.feedback.text, to: textLimit), userId: "",
        gender: "", country: entry.feedback.country, appVersion: entry.feedback.appVersion,
        origin: nil, state: nil)
    }
    let list = FeedbackList(
      id: "written", entries: Array(low), shownLimit: mostTexts,
      emptyText: "No low rating has a text.")
    let themes = FeedbackThemes(ratings, WrittenTexts(ratings, context: context))
    return Section(.index, "written", [.text(themes.sentence), .feedback(list)])
  }
}

/// The few lines of the index about people and limits: docs/people.md#digest.
enum PeopleDigest {
  /// What the index has room for of the funnel on the page Usage, which a query counts, and a
  /// sentence on the newest change; empty when nobody was active free.
  static func blocks(
    _ funnel: Table?, _ experiments: ExperimentData?, _ words: CellWords
  ) -> [Block] {
    guard let funnel, !funnel.rows.isEmpty else { return [] }
    let table = Table(
      id: "limit-sells", title: "From active to subscriber",
      columns: Array(funnel.columns.prefix(3)),
      rows: funnel.rows.map { Table.Row(cells: Array($0.cells.prefix(3))) })
    return [.table(table)] + [sentence(experiments, words)].compactMap { $0.map(Block.text) }
  }

  /// What became of those who tapped after the newest change; nil without a change.
  static func sentence(_ data: ExperimentData?, _ words: CellWords) -> String? {
    guard let newest = data?.experiments.first(where: { $0.countedDays > 0 }) else { return nil }
    let (before, after) = (
      Ratio(newest.before.tapped, of: newest.before.people),
      Ratio(newest.after.tapped, of: newest.after.people)
    )
    guard let verdict = ShareVerdict(from: before, to: after) else { return nil }
    let days = NumberWords.counted(newest.countedDays, "day")
    return
      "\(LimitExperiments.words(newest).capitalizedFirst): \(words.words(.ratio(after))) people "
      + "tapped to subscribe in \(days), \(words.words(.ratio(before))) before: \(verdict.rawValue)."
  }
}

/// The panel with the last 28 days.
enum IndexMonth {
  static let dayCount = 28

  static func section(
    _ facts: [DayFacts], _ calendar: ReportCalendar, title: String = "28 days"
  ) -> Section {
    let days = facts.map { (day: calendar.day(of: $0.start), facts: $0) }
    let known = days.filter { $0.facts.coverage != .none }
    return Section(
      id: "month", title: title,
      lead: known.isEmpty
        ? "The ledger has no whole day yet."
        : "Taps a day. Hatched days have no data.",
      blocks: [.chart(chart(days, title: "Taps of \(title)"))])
  }

  private typealias Day = (day: CivilDay, facts: DayFacts)

  private static func chart(_ days: [Day], title: String) -> Chart {
    Chart(
      form: .columns([
        Chart.Series("not_blocked", "Not blocked", .main),
        Chart.Series("blocked", "Blocked", .blocked),
      ]),
      labels: days.map(\.day.short), unit: "taps a day", weekUnit: "taps a week",
      alternative: alternative(days.map(\.facts)),
      table: Table(
        id: "month", title: title, of: days,
        columns: [
          Column("day", "Day", .leading) { .day($0.day) },
          Column("not_blocked", "Not blocked") {
            known($0.facts, max(0, $0.facts.taps - $0.facts.blocked))
          },
          Column("blocked", "Blocked") { known($0.facts, $0.facts.blocked) },
          Column("people", "People active") { known($0.facts, $0.facts.activeUsers) },
          Column("data", "Data", .leading) { .text($0.facts.dataWord) },
        ],
        emptyText: "The ledger has no whole day yet."),
      isCompact: true, uncovered: Set(days.indices.filter { days[$0].facts.coverage != .whole }))
  }

  private static func known(_ facts: DayFacts, _ count: Int) -> Cell {
    facts.coverage == .none ? .missing : .count(count)
  }

  private static func alternative(_ days: [DayFacts]) -> String {
    let counts = days.filter { $0.coverage != .none }.map(\.taps)
    guard let least = counts.min(), let most = counts.max() else { return "Nothing to draw." }
    return "Between \(NumberWords.grouped(least)) and \(NumberWords.counted(most, "tap")) a day."
  }
}
