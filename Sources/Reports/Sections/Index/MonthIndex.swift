import Model
import Store

/// The index of a calendar month: its figures against those of the month before, and what happened:
/// docs/reports/form.md#a-month.
struct MonthIndex {
  /// Days that two months must both know whole to be compared by these.
  static let fewestDays = 20

  private let context: ReportContext
  private let usage: UsageData
  private let limits: LimitsData
  private let calendar: ReportCalendar
  private let comparison: ComparisonWords
  private let reports: [Report]
  private let marks: [Chart.Mark]
  private let pair: PeriodComparison.Pair
  /// The days of the month that the history has, and those of the month before.
  private let days: [DayFacts]
  private let daysBefore: [DayFacts]

  /// Nil for a period other than a calendar month, and for one profile; `reports` are the other
  /// pages.
  init?(
    _ reports: [Report], _ usage: UsageData, _ limits: LimitsData, marks: [Chart.Mark],
    context: ReportContext
  ) {
    guard context.comparison.isMonth, context.scope == nil,
      let pair = context.comparison.whole
    else { return nil }
    self.reports = reports
    self.usage = usage
    self.limits = limits
    self.marks = marks
    self.context = context
    self.pair = pair
    calendar = ReportCalendar(timeZone: context.timeZone)
    comparison = ComparisonWords(context)
    days = usage.history.days.filter { pair.current.contains($0.start) }
    daysBefore = usage.history.days.filter { pair.previous.contains($0.start) }
  }

  /// Puts the month in the place of the newest day, beside the owner's own tiles.
  func write(to index: inout Report, own: [Figure]) {
    let tiles = tiles
    index.title = "\(name(pair.current)), compared with \(name(pair.previous))"
    index.headline = tiles + own
    index.summary = sentence(of: tiles)
    let chart = IndexMonth.section(days, calendar, title: name(pair.current))
    index.sections = index.sections.map { $0.id == chart.id ? chart : $0 }
    index.sections.insert(happened, at: 0)
  }

  /// `Oct 2026`.
  private func name(_ month: Range<Instant>) -> String {
    let day = calendar.day(of: month.lowerBound)
    return "\(day.monthName) \(day.year)"
  }
}

/// The tiles, and the sentence that they make.
extension MonthIndex {
  private var tiles: [Figure] {
    [
      people, limit,
      figure(of: .usage, "subscription-taps").map { compared($0, \.subscriptionTaps) },
      newSubscribers, payments, stars, figure(of: .runs, "reads"),
    ].compactMap { $0?.defined(on: "month") }
  }

  /// A figure of a page, for the index; nil when the page does not have it.
  private func figure(of page: Report.Name, _ id: String) -> Figure? {
    let found = reports.first { $0.name == page }?.headline.first { $0.id == id }
    return found.map { figure in
      var figure = figure
      figure.report = page
      return figure
    }
  }

  /// The days, counted from 0, that both months know whole, where not all are; nil where all are,
  /// and where too few are: docs/reports/days.md#coverage.
  private var common: [Int]? {
    guard context.comparisonFault != nil, holdsBoth else { return nil }
    let both = zip(days, daysBefore).enumerated()
      .filter { $0.element.0.coverage == .whole && $0.element.1.coverage == .whole }
    return both.count >= Self.fewestDays ? both.map(\.offset) : nil
  }

  /// Whether the history has both months from their first days on.
  private var holdsBoth: Bool {
    days.first?.start == pair.current.lowerBound
      && daysBefore.first?.start == pair.previous.lowerBound
  }

  /// `of 29 days each`.
  private var commonWords: String? {
    common.map { "of \(NumberWords.counted($0.count, "day")) each" }
  }

  /// Sums of the days that both months know whole.
  private func sums(_ path: KeyPath<DayFacts, Int>) -> (before: Int, now: Int)? {
    common.map { common in
      (
        common.reduce(0) { $0 + daysBefore[$1][keyPath: path] },
        common.reduce(0) { $0 + days[$1][keyPath: path] }
      )
    }
  }

