package import Model

/// What people pay, and what makes them: docs/money.md.
///
/// Its sections are queries of the folder `Queries`; what stands here is where they go.
package enum MoneyReport {
  package static func make(_ data: UsageData, context: ReportContext) -> Report {
    Report(
      name: .money, title: "Money", context: context,
      dataTime: Report.DataTime(label: "Newest event", at: data.newestEventAt),
      summary: summary(data.people), headline: headline(data, context),
      sections: sections + [ReadCosts.section(data, context: context)].compactMap(\.self))
  }

  /// The same sentence as that below the funnel of the usage page begins with.
  private static func summary(_ people: PeopleData?) -> String {
    guard let people else {
      return "Money is counted for everybody. This report is about one profile."
    }
    guard people.knowsUserTypes else { return "No event of this period says who subscribes." }
    return "\(NumberWords.counted(people.newSubscribers, "new subscriber")) in this period, "
      + "\(NumberWords.grouped(people.stages.subscribed)) of them through the limit."
      + (people.untyped == 0
        ? ""
        : " \(NumberWords.counted(people.untyped, "person has", "people have")) no known user_type "
          + "and \(people.untyped == 1 ? "is" : "are") not counted.")
  }

  /// Of the period: the numbers of the funnel on the usage page.
  private static func headline(_ data: UsageData, _ context: ReportContext) -> [Figure] {
    guard let people = data.people, people.knowsUserTypes else { return [] }
    return [
      Figure(
        id: "new-subscribers", label: "New subscribers", value: .count(people.newSubscribers),
        trend: course(of: people.newSubscribers, data.history, context), section: salesId
      ).compared(change(data.history, context)),
      Figure(
        id: "through-the-limit", label: "Through the limit",
        value: .count(people.stages.subscribed),
        note: "of \(NumberWords.counted(people.newSubscribers, "new subscriber"))",
        section: salesId),
    ]
  }

  /// New subscribers of the days of the period; nil where the history does not have them all.
  private static func course(
    of count: Int, _ history: DayHistory, _ context: ReportContext
  ) -> [Int?]? {
    let days = history.days.filter { $0.start < context.end && $0.end > context.start }
    let course = days.map { day -> Int? in
      let isAwaited = day.start == context.awaitedToday && day.newSubscribers == 0
      return day.coverage == .none || isAwaited ? nil : day.newSubscribers
    }
    return course.reduce(0) { $0 + ($1 ?? 0) } == count ? course : nil
  }

  /// By whole days alone: who subscribed by some hour of a day the history does not say.
  private static func change(_ history: DayHistory, _ context: ReportContext) -> Figure.Change {
    guard let pair = context.comparison.whole,
      let first = history.days.first, first.start <= pair.previous.lowerBound
    else { return Figure.Change() }
    func sum(_ side: Range<Instant>) -> Int {
      history.days.reduce(0) { $0 + (side.contains($1.start) ? $1.newSubscribers : 0) }
    }
    return ComparisonWords(context).change(ofEvents: sum(pair.previous), to: sum(pair.current))
  }

  private static let salesId = "sales"
  static let baseId = "base"

  /// The report with what people pay in a month above its other figures, as its query says it.
  static func toldAbove(_ report: Report) -> Report {
    let tables = report.sections.flatMap(\.blocks).compactMap(\.table)
    guard report.name == .money,
      let table = tables.first(where: { ["paying", baseId].contains($0.id) })
    else { return report }
    let words = CellWords(time: TimeWords(context: report.context))
    func cells(_ ids: String..., of row: Table.Row) -> [Cell] {
      ids.compactMap { id in
        table.columns.firstIndex { $0.id == id }.map { row.cells[$0] }
      }.filter { $0 != .missing }
    }
    // The least and the most; one if they are equal.
    func amounts(_ row: Table.Row) -> [String] {
      cells("monthly", "monthly_most", of: row).map(words.words).unique
    }
    let totals = table.rows.filter { $0.isTotal && !amounts($0).isEmpty }
    guard let total = totals.first else { return report }
    let amount = amounts(total)
    let priced = counts([total], table)
    // In the table of payments a person has a row for each product.
    let all = table.id == baseId ? counts(table.rows.filter { !$0.isTotal }, table) : priced
    let note = priced == all ? people(all) : "\(range(priced)) of \(people(all))"
    var told = report
    told.summary =
      totals.map { "\(range(amounts($0))) a month from \(people(counts([$0], table)))" }
      .joined(separator: " and ") + ". \(report.summary)"
    told.headline.insert(
      Figure(
        id: "monthly", label: amount.count == 1 ? "Paid a month" : "Paid a month, at least",
        value: cells("monthly", of: total)[0],
        note: (amount.dropFirst().map { "at most \($0)" } + [note] + before(tables, words))
          .joined(separator: ", "),
        section: baseId), at: 0)
    return told
  }

  /// What was paid at least on the first day of the course of payers; empty without one.
  private static func before(_ tables: [Table], _ words: CellWords) -> [String] {
    guard let table = tables.first(where: { $0.id == "payers-by-day" }),
      case .day(let day)? = table.cells(of: "day").first,
      let amount = table.cells(of: "monthly").first, amount != .missing
    else { return [] }
    return ["\(words.words(amount)) on \(day.withWeekday)"]
  }

  /// The people of rows, at least and at most; one number if they are equal.
  private static func counts(_ rows: [Table.Row], _ table: Table) -> [String] {
    ["people", "people_most"].compactMap { id in
      table.columns.firstIndex { $0.id == id }.map { at in
        NumberWords.grouped(
          rows.reduce(0) { sum, row in
            if case .count(let count) = row.cells[at] { sum + count } else { sum }
          })
      }
    }.unique
  }

  /// `119 to 120`.
  private static func range(_ words: [String]) -> String { words.joined(separator: " to ") }

  private static func people(_ counts: [String]) -> String {
    "\(range(counts)) \(counts == ["1"] ? "person" : "people")"
  }

  /// Before the queries are placed on them.
  private static let sections = [salesId, baseId, "forecast", "price-test", "blocks", "grace"].map {
    Section(.money, $0)
  }
}

