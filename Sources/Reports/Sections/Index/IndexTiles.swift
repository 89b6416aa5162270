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

  /// The day of the tiles and those before it, oldest first; empty when none is known.
  static func days(of history: DayHistory) -> ArraySlice<DayFacts> {
    let days = history.complete.suffix(courseDays + 7)
    guard let index = days.lastIndex(where: { $0.coverage != .none }) else { return [] }
    return days[...index].suffix(courseDays)
  }

  init(_ history: DayHistory, _ calendar: ReportCalendar) {
    // A day that was lost is told by a finding; the tiles are of the day before it.
    let days = history.complete.suffix(Self.courseDays + 7)
    guard let index = days.lastIndex(where: { $0.coverage != .none }) else {
      title = "At a glance"
      sentence =
        history.complete.contains { $0.coverage == .whole }
        ? "Nothing is known of the newest \(days.count) days." : "The ledger has no whole day yet."
      figures = []
      return
    }
    let day = days[index]
    let earlier = days.indices.contains(index - 7) ? days[index - 7] : nil
    // A day without all its events is no side of a comparison.
    let before =
      day.coverage == .whole ? earlier.flatMap { $0.coverage == .whole ? $0 : nil } : nil
    let name =
      calendar.day(of: day.start).withWeekday + (day.coverage == .whole ? "" : ", known in part")
    let nameBefore = before.map { calendar.day(of: $0.start).withWeekday }
    let isYesterday = day.end == history.days.last?.start
    title = nameBefore.map { "\(name) against \($0)" } ?? name
    figures = Self.figures(history, days[...index], before, calendar)
    sentence = Self.sentence(
      figures, day, nameBefore,
      when: isYesterday ? "yesterday" : "on \(calendar.day(of: day.start).withWeekday)")
  }

  /// Of the last of the days, which follow each other.
  private static func figures(
    _ history: DayHistory, _ days: ArraySlice<DayFacts>, _ before: DayFacts?,
    _ calendar: ReportCalendar
  ) -> [Figure] {
    let day = days[days.endIndex - 1]
    let course = days.suffix(courseDays).drop { $0.coverage == .none }
    // Reads are those of the runs, whatever is known of the events.
    func count(
      _ id: String, _ label: String, _ path: KeyPath<DayFacts, Int>, _ report: Report.Name,
      _ section: String
    ) -> Figure {
      var figure = Figure(
        id: id, label: label, value: .count(day[keyPath: path]),
        change: before.map {
          PeriodChange(from: $0[keyPath: path], to: day[keyPath: path])
        },
        trend: course.map {
          $0.coverage == .none && report != .runs ? nil : $0[keyPath: path]
        }, section: section)
      figure.report = report
      return figure
    }
    var limit = count("limit", "Hit the limit", \.blockedUsers, .usage, UsageDays.id)
    if day.coverage == .whole {
      limit.share = Ratio(day.blockedUsers, of: day.activeUsers)
      limit.note = "active"
    }
    return [
      online(history, calendar),
      count("active", "Active", \.activeUsers, .usage, UsageDays.id), limit,
      count("sub-taps", "Subscription taps", \.subscriptionTaps, .usage, UsageDays.id),
      count("new-subs", "New subscribers", \.newSubscribers, .usage, UsageDays.id),
      stars(day, before), count("reads", "Billed reads", \.reads, .runs, "days"),
    ]
  }

  /// The users online at the last load, today's where there was one, and at that of the same weekday
  /// a week before; loads bring them, whatever is known of the events.
  private static func online(_ history: DayHistory, _ calendar: ReportCalendar) -> Figure {
    let days = history.days
    let day = days.indices.suffix(2).last { days[$0].onlineNow != nil }
    let newest = day.flatMap { days[$0].onlineNow }
    let course = history.complete.suffix(courseDays).compactMap(\.onlineNow)
    var figure = Figure(
      id: "online", label: "Online", value: .optional(newest), note: "at the last load",
      trend: course.isEmpty ? nil : course, section: UsersOnline.id)
    if let day, let newest, day >= 7, let then = days[day - 7].onlineNow {
      figure.change = PeriodChange(from: then, to: newest)
      figure.changeNote = "on \(calendar.day(of: days[day - 7].start).withWeekday)"
    }
    figure.report = .users
    return figure
  }

  private static func stars(_ day: DayFacts, _ before: DayFacts?) -> Figure {
    let now = StarCounts(day.stars).mean
    let then = before.flatMap { StarCounts($0.stars).mean.value }.map {
      ", \(NumberWords.decimal($0, places: 2)) before"
    }
    var figure = Figure(
      id: "stars", label: "Mean stars", value: .mean(now),
      note: "of \(NumberWords.counted(now.count, "rating"))" + (then ?? ""), section: RatingStars.id
    )
    figure.report = .ratings
    return figure
  }

  /// The largest change that is more than a small count, or that there is none.
  private static func sentence(
    _ figures: [Figure], _ day: DayFacts, _ nameBefore: String?, when: String
  ) -> String {
    let active =
      NumberWords.counted(day.activeUsers, "person was", "people were") + " active \(when)"
    guard day.coverage == .whole else {
      return "\(active), as far as is known: some lines of that day are missing."
    }
    guard let nameBefore else {
      return "\(active); there is no whole day a week before to compare with."
    }
    // Users online are compared with another day.
    let changes = figures.filter { $0.id != "online" }.compactMap { figure in
      figure.change?.percent.map { (label: figure.label.lowercased(), percent: $0) }
    }
    let largest = changes.max { abs($0.percent) < abs($1.percent) }
    guard let largest else { return "\(active); the counts are too small for percentages." }
    guard abs(largest.percent) >= notablePercent else {
      return "\(active); usage was about as on \(nameBefore)."
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