  /// The figure with the change of the days that both months know whole, where not all are.
  private func compared(_ figure: Figure, _ path: KeyPath<DayFacts, Int>) -> Figure {
    guard let sums = sums(path) else { return figure }
    var figure = figure
    figure.change = PeriodChange(from: sums.before, to: sums.now)
    figure.changeNote = commonWords
    return figure
  }

  private func course(_ path: KeyPath<DayFacts, Int>) -> [Int?] {
    days.map { $0.coverage == .none ? nil : $0[keyPath: path] }
  }

  private var people: Figure? {
    var figure = figure(of: .usage, Self.peopleId)
    figure?.trend = course(\.activeUsers)
    // People of a month are no sum of its days, so those of a day are compared.
    if let sums = sums(\.activeUsers), let count = common?.count {
      func mean(_ sum: Int) -> Int { Int((Double(sum) / Double(count)).rounded()) }
      let change = PeriodChange(from: mean(sums.before), to: mean(sums.now))
      figure?.change = change
      figure?.changeNote = nil
      figure?.note = commonWords.map { "\(NumberWords.grouped(change.current)) a day, \($0)" }
    }
    return figure
  }

  private static let peopleId = "active-users"

  /// People who saw a popup and were blocked, of those who were active free.
  private var limit: Figure? {
    usage.people.map { people in
      Figure(
        id: "limit", label: "Hit the limit",
        value: context.knowsNothing ? .missing : .count(people.stages.blocked),
        share: context.knowsNothing ? nil : Ratio(people.stages.blocked, of: people.stages.active),
        note: context.knowsNothing ? nil : (["active free"] + blockedADay).joined(separator: "; "),
        section: PeopleFunnel.id, report: .usage)
    }
  }

  /// `3.1 a day, 4.0 before`: people blocked on the mean of the whole days; empty where the month
  /// before has too few.
  private var blockedADay: [String] {
    func mean(_ days: [DayFacts]) -> Double? {
      let known = days.filter { $0.coverage == .whole }.map { Double($0.blockedUsers) }
      return known.count >= Self.fewestDays ? known.mean : nil
    }
    guard holdsBoth, let now = mean(days), let before = mean(daysBefore) else { return [] }
    func words(_ mean: Double) -> String { NumberWords.decimal(mean, places: 1) }
    return ["\(words(now)) a day, \(words(before)) before"]
  }

  /// Those of the month, and of the one before; nil for one that the history does not hold.
  private var subscribers: (now: Int?, before: Int?) {
    func sum(_ days: [DayFacts], of month: Range<Instant>) -> Int? {
      days.first?.start == month.lowerBound ? days.reduce(0) { $0 + $1.newSubscribers } : nil
    }
    return (sum(days, of: pair.current), sum(daysBefore, of: pair.previous))
  }

  private var newSubscribers: Figure {
    let (now, before) = subscribers
    let figure = Figure(
      id: "new-subs", label: "New subscribers", value: .optional(now),
      trend: course(\.newSubscribers), section: UsageDays.id, report: .usage)
    guard let now, let before else { return figure }
    return compared(
      figure.compared(comparison.change(ofEvents: before, to: now)), \.newSubscribers)
  }

  /// What they pay first, at the price of today; nil without a price that is a number.
  private var payments: Figure? {
    guard let now = subscribers.now, let text = limits.price, let price = PriceText(text)
    else { return nil }
    func amount(_ count: Int) -> Cell {
      .money(
        (Double(count) * price.amount * 100).rounded() / 100, currency: price.knownCurrency ?? "¤")
    }
    let words = CellWords(time: TimeWords(context: context))
    let before: String? =
      if let sums = sums(\.newSubscribers), let commonWords {
        "\(commonWords): \(words.words(amount(sums.now))), "
          + "\(words.words(amount(sums.before))) before"
      } else if context.comparisonFault == nil {
        subscribers.before.map { "\(words.words(amount($0))) before" }
      } else { nil }
    return Figure(
      id: "payments", label: "First terms, estimate", value: amount(now),
      note: ["at \(text)", before].compactMap(\.self).joined(separator: "; "),
      section: "sales", report: .money)
  }

