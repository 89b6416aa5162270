import Model

/// The figures at the head of the index: yesterday against the same weekday a week before.
struct IndexTiles {
  /// `Sun 1 Mar against Sun 22 Feb`.
  let title: String
  /// One sentence that says what changed.
  let sentence: String
  let figures: [Figure]

  /// Days in the small columns of a tile.
  static let courseDays = 28
  /// A smaller change is called "about as a week before".
  static let notablePercent = 25.0

  init(_ history: DayHistory, _ calendar: ReportCalendar) {
    let days = Array(history.complete)
    guard let day = days.last, day.coverage != .none else {
      title = "At a glance"
      sentence = "The ledger has no whole day yet."
      figures = []
      return
    }
    let earlier = days.dropLast(7).last.flatMap { $0.coverage == .whole ? $0 : nil }
    // A day without all its events is no side of a comparison.
    let before = days.count > 7 && day.coverage == .whole ? earlier : nil
    let name = calendar.day(of: day.start).withWeekday
    let nameBefore = before.map { calendar.day(of: $0.start).withWeekday }
    title = nameBefore.map { "\(name) against \($0)" } ?? name
    figures = Self.figures(history, day, before)
    sentence = Self.sentence(figures, day, nameBefore)
  }

  private static func figures(
    _ history: DayHistory, _ day: DayFacts, _ before: DayFacts?
  ) -> [Figure] {
    let course = history.complete.suffix(courseDays).drop { $0.coverage == .none }
    func count(
      _ id: String, _ label: String, _ path: KeyPath<DayFacts, Int>, _ report: Report.Name,
      _ section: String
    ) -> Figure {
      var figure = Figure(
        id: id, label: label, value: .count(day[keyPath: path]),
        change: before.map {
          PeriodChange(from: $0[keyPath: path], to: day[keyPath: path])
        }, trend: course.map { $0[keyPath: path] }, section: section)
      figure.report = report
      return figure
    }
    var limit = count("limit", "Hit the limit", \.blockedUsers, .usage, "features")
    limit.share = Ratio(day.blockedUsers, of: day.activeUsers)
    limit.note = "active"
    return [
      online(history, before),
      count("active", "Active", \.activeUsers, .usage, UsageDays.id), limit,
      count("sub-taps", "Subscription taps", \.subscriptionTaps, .usage, PeopleFunnel.id),
      count("new-subs", "New subscribers", \.newSubscribers, .usage, PeopleFunnel.id),
      stars(day, before), count("reads", "Billed reads", \.reads, .runs, "days"),
    ]
  }

  /// The users online at the last load: today's, where there was one.
  private static func online(_ history: DayHistory, _ before: DayFacts?) -> Figure {
    let newest = history.days.suffix(2).compactMap(\.onlineNow).last
    let course = history.complete.suffix(courseDays).compactMap(\.onlineNow)
    var figure = Figure(
      id: "online", label: "Online", value: .optional(newest), note: "at the last load",
      trend: course.isEmpty ? nil : course, section: UsersSeen.id)
    if let newest, let then = before?.onlineNow {
      figure.change = PeriodChange(from: then, to: newest)
    }
    figure.report = .users
    return figure
  }

  private static func stars(_ day: DayFacts, _ before: DayFacts?) -> Figure {
    func mean(_ facts: DayFacts) -> Mean {
      Mean(
        total: facts.stars.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element },
        count: facts.stars.reduce(0, +))
    }
    let now = mean(day)
    let then = before.flatMap { mean($0).value }.map {
      ", \(NumberWords.decimal($0, places: 2)) before"
    }
    var figure = Figure(
      id: "stars", label: "Mean stars", value: .mean(now),
      note: "of \(NumberWords.counted(now.count, "rating"))" + (then ?? ""), section: "stars")
    figure.report = .ratings
    return figure
  }

  /// The largest change that is more than a small count, or that there is none.
  private static func sentence(
    _ figures: [Figure], _ day: DayFacts, _ nameBefore: String?
  ) -> String {
    let active =
      NumberWords.counted(day.activeUsers, "person was", "people were") + " active yesterday"
    guard let nameBefore else {
      return "\(active); there is no whole day a week before to compare with."
    }
    let changes = figures.compactMap { figure in
      figure.change?.percent.map { (label: figure.label.lowercased(), percent: $0) }
    }
    let largest = changes.max { abs($0.percent) < abs($1.percent) }
    guard let largest else { return "\(active); the counts are too small for percentages." }
    guard abs(largest.percent) >= notablePercent else {
      return "\(active); all was about as on \(nameBefore)."
    }
    let sign = largest.percent > 0 ? "+" : "−"
    return "\(active); \(largest.label) \(sign)\(NumberWords.percent(abs(largest.percent))) "
      + "against \(nameBefore)."
  }
}

extension CivilDay {
  /// `Sun 1 Mar`.
  var withWeekday: String { "\(weekdayName) \(short)" }
}
