import Model
import Store

/// The counts of the complete days that rules judge.
struct AppSeries {
  /// What weeks and drifts are judged of.
  let totals: [CountSeries]
  /// What may stop.
  let parts: [PartFindings.Part]

  init(_ usage: UsageData, _ ratings: RatingsData, days: JudgedDays, counts: HourCounts) {
    let facts = days.days
    let subscriptionTaps = CountSeries(.subscriptionTaps, facts)
    let sales = CountSeries(.newSubscribers, facts)
    let stars = CountSeries(
      name: "ratings", title: "Ratings", unit: .ratings, place: (.ratings, RatingsReport.starsId),
      topic: .ratings, counts: Self.raters(ratings, facts))
    let feedback = Self.feedback(ratings, facts)
    var newPeople = CountSeries(.newPeople, facts)
    // Whoever comes in the first days of a ledger seems new: these days show nothing.
    newPeople.firstDay = days.firstWhole + JudgedDays.settlingDays
    var night = CountSeries(
      name: "night-taps", title: "Taps at night", unit: .taps, place: (.usage, UsageDays.id),
      topic: .use, counts: counts.nightTaps)
    var taps = CountSeries(.taps, facts)
    (taps.weekFactor, night.weekFactor) = (Self.weekFactorOfTaps, Self.weekFactorOfTaps)
    totals =
      [CountSeries(.people, facts), taps, night]
      + [subscriptionTaps, sales, newPeople, stars].map(Self.byPerson)
    parts =
      [
        PartFindings.Part(group: .newPeople, words: "New people", series: newPeople),
        PartFindings.Part(
          group: .subscriptionTaps, words: "Subscription taps", series: subscriptionTaps),
        PartFindings.Part(group: .sales, words: "New subscribers", series: sales),
        PartFindings.Part(group: .ratings, words: "Ratings", series: stars),
        PartFindings.Part(group: .feedback, words: "Feedback texts", series: feedback),
        PartFindings.Part(group: .features, words: "Taps at night", series: night),
      ] + Self.uses(counts.uses, Self.kinds, "")
      + Self.uses(counts.nightUses, Self.kinds.filter { $0.kind == .performed }, " at night")
      + Self.people(usage, count: facts.count)
  }

  private static func byPerson(_ series: CountSeries) -> CountSeries {
    var series = series
    series.isByPerson = true
    return series
  }

  /// Found with invented apps of 30 and 200 people a day.
  private static let weekFactorOfTaps = 1.5

  /// Ratings of each day; a person with several on one day counts once.
  private static func raters(_ ratings: RatingsData, _ days: [DayFacts]) -> [Int] {
    var day = 0
    var counts = [Int](repeating: 0, count: days.count)
    var met: Set<Int> = []
    for rater in ratings.raters {
      while day < days.count, days[day].end <= rater.at {
        day += 1
        met = []
      }
      guard day < days.count else { break }
      guard days[day].start <= rater.at, rater.person.map({ met.insert($0).inserted }) ?? true
      else { continue }
      counts[day] += 1
    }
    return counts
  }

  /// Texts by the day on which they were written.
  private static func feedback(_ ratings: RatingsData, _ days: [DayFacts]) -> CountSeries {
    var counts = [Int](repeating: 0, count: days.count)
    for entry in ratings.feedback {
      let at = Instant(unixSeconds: entry.feedback.timestamp)
      if let day = days.lastIndex(where: { $0.start <= at }), at < days[day].end {
        counts[day] += 1
      }
    }
    return CountSeries(
      name: "feedback", title: "Feedback texts", unit: .count,
      place: (.ratings, FeedbackThemes.id), topic: .feedback, counts: counts)
  }

  private typealias Kind = (kind: EventKind, words: String, topic: Detection.Topic)

  private static let kinds: [Kind] = [
    (.buttonTapped, "taps", .use), (.performed, "actions", .use),
    (.popupShown, "popups", .blocks), (.popupDismissed, "closed popups", .blocks),
    (.blockedLimitReached, "blocks at the limit", .blocks),
    (.subscriptionButtonTapped, "subscription taps", .subscriptionTaps),
  ]

  /// Features by what happens with them.
  private static func uses(
    _ counts: [HourCounts.Use: [Int]], _ kinds: [Kind], _ suffix: String
  ) -> [PartFindings.Part] {
    Feature.allCases.flatMap { feature in
      kinds.compactMap { kind in
        let use = HourCounts.Use(feature: feature, kind: kind.kind)
        guard let days = counts[use] else { return nil }
        let words = "\(feature.title): \(kind.words)\(suffix)"
        return PartFindings.Part(
          group: .features, words: words,
          series: CountSeries(
            name: "\(feature.rawValue)-\(kind.kind.rawValue)\(suffix)", title: words, unit: .count,
            place: (.usage, "features"), topic: kind.topic, counts: days),
          claim: { "\(feature.title) has had \($0) \(kind.words)\(suffix)" })
      }
    }
  }

  /// Countries, languages, versions and platforms with their people; `count` is the number of
  /// complete days.
  private static func people(_ usage: UsageData, count: Int) -> [PartFindings.Part] {
    usage.parts.map { part, days in
      let offset = usage.history.days.count - days.events.count
      func padded(_ counts: [Int]) -> [Int] {
        (0..<count).map { $0 < offset ? 0 : counts[$0 - offset] }
      }
      let place =
        switch part.kind {
        case .country: "from \(VisibleText.clipped(part.name, to: 40))"
        case .language: "in \(VisibleText.clipped(part.name, to: 40))"
        case .version: "in version \(VisibleText.clipped(part.name, to: 20))"
        case .platform: "on \(PlatformWords.title(part.name))"
        }
      let who =
        switch part.kind {
        case .country: "in \(VisibleText.clipped(part.name, to: 40)) has used the app"
        case .language, .version, .platform: "has used the app \(place)"
        }
      var events = CountSeries(
        name: "\(part.kind.rawValue) \(part.name)", title: "Events \(place)", unit: .count,
        place: part.kind.place, topic: .use, counts: padded(days.events))
      events.firstDay = offset
      events.people = padded(days.people)
      events.isShortLived = part.kind == .version
      let group: PartFindings.Group = part.kind == .version ? .versions : .places
      return PartFindings.Part(
        group: group, words: events.title, series: events,
        claim: { "\($0)body \(who)".capitalizedFirst }, counted: "event")
    }.sorted { $0.words < $1.words }
  }
}

extension AppDimension.Kind {
  /// The section about its parts.
  fileprivate var place: (Report.Name, String) {
    switch self {
    case .country, .language: (.users, "places")
    case .version: (.ratings, "groups")
    case .platform: (.usage, "features")
    }
  }
}