  private var stars: Figure? {
    var figure = figure(of: .ratings, "mean-stars")
    if let before = starsBefore {
      let notes = [figure?.note, "\(NumberWords.decimal(before, places: 2)) before"]
      figure?.note = notes.compactMap(\.self).joined(separator: ", ")
    }
    return figure
  }

  /// Nil without enough ratings in the month before.
  private var starsBefore: Double? {
    var counts = StarCounts()
    for day in daysBefore { counts.add(day.stars) }
    guard daysBefore.first?.start == pair.previous.lowerBound,
      counts.count >= DaySeries.fewestRatings
    else { return nil }
    return counts.mean.exact
  }

  private func sentence(of tiles: [Figure]) -> String {
    guard !context.knowsNothing else {
      return "The ledger has no data for \(name(pair.current))."
    }
    let words = CellWords(time: TimeWords(context: context))
    let changes = tiles.filter { $0.id != Self.peopleId }.compactMap { tile in
      tile.change.map { change in
        // A change over the days that both months know is computed from these days alone.
        let value =
          tile.changeNote == nil ? words.words(tile.value) : NumberWords.grouped(change.current)
        return "\(tile.label.lowercased()) \(value), \(words.words(change))"
      }
    }
    let people = NumberWords.counted(usage.activeUsers, "person was", "people were")
    let change = tiles.first { $0.id == Self.peopleId }?.change.map { change in
      let mean = common == nil ? "" : ": \(NumberWords.grouped(change.current)) a day on average"
      return "\(mean), \(words.words(change))"
    }
    let days = commonWords.map { ", \($0)" } ?? ""
    let compared =
      changes.isEmpty
      ? comparison.sentence
      : "Against \(name(pair.previous))\(days): \(changes.joined(separator: "; "))."
    return "\(people) active in \(name(pair.current))\(change ?? ""). \(compared)"
  }
}

/// Outages, missing lines, changed settings and releases, by day.
extension MonthIndex {
  private var happened: Section {
    let incidents = incidents
    let told = Set(incidents.flatMap(\.days))
    let inMonth = marks.filter {
      (firstDay...lastDay).contains($0.day) && !($0.kind == .outage && told.contains($0.day))
    }
    let rows =
      (inMonth.map { (day: $0.day, text: $0.words) }
      + incidents.map { (day: $0.days[0], text: $0.sentence) })
      .sorted { ($0.day, $0.text) < ($1.day, $1.text) }
    return Section(
      .index, "happened",
      [
        .table(
          id: "happened", title: "By day", of: rows,
          columns: [
            Column("day", "Day", .leading) { .day($0.day) },
            Column("what", "What", .leading, wraps: true) { .text($0.text) },
          ],
          shownLimit: 6, emptyText: "The ledger has no data for this month.")
      ])
  }

  private var firstDay: CivilDay { calendar.day(of: pair.current.lowerBound) }
  private var lastDay: CivilDay { calendar.day(of: pair.current.upperBound - .microseconds(1)) }

  /// Those that touch the month, with all of their days.
  private var incidents: [(days: [CivilDay], sentence: String)] {
    let anomalies = DayAnomalies(
      usage.history.complete, settings: context.findingSettings, calendar: calendar)
    let incidents = Incidents(anomalies: anomalies, gaps: usage.exportGaps)
    let findings = UsageFindings(
      anomalies: anomalies, incidents: incidents,
      names: DayNames(days: anomalies.days, calendar: calendar), changes: limits.changes)
    let inMonth = anomalies.days.indices.filter { pair.current.contains(anomalies.days[$0].start) }
    guard let first = inMonth.first, let last = inMonth.last else { return [] }
    return incidents.all(in: first..<anomalies.days.count).filter { $0.days.lowerBound <= last }
      .map { incident in
        (
          incident.days.map { calendar.day(of: anomalies.days[$0].start) },
          findings.finding(incident).sentence
        )
      }
  }
}