/// What the billed reads cost: docs/costs.md#prices.
enum ReadCosts {
  /// Nil without any reads, and in a report of one profile.
  static func section(_ data: UsageData, context: ReportContext) -> Section? {
    guard let money = data.money, money.period.count + money.month.count > 0 else { return nil }
    let forecast = ReadForecast(
      data.history, settings: context.findingSettings,
      calendar: ReportCalendar(timeZone: context.timeZone))
    var section = Section(
      .money, "costs",
      [
        .text(sentence(money, TimeWords(context: context))),
        table(money, activeUsers: data.activeUsers, forecast),
        .text("Reads: \(money.readPrice.words)."),
      ])
    // It is about the rows of the forecast.
    if forecast == nil {
      section.blocks.removeAll { if case .definitions = $0 { true } else { false } }
    }
    return section
  }

  /// What the reads of the period cost, or that it is less than the smallest coin.
  private static func sentence(_ money: MoneyData, _ time: TimeWords) -> String {
    let amount = money.period.amount
    let shown = Cell.money(max(amount, 0.01), currency: money.readPrice.currency)
    return "The reads of this period cost \(amount < 0.01 ? "less than " : "")"
      + "\(CellWords(time: time).words(shown))."
  }

  private static func table(
    _ money: MoneyData, activeUsers: Int, _ forecast: ReadForecast?
  ) -> Block {
    func cell(_ amount: Double) -> Cell {
      .money((amount * 1_000_000).rounded() / 1_000_000, currency: money.readPrice.currency)
    }
    var costs: [(title: String, value: Cell)] = [
      ("Reads of this period", cell(money.period.amount)),
      (
        "For each of \(NumberWords.counted(activeUsers, "active person", "active people"))",
        activeUsers == 0 ? .missing : cell(money.period.amount / Double(activeUsers))
      ),
      ("Reads of this month so far", cell(money.month.amount)),
    ]
    if let forecast {
      let cost = forecast.cost(at: money.readPrice)
      costs += [
        ("The whole month, at least", cell(cost.lower)),
        ("The whole month, forecast", cell(cost.middle)),
        ("The whole month, at most", cell(cost.upper)),
      ]
    }
    return .table(
      id: "read-costs", title: "Billed reads", of: costs,
      columns: [
        Column("what", "What", .leading) { .text($0.title) },
        Column("cost", "Estimated cost") { $0.value },
      ],
      isFolded: true)
  }
}
