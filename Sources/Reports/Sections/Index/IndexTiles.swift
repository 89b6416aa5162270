import Model

/// The figures at the head of the index: the newest whole day against what is usual of its weekday:
/// docs/reports/form.md#tiles.
struct IndexTiles {
  /// `Sun 1 Mar against 6 Sundays before it`, `Sun 1 Mar against Sun 22 Feb`.
  let title: String
  let figures: [Figure]
  /// What the sentence says of the figures.
  private let verdict: IndexVerdict

  /// Days in the small columns of a tile.
  static let courseDays = 28

  /// The day of the tiles and those before it, oldest first; empty when none is known.
  static func days(of history: DayHistory) -> ArraySlice<DayFacts> {
    let days = history.complete.suffix(courseDays + 7)
    guard let index = days.lastIndex(where: { $0.coverage != .none }) else { return [] }
    return days[...index].suffix(courseDays)
  }

  /// `settings` are nil for a report on one profile, of which nothing is usual.
  init(
    _ history: DayHistory, _ calendar: ReportCalendar,
    judgedBy settings: FindingSettings? = FindingSettings()
  ) {
    // A day that was lost is told by a finding; the tiles are of the day before it.
    let days = history.complete.suffix(Self.courseDays + 7)
    guard let index = days.lastIndex(where: { $0.coverage != .none }) else {
      title = "At a glance"
      verdict = .nothing(
        history.complete.contains { $0.coverage == .whole }
          ? "Nothing is known of the newest \(days.count) days."
          : "The ledger has no whole day yet.")
      figures = []
      return
    }
    let maker = TileMaker(history: history, calendar: calendar, index: index, settings: settings)
    let day = maker.day
    let name = calendar.day(of: day.start)
    figures = maker.figures()
    if let active = figures.first(where: { $0.id == "active" })?.expected {
      title =
        "\(name.withWeekday) against "
        + "\(NumberWords.counted(active.days, name.weekdayTitle)) before it"
    } else {
      let before = maker.before.map { " against \(calendar.day(of: $0.start).withWeekday)" } ?? ""
      title = name.withWeekday + before + (day.coverage == .whole ? "" : ", known in part")
    }
    let when = day.end == history.days.last?.start ? "yesterday" : "on \(name.withWeekday)"
    verdict = IndexVerdict(figures, of: maker, when: when)
  }

  /// One sentence that says how many people there were, and what is out of the usual.
  ///
  /// Beside a finding that is worse than a note it does not say that nothing is.
  func sentence(besideFinding: Bool = false) -> String {
    verdict.sentence(besideFinding: besideFinding)
  }
}

/// Makes the tiles of one day, and compares each: with what is usual where that is known, else with
/// the same weekday a week before.
struct TileMaker {
  let day: DayFacts
  let calendar: ReportCalendar
  /// The same weekday a week before; nil when one of the two is not whole.
  let before: DayFacts?
  private let history: DayHistory
  private let index: Int
  /// Nil when nothing is judged.
  private let anomalies: DayAnomalies?

  /// `index` is that of a complete day of the history.
  init(history: DayHistory, calendar: ReportCalendar, index: Int, settings: FindingSettings?) {
    self.history = history
    self.calendar = calendar
    self.index = index
    day = history.days[index]
    let earlier = index >= 7 ? history.days[index - 7] : nil
    // A day without all its events is no side of a comparison.
    before = day.coverage == .whole ? earlier.flatMap { $0.coverage == .whole ? $0 : nil } : nil
    anomalies = settings.map { DayAnomalies(history.days, settings: $0, calendar: calendar) }
  }

  func figures() -> [Figure] {
    var limit = count(.blockedPeople, "limit", "Hit the limit", \.blockedUsers)
    if day.coverage == .whole {
      limit.share = Ratio(day.blockedUsers, of: day.activeUsers)
      limit.note = "active"
    }
    return [
      online(), count(.people, "active", "Active", \.activeUsers), limit,
      count(.subscriptionTaps, "sub-taps", "Subscription taps", \.subscriptionTaps),
      count(.newSubscribers, "new-subs", "New subscribers", \.newSubscribers), stars(),
      count(.reads, "reads", "Billed reads", \.reads),
    ]
  }

