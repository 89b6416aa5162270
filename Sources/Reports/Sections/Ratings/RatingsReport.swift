package import Model
package import Store

/// What people think of the app, in ratings, feedback and reviews: docs/reports.md#ratings.
package enum RatingsReport {
  static let starsId = "stars"
  static let weeksId = "weeks"

  package static func make(_ data: RatingsData, context: ReportContext) -> Report {
    let tally = PeriodTally(data.ratings, context)
    let newestRating = data.ratings.map(\.at)
      .filter { $0 >= context.previousStart && $0 < context.end }.max()
    let written = data.feedback.map { Instant(unixSeconds: $0.feedback.timestamp) }
    let newestFeedback = written.filter { $0.counts(at: context.now) }.max()
    return Report(
      name: .ratings, title: "Ratings", context: context,
      dataTime: Report.DataTime(
        label: "Newest rating or feedback",
        at: [newestRating, newestFeedback].compactMap(\.self).max()),
      summary: summary(of: tally),
      headline: headline(of: tally, data),
      findings: RatingOutbox.findings(data.outbox) + findings(ahead: written, context),
      sections: [
        Section(.ratings, starsId),
        FeedbackThemes(data, WrittenTexts(data, context: context)).section(context),
        Section(.ratings, weeksId), Section(.ratings, "groups"),
      ] + StoreRatings.sections(data.reviews, TimeWords(context: context)) + [
        Section(.ratings, RatingFunnel.id) { "\($0) \(RatingFunnel.conditions(data))" },
        FeedbackTexts.section(data), Section(.ratings, RatingOutbox.id),
        PopupsReport.link(of: "The rating dialog in every state.", context),
      ])
  }

  /// Names texts of the future, which do not count as newest.
  private static func findings(ahead written: [Instant], _ context: ReportContext) -> [Finding] {
    let ahead = written.filter { !$0.counts(at: context.now) }
    guard let latest = ahead.max() else { return [] }
    let isOne = ahead.count == 1
    let day = ReportCalendar(timeZone: context.timeZone).day(of: latest).plain
    return [
      Finding(
        .notice,
        "\(NumberWords.counted(ahead.count, "feedback text")) \(isOne ? "is" : "are") dated later "
          + "than now, \(isOne ? "on" : "up to") \(day): \(isOne ? "it does" : "they do") not "
          + "count as newest data.",
        report: .ratings, section: "feedback", subject: "feedback ahead")
    ]
  }

  private static func summary(of tally: PeriodTally<StarCounts>) -> String {
    guard let mean = tally.current.mean.value else {
      return tally.context.emptyText("No rating in this period.")
    }
    let count = NumberWords.counted(tally.current.count, "rating")
    let text = NumberWords.decimal(mean, places: 2)
    return "\(count) with a mean of \(text) stars; \(NumberWords.grouped(tally.current.low)) of "
      + "them three stars or fewer."
  }

  private static func headline(
    of tally: PeriodTally<StarCounts>, _ data: RatingsData
  ) -> [Figure] {
    let now = tally.current
    let isUnknown = now.count == 0 && tally.context.knowsNothing
    return [
      // A rating is known also on a day without a line of the export.
      tally.figure(
        "ratings", "Ratings", \.count, isUnknown: isUnknown,
        trend: tally.byDay(\.count, without: tally.uncounted.subtracting(tally.byDay.keys)),
        section: starsId, change: tally.comparison.change(ofEvents:to:)),
      Figure(
        id: "mean-stars", label: "Mean stars", value: isUnknown ? .missing : .mean(now.mean),
        note: isUnknown ? nil : "of \(NumberWords.counted(now.count, "rating"))",
        changeNote: isUnknown || now.count == 0
          ? nil
          : before(tally).map {
            "\(NumberWords.change(from: $0.mean, to: now.mean)) of "
              + NumberWords.counted($0.count, "rating")
          }),
      Figure(
        id: "high-share", label: "Four or five stars",
        value: isUnknown ? .missing : .ratio(Ratio(now.high, of: now.count)),
        changeNote: before(tally).map {
          "before: "
            + CellWords(time: TimeWords(context: tally.context))
            .words(.ratio(Ratio($0.high, of: $0.count)))
        }),
      Figure(
        id: "feedback", label: "Feedback texts", value: .count(data.feedback.count),
        note: feedbackNote(data)),
    ] + StoreRatings.figures(data.reviews)
  }

  /// The same weekdays earlier; nil where they cannot be compared, or have no rating.
  private static func before(_ tally: PeriodTally<StarCounts>) -> StarCounts? {
    tally.context.comparisonFault == nil && tally.context.comparison.main != nil
      && tally.previous.count > 0 ? tally.previous : nil
  }

  private static func feedbackNote(_ data: RatingsData) -> String {
    let own = data.feedback.count { $0.origin == .own }
    return "\(NumberWords.grouped(own)) own, "
      + "\(NumberWords.grouped(data.feedback.count - own)) foreign, of all periods"
  }
}

/// The section with what the workspace has to deliver, and its findings.
package enum RatingOutbox {
  static let id = "outbox"
  /// The subject of the finding about rejected items.
  package static let rejectedSubject = "rejected"

  /// What needs a person: rejected items, then waiting ones.
  package static func findings(_ outbox: [OutboxItem.State: Int]) -> [Finding] {
    let rejected = outbox[.rejected] ?? 0
    let waiting = (outbox[.queued] ?? 0) + (outbox[.sending] ?? 0)
    var findings: [Finding] = []
    if rejected > 0 {
      findings.append(
        Finding(
          .error,
          "\(NumberWords.counted(rejected, "outbox item was", "outbox items were")) rejected by "
            + "the server; `outbox list --state rejected` says why.",
          report: .ratings, section: id, subject: rejectedSubject))
    }
    if waiting > 0 {
      findings.append(
        Finding(
          .notice,
          "\(NumberWords.counted(waiting, "outbox item waits", "outbox items wait")) to be "
            + "delivered.",
          report: .ratings, section: id, subject: "waiting"))
    }
    return findings
  }
}
