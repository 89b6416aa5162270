import Model

/// The figures at the head of the index: the newest whole day against what is usual of its weekday:
/// docs/reports/form.md#tiles.
struct IndexTiles {
  /// `Sun 1 Mar, compared with the 6 Sundays before`, `Sun 1 Mar, compared with Sun 22 Feb`.
  let title: String
  let figures: [Figure]
  /// What the sentence says of the figures.
  private let verdict: IndexVerdict

  /// `settings` are nil for a report on one profile, which has no usual figures.
  init(
    _ history: DayHistory, _ calendar: ReportCalendar,
    judgedBy settings: FindingSettings? = FindingSettings()
  ) {
    // A finding names a lost day; the tiles are of the day before it.
    guard let index = history.newest.indices.last else {
      title = "At a glance"
      verdict = .nothing(
        history.complete.contains { $0.coverage == .whole }
          ? "There is no data for the newest \(history.searched.count) days."
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
        "\(name.withWeekday), compared with the "
        + "\(NumberWords.counted(active.days, name.weekdayTitle)) before"
    } else {
      let before =
        maker.before.map { ", compared with \(calendar.day(of: $0.start).withWeekday)" } ?? ""
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
    var active = count(.people, "active", "Active", \.activeUsers)
    active.note = "used a limited feature"
    return [
      online(), active, limit,
      count(.subscriptionTaps, "sub-taps", "Subscription taps", \.subscriptionTaps),
      count(.newSubscribers, "new-subs", "New subscribers", \.newSubscribers), stars(),
      count(.reads, "reads", "Billed reads", \.reads),
    ]
  }

  private func count(
    _ series: DaySeries, _ id: String, _ label: String, _ path: KeyPath<DayFacts, Int>
  ) -> Figure {
    let place = series == .reads ? (.runs, "days") : (Report.Name.usage, UsageDays.id)
    let course = history.days.indices[...index].suffix(DayHistory.newestDays)
      .drop { history.days[$0].coverage == .none }
    let expected = expected(series, on: index)
    let isCompared = expected == nil && (series != .reads || hasEarlierReads)
    return Figure(
      id: id, label: label, value: .count(day[keyPath: path]),
      change: isCompared
        ? before.map { PeriodChange(from: $0[keyPath: path], to: day[keyPath: path]) } : nil,
      expected: expected,
      // Reads are those of the runs, whatever is known of the events.
      trend: course.map { place in
        let isKnown =
          series.comesByExport
          ? history.days[place].coverage != .none
          : history.days.firstReadDay.map { place >= $0 } ?? false
        return isKnown ? history.days[place][keyPath: path] : nil
      }, section: place.1, report: place.0)
  }

  /// Whether something had been read already a week before.
  private var hasEarlierReads: Bool { history.days.firstReadDay.map { $0 <= index - 7 } ?? false }

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
      range: band.usual, places: series == .stars ? 2 : 0, days: band.comparedDays,
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
    let course = history.complete.suffix(DayHistory.newestDays).compactMap(\.onlineNow)
    var figure = Figure(
      id: "online", label: "Online", value: .optional(newest), note: "at the last load",
      trend: course.isEmpty ? nil : course, section: UsersReport.onlineId, report: .users)
    guard let day, let newest else { return figure }
    let isToday = days[day].coverage == .running
    figure.expected = expected(isToday ? .onlineByNow : .online, on: day)
    if figure.expected == nil, day >= 7,
      let then = isToday ? days[day - 7].onlineByNow : days[day - 7].onlineNow
    {
      figure.change = PeriodChange(from: then, to: newest)
      figure.changeNote = "on \(calendar.day(of: days[day - 7].start).withWeekday)"
    }
    if figure.expected == nil, figure.change == nil, day >= 1, let then = days[day - 1].onlineNow {
      figure.note = "at the last load, \(NumberWords.grouped(then)) at that of the day before"
    }
    return figure
  }

  private func stars() -> Figure {
    let now = StarCounts(day.stars).mean
    let expected = expected(.stars, on: index)
    let earlier = expected == nil ? starsBefore.map { ", \(Self.decimal($0.exact)) before" } : nil
    return Figure(
      id: "stars", label: "Mean stars", value: .mean(now),
      note: "of \(NumberWords.counted(now.count, "rating"))" + (earlier ?? ""),
      expected: expected, section: RatingsReport.weeksId, report: .ratings)
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
  package var withWeekday: String { "\(weekdayName) \(short)" }
}