  private func count(
    _ series: DaySeries, _ id: String, _ label: String, _ path: KeyPath<DayFacts, Int>
  ) -> Figure {
    let place = series == .reads ? (.runs, "days") : (Report.Name.usage, UsageDays.id)
    let course = history.days[...index].suffix(IndexTiles.courseDays)
      .drop { $0.coverage == .none }
    // Reads are those of the runs, whatever is known of the events.
    var figure = Figure(
      id: id, label: label, value: .count(day[keyPath: path]),
      trend: course.map {
        $0.coverage == .none && series.comesByExport ? nil : $0[keyPath: path]
      }, section: place.1)
    figure.report = place.0
    figure.expected = expected(series, on: index)
    if figure.expected == nil, series != .reads || hasEarlierReads {
      figure.change = before.map { PeriodChange(from: $0[keyPath: path], to: day[keyPath: path]) }
    }
    return figure
  }

  /// Whether a week before something had been read already; before its first run a workspace reads
  /// nothing.
  private var hasEarlierReads: Bool {
    history.days.prefix(max(0, index - 6)).contains { $0.reads > 0 }
  }

  /// Nil for a day without all of its events.
  private func expected(_ series: DaySeries, on day: Int) -> Figure.Expected? {
    guard !series.comesByExport || history.days[day].coverage == .whole,
      let band = anomalies?.band(of: series, on: day)
    else { return nil }
    let verdict: Figure.Expected.Verdict =
      switch band.direction {
      case .fell: .below
      case .rose: .above
      case nil: .usual
      }
    return Figure.Expected(
      range: band.expected, places: series == .stars ? 2 : 0, days: band.comparedDays,
      verdict: verdict)
  }

  /// The users online at the last load, today's where there was one.
  ///
  /// Today's is compared with loads up to this hour of other days. Loads bring them, whatever is
  /// known of the events.
  private func online() -> Figure {
    let days = history.days
    let day = days.indices.suffix(2).last { days[$0].onlineNow != nil }
    let newest = day.flatMap { days[$0].onlineNow }
    let course = history.complete.suffix(IndexTiles.courseDays).compactMap(\.onlineNow)
    var figure = Figure(
      id: "online", label: "Online", value: .optional(newest), note: "at the last load",
      trend: course.isEmpty ? nil : course, section: UsersOnline.id)
    figure.report = .users
    guard let day, let newest else { return figure }
    let isToday = days[day].coverage == .running
    figure.expected = expected(isToday ? .onlineByNow : .online, on: day)
    if figure.expected == nil, day >= 7,
      let then = isToday ? days[day - 7].onlineByNow : days[day - 7].onlineNow
    {
      figure.change = PeriodChange(from: then, to: newest)
      figure.changeNote = "on \(calendar.day(of: days[day - 7].start).withWeekday)"
    }
    return figure
  }

  private func stars() -> Figure {
    let now = StarCounts(day.stars).mean
    let expected = expected(.stars, on: index)
    let earlier = expected == nil ? starsBefore.map { ", \(Self.decimal($0.exact)) before" } : nil
    var figure = Figure(
      id: "stars", label: "Mean stars", value: .mean(now),
      note: "of \(NumberWords.counted(now.count, "rating"))" + (earlier ?? ""),
      section: RatingStars.id)
    figure.report = .ratings
    figure.expected = expected
    return figure
  }

  /// The mean of a week before; nil unless both days have enough ratings to be compared.
  private var starsBefore: Mean? {
    guard let before else { return nil }
    let means = [day, before].map { StarCounts($0.stars).mean }
    return means.allSatisfy { $0.count >= DaySeries.fewestRatings } ? means[1] : nil
  }

