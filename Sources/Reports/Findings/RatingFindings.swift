import Model

/// Ratings of one person and worse stars, in sentences: docs/findings.md#ratings.
struct RatingFindings {
  let rule: RatingRules

  private var days: JudgedDays { rule.days }

  func found(on day: Int) -> [Detection] { [oneRater(on: day), worse(on: day)].compactMap(\.self) }

  private func oneRater(on day: Int) -> Detection? {
    guard let found = rule.oneRater(on: day) else { return nil }
    let first = days.firstDay(until: day) { rule.oneRater(on: $0) != nil }
    let share = Ratio(found.count, of: found.whole)
    var finding = Finding(
      .warn,
      "One person gave \(NumberWords.grouped(found.count)) of the last "
        + "\(NumberWords.counted(found.whole, "rating")) (\(NumberWords.percent(share.percent))).",
      report: .ratings, section: RatingStars.id,
      subject: "one-rater \(days.names.iso8601(first))")
    finding.evidence = [
      Evidence("Ratings of one person", found.count, .ratings),
      Evidence("Ratings of all", found.whole, .ratings),
    ]
    finding.advice =
      "See who: `firetally sql \"SELECT user_id, count(*) FROM rating WHERE in_period GROUP BY 1 "
      + "ORDER BY 2 DESC\"`; the app should ask each person once."
    finding.weight = 450
    return detection(
      finding, .oneRater, first, day, topics: [.ratings], explains: [.ratings, .stars])
  }

  private func worse(on day: Int) -> Detection? {
    guard let found = rule.worse(on: day) else { return nil }
    let first = days.firstDay(until: day) { rule.worse(on: $0) != nil }
    let proof = Evidence("Chance of such a difference", found.probability, .probability)
    var finding = Finding(
      .warn,
      "Stars fell in the last 7 days: \(NumberWords.decimal(found.week.mean.exact, places: 2)) of "
        + "\(NumberWords.counted(found.week.count, "rating")) instead of "
        + "\(NumberWords.decimal(found.before.mean.exact, places: 2)).",
      report: .ratings, section: "weeks", subject: "stars fell \(days.names.iso8601(first))")
    finding.evidence = [
      Evidence("Mean stars of the last 7 days", found.week.mean.exact, .stars),
      Evidence("Mean stars of the 28 days before", found.before.mean.exact, .stars), proof,
    ]
    finding.advice = "Read the newest feedback, and compare versions and countries."
    finding.weight = 300
    return detection(
      finding, .stars, first, day, topics: [.stars], direction: .fell, explains: [.stars])
  }

  private func detection(
    _ finding: Finding, _ rule: FindingRule, _ first: Int, _ day: Int,
    topics: Set<Detection.Topic>, direction: Detection.Direction? = nil,
    explains: Set<Detection.Topic>
  ) -> Detection {
    var finding = finding
    finding.rule = rule
    finding.since = days.names.iso8601(first)
    return Detection(
      finding: finding, rule: rule, firstDay: first, lastDay: day, topics: topics,
      direction: direction, explains: explains)
  }
}
