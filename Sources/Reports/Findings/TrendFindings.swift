import Model

/// Weeks and drifts in sentences: docs/findings.md#weeks.
struct TrendFindings {
  let weeks: WeekRule
  let drifts: DriftRule
  let series: [CountSeries]

  private var days: JudgedDays { weeks.days }

  func found(on day: Int) -> [Detection] { changes(on: day) + falls(on: day) }

  private func changes(on day: Int) -> [Detection] {
    let found = series.compactMap { series in
      weeks.change(of: series, on: day).map { (series: series, change: $0) }
    }
    return [Detection.Direction.fell, .rose].flatMap { direction in
      Detection.Topic.allCases.compactMap { topic -> Detection? in
        let own = found.filter { $0.change.direction == direction && $0.series.topic == topic }
          .sorted { $0.change.distance > $1.change.distance }
        guard let main = own.first else { return nil }
        let alike = alike(main.series)
        return began(until: day) { other in
          alike.contains { weeks.change(of: $0, on: other)?.direction == direction }
        } detection: { first in
          detection(
            main.series, main.change, own.map { ($0.series, $0.change) }, alike[0].name, first)
        }
      }
    }
  }

  /// The series of one matter, whichever of them leads today; the first names it in ids.
  private func alike(_ series: CountSeries) -> [CountSeries] {
    self.series.filter { $0.topic == series.topic }
  }

  /// Weeks that share a day are one matter, also when the days between do not; it explains, and is
  /// explained by, what began with the last days in a row.
  private func began(
    until day: Int, isFound: (Int) -> Bool, detection: (Int) -> Detection
  ) -> Detection {
    // Growth lasts for months.
    let first = days.firstDay(until: day, across: WeekRule.week - 1, back: day, isFound)
    var found = detection(first)
    found.firstDay = days.firstDay(until: day, isFound)
    return found
  }

  private func detection(
    _ series: CountSeries, _ change: WeekRule.Change,
    _ all: [(series: CountSeries, change: WeekRule.Change)], _ name: String, _ first: Int
  ) -> Detection {
    let isFall = change.direction == .fell
    let verb = isFall ? "fell" : "rose"
    let people = series.isByPerson ? " for as many people" : ""
    let part = Ratio(Int(change.count.rounded()), of: max(1, Int(change.usual.rounded())))
    return Detection(
      isFall ? .warn : .notice, .week, "week \(name) \(verb)", since: first, days.names,
      at: series.place, weight: 10 * change.distance, topics: [series.topic],
      direction: change.direction, explains: series.topic.followers, explainsOnly: change.direction,
      "\(series.title) \(verb) in the last \(change.dayCount) days: "
        + "\(Self.words(change.count)) a day instead of about \(Self.words(change.usual))"
        + people
        + (part.whole >= 10 ? " (\(NumberWords.percent(part.percent)))." : "."),
      evidence: all.map { series, change in
        Evidence(
          "\(series.title) a day, last \(change.dayCount) days", change.count, .mean,
          expected: change.expected)
      },
      advice: isFall
        ? "See what changed before these days: a release, a price, a limit, a campaign that ended."
        : "See where they come from: a campaign, a country, a feature.")
  }

  private func falls(on day: Int) -> [Detection] {
    Detection.Topic.allCases.compactMap { topic -> Detection? in
      let found = series.filter { $0.topic == topic }.compactMap { series in
        drifts.drift(of: series, on: day).map { (series: series, drift: $0) }
      }.sorted { $0.drift.distance > $1.drift.distance }
      guard let main = found.first else { return nil }
      let alike = alike(main.series)
      return began(until: day) { other in
        alike.contains { drifts.drift(of: $0, on: other) != nil }
      } detection: { first in
        detection(main.series, main.drift, alike[0].name, first)
      }
    }
  }

  private func detection(
    _ series: CountSeries, _ drift: DriftRule.Drift, _ name: String, _ first: Int
  ) -> Detection {
    let slope = NumberWords.percent(Ratio(Int((drift.slope * 1_000).rounded()), of: 1_000).percent)
    return Detection(
      .warn, .drift, "drift \(name) fell", since: first, days.names, at: series.place,
      weight: 8 * drift.distance, topics: [series.topic], direction: .fell,
      explains: series.topic.followers, explainsOnly: .fell,
      "\(series.title) fall by \(slope) a day: from about \(Self.words(drift.first)) a day "
        + "\(drift.dayCount) days ago to about \(Self.words(drift.last)) now.",
      evidence: [
        Evidence(
          "\(series.title) a day, fitted", drift.last, .mean, expected: drift.first...drift.first)
      ],
      advice: "Compare who stays away, by country, version and cohort: no single day stands out, "
        + "all together do.")
  }

  private static func words(_ mean: Double) -> String {
    NumberWords.decimal(mean, places: mean < 20 ? 1 : 0)
  }
}

extension Detection.Topic {
  /// What moves with a figure, and needs no finding of its own beside it.
  fileprivate var followers: Set<Detection.Topic> {
    switch self {
    case .use: [.use, .subscriptionTaps, .sales, .ratings, .feedback, .newPeople]
    case .subscriptionTaps: [.subscriptionTaps, .sales]
    case .newPeople: [.newPeople, .use]
    default: [self]
    }
  }
}