  /// What a mean of two days says when nothing is usual yet: `mean stars 1.30 after 3.40`; nil when
  /// the two are about the same.
  var starsChange: String? {
    guard let then = starsBefore?.exact else { return nil }
    let now = StarCounts(day.stars).mean.exact
    guard abs(now - then) >= DaySeries.stars.leastDifference(around: then) else { return nil }
    return "mean stars \(Self.decimal(now)) after \(Self.decimal(then))"
  }

  private static func decimal(_ value: Double) -> String { NumberWords.decimal(value, places: 2) }
}

extension CivilDay {
  /// `Sun 1 Mar`.
  var withWeekday: String { "\(weekdayName) \(short)" }
}

/// The days behind the tiles of the index, on the pages that the tiles lead to:
/// docs/reports/form.md#index.
enum TileDays {
  /// Adds the tables to the sections whose own tables lack the number of a tile.
  static func added(
    to reports: [Report], _ history: DayHistory, _ context: ReportContext
  ) -> [Report] {
    let days = IndexTiles.days(of: history)
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let loads = history.days.suffix(IndexTiles.courseDays).filter { $0.onlineNow != nil }
    let tables = [
      (Report.Name.usage, UsageDays.id, people(days, calendar)),
      (.ratings, RatingStars.id, stars(days, calendar)),
      // The other tables of these two sections have the days of the period, whichever that is.
      (.users, UsersOnline.id, online(loads, calendar)), (.runs, "days", reads(days, calendar)),
    ]
    return reports.map { report in
      var report = report
      for (name, section, table) in tables where name == report.name {
        guard let place = report.sections.firstIndex(where: { $0.id == section }) else { continue }
        report.sections[place].blocks.append(.table(table))
      }
      return report
    }
  }

  private static func people(
    _ days: ArraySlice<DayFacts>, _ calendar: ReportCalendar
  ) -> Table {
    let numbers: [(id: String, title: String, path: KeyPath<DayFacts, Int>)] = [
      ("active", "Active", \.activeUsers), ("limit", "Hit the limit", \.blockedUsers),
      ("sub_taps", "Subscription taps", \.subscriptionTaps),
      ("new_subs", "New subscribers", \.newSubscribers),
    ]
    return table(
      "people-by-day", "People and subscriptions of the newest \(days.count) days", days,
      calendar,
      numbers.map { number in
        Column(number.id, number.title) {
          $0.coverage == .none ? .missing : .count($0[keyPath: number.path])
        }
      })
  }

  private static func stars(
    _ days: ArraySlice<DayFacts>, _ calendar: ReportCalendar
  ) -> Table {
    table(
      "ratings-by-day", "Ratings of the newest \(days.count) days", days, calendar,
      StarCounts.columns.map { column in
        column.reading { StarCounts($0.stars) }.missing {
          $0.coverage == .none && $0.stars.allSatisfy { $0 == 0 }
        }
      })
  }

  private static func reads(
    _ days: ArraySlice<DayFacts>, _ calendar: ReportCalendar
  ) -> Table {
    table(
      "newest-reads", "Billed reads of the newest \(days.count) days", days, calendar,
      [Column("reads", "Billed reads") { .count($0.reads) }])
  }

  private static func online(_ days: [DayFacts], _ calendar: ReportCalendar) -> Table {
    table(
      "newest-online", "Online at the last load of the newest days", days[...], calendar,
      [Column("online", "Online") { .optional($0.onlineNow) }])
  }

  /// Newest first.
  private static func table(
    _ id: String, _ title: String, _ days: ArraySlice<DayFacts>, _ calendar: ReportCalendar,
    _ columns: [Column<DayFacts>]
  ) -> Table {
    Table(
      id: id, title: title, of: days.reversed(),
      columns: [Column("day", "Day", .leading) { .day(calendar.day(of: $0.start)) }] + columns,
      emptyText: "None of these days is known.", isFolded: true)
  }
}
