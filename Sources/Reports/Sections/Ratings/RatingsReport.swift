package import Model

/// What people think of the app, as far as they were asked: docs/reports.md#ratings.
package enum RatingsReport {
  package static func make(_ facts: RatingsFacts, frame: ReportFrame) -> Report {
    let calendar = ReportCalendar(timeZone: frame.timeZone)
    let tally = RatingsTally(facts, frame: frame, calendar: calendar)
    let newestFeedback = facts.feedback.first.map { Instant(unixSeconds: $0.feedback.timestamp) }
    return Report(
      name: .ratings, title: "Ratings", frame: frame,
      dataTime: Report.DataTime(
        label: "Newest rating or feedback",
        at: [tally.newestAt, newestFeedback].compactMap { $0 }.max()),
      summary: summary(of: tally), headline: headline(of: tally, facts),
      findings: findings(facts),
      sections: [
        RatingStars.section(tally), RatingWeeks.section(tally), RatingGroups.section(tally),
      ] + StoreRatings.sections(facts.reviews, tally) + [
        RatingAsking.section(facts.asking),
        RatingCompletion.section(facts, tally, frame: frame),
        FeedbackTexts.section(facts), RatingOutbox.section(facts),
        RatingPreviews.section(facts, appName: frame.appName),
      ])
  }

  private static func summary(of tally: RatingsTally) -> String {
    guard let mean = tally.current.mean.value else { return "No rating in this period." }
    let count = NumberWords.counted(tally.current.count, "rating")
    let text = NumberWords.decimal(mean, places: 2)
    return "\(count) with a mean of \(text) stars; \(NumberWords.grouped(tally.current.low)) of "
      + "them three stars or fewer."
  }

  private static func headline(of tally: RatingsTally, _ facts: RatingsFacts) -> [Figure] {
    let now = tally.current
    return [
      Figure(
        id: "ratings", label: "Ratings", value: .count(now.count),
        change: Change(from: tally.previous.count, to: now.count), trend: tally.byDay,
        section: "stars"),
      Figure(
        id: "mean-stars", label: "Mean stars", value: .mean(now.mean),
        note: "of \(NumberWords.counted(now.count, "rating"))"),
      Figure(
        id: "high-share", label: "Four or five stars", value: .ratio(Ratio(now.high, of: now.count))
      ),
      Figure(
        id: "feedback", label: "Feedback texts", value: .count(facts.feedback.count),
        note: "all that the workspace holds"),
      RatingAsking(facts.asking).figure,
    ] + StoreRatings.figures(facts.reviews)
  }

  private static func findings(_ facts: RatingsFacts) -> [Finding] {
    let rejected = facts.outbox[.rejected] ?? 0
    let waiting = (facts.outbox[.queued] ?? 0) + (facts.outbox[.sending] ?? 0)
    var findings: [Finding] = []
    if rejected > 0 {
      findings.append(
        Finding(
          .error,
          "\(NumberWords.counted(rejected, "outbox item was", "outbox items were")) rejected by the "
            + "server; `outbox list --state rejected` says why.",
          report: .ratings, section: RatingOutbox.id, subject: "rejected"))
    }
    if waiting > 0 {
      findings.append(
        Finding(
          .notice,
          "\(NumberWords.counted(waiting, "outbox item waits", "outbox items wait")) to be "
            + "delivered.",
          report: .ratings, section: RatingOutbox.id, subject: "waiting"))
    }
    return findings
  }
}
