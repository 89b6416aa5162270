package import Model

/// What people think of the app, in ratings, feedback and reviews: docs/reports.md#ratings.
package enum RatingsReport {
  package static func make(_ data: RatingsData, context: ReportContext) -> Report {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let tally = RatingsTally(data, context: context, calendar: calendar)
    let funnel = RatingFunnel(data, context: context, calendar: calendar)
    let newestFeedback = data.feedback.first.map { Instant(unixSeconds: $0.feedback.timestamp) }
    return Report(
      name: .ratings, title: "Ratings", context: context,
      dataTime: Report.DataTime(
        label: "Newest rating or feedback",
        at: [tally.newestAt, newestFeedback].compactMap { $0 }.max()),
      summary: summary(of: tally),
      headline: headline(of: tally, data, funnel, ComparisonWords(context)),
      findings: findings(data),
      sections: [
        RatingStars.section(tally), RatingWeeks.section(tally), RatingGroups.section(tally),
      ] + StoreRatings.sections(data.reviews, tally) + [
        funnel.section(weeks: tally.weeks), RatingAudience.section(data.audience),
        RatingCompletion.section(data, tally, context: context),
        FeedbackThemes(data, WrittenTexts(data, context: context)).section(context),
        FeedbackTexts.section(data), RatingOutbox.section(data),
        PopupsReport.link(of: "The rating dialog in every state.", context),
      ])
  }

  private static func summary(of tally: RatingsTally) -> String {
    guard let mean = tally.current.mean.value else {
      return tally.context.emptyText("No rating in this period.")
    }
    let count = NumberWords.counted(tally.current.count, "rating")
    let text = NumberWords.decimal(mean, places: 2)
    return "\(count) with a mean of \(text) stars; \(NumberWords.grouped(tally.current.low)) of "
      + "them three stars or fewer."
  }

  private static func headline(
    of tally: RatingsTally, _ data: RatingsData, _ funnel: RatingFunnel,
    _ comparison: ComparisonWords
  ) -> [Figure] {
    let now = tally.current
    return [
      Figure(
        id: "ratings", label: "Ratings",
        value: now.count == 0 && tally.context.knowsNothing ? .missing : .count(now.count),
        trend: tally.byDay, section: "stars"
      ).compared(comparison.change(ofEvents: tally.previous.count, to: tally.compared.count)),
      Figure(
        id: "mean-stars", label: "Mean stars", value: .mean(now.mean),
        note: "of \(NumberWords.counted(now.count, "rating"))"),
      Figure(
        id: "high-share", label: "Four or five stars", value: .ratio(Ratio(now.high, of: now.count))
      ),
      Figure(
        id: "feedback", label: "Feedback texts", value: .count(data.feedback.count),
        note: feedbackNote(data)),
    ] + funnel.figures + StoreRatings.figures(data.reviews)
  }

  private static func feedbackNote(_ data: RatingsData) -> String {
    let own = data.feedback.count { $0.origin == .own }
    return "\(NumberWords.grouped(own)) own, "
      + "\(NumberWords.grouped(data.feedback.count - own)) foreign, whatever the period"
  }

  private static func findings(_ data: RatingsData) -> [Finding] {
    RatingOutbox.findings(data.outbox)
  }
}
