package import Model
package import Store

/// What people see of the limits and of the question for a rating: docs/reports.md#popups.
package enum PopupsReport {
  package static func make(
    _ limits: LimitsData, _ ratings: RatingsData, context: ReportContext
  ) -> Report {
    Report(
      name: .popups, title: "Popups", context: context,
      dataTime: Report.DataTime(
        label: "Settings read", at: limits.fetched.map(\.fetchedAt).max()),
      summary: "What the app shows its users, drawn with the settings in force.",
      sections: [
        LimitPopups.section(limits, context: context), PaywallPreviews.section(limits),
        RatingPreviews.section(ratings, appName: context.appName),
      ])
  }

  /// The section of another report that leads here.
  static func link(of summary: String, _ context: ReportContext) -> Section {
    Section(
      id: "popups", title: "What people see", lead: "Drawn on a page of their own.",
      blocks: [
        .contents([
          PageLink(
            report: .popups, title: "Popups", summary: summary,
            dataTime: Report.DataTime(label: "Drawn", at: context.now))
        ])
      ])
  }
}

/// The section with the rating dialog in all its states.
enum RatingPreviews {
  /// Feedback below and above the shortest that the app accepts.
  private static let typed = (short: "Too slow", good: "The wait between two searches is too long.")

  static func section(_ data: RatingsData, appName: String) -> Section {
    let real = data.prompt.map { [preview(of: $0, appName: appName)] } ?? []
    func gallery(_ id: String, _ title: String, _ previews: [PopupPreview]) -> Block {
      .popups(PopupGallery(id: id, title: title, previews: previews))
    }
    return Section(
      id: "rating-dialog", title: "The rating dialog",
      lead: "The dialog from the question to the thanks, with the app's own words."
        + (real.isEmpty
          ? "" : " The first is what the named profile would see now; the others are examples."),
      blocks: [
        gallery("rating-stars", "The question", real + questions(appName)),
        gallery("rating-feedback", "After one to three stars", feedback(appName)),
        gallery("rating-thanks", "After Submit", thanks(appName)),
      ])
  }

  private static func preview(
    of prompt: RatingsData.PromptInput, appName: String
  ) -> PopupPreview {
    let decision = RatingPromptRule.decide(
      prompt.counters, threshold: prompt.threshold, maxPrompts: prompt.maxPrompts)
    return PopupPreview(
      "now", "\(prompt.profile) now: \(decision.isDue ? "is asked" : "is not asked")",
      isReal: true,
      decision.isDue
        ? .rating(RatingDialog(.stars(nil), appName: appName)) : .nothing(decision.reason))
  }

  private static func questions(_ appName: String) -> [PopupPreview] {
    let asked = PopupPreview(
      "asked", "Before the first tap", .rating(RatingDialog(.stars(nil), appName: appName)))
    return [asked]
      + StarRating.allCases.map { stars in
        let words = NumberWords.counted(stars.rawValue, "star")
        return PopupPreview(
          words.replacing(" ", with: "-"), words,
          .rating(RatingDialog(.stars(stars), appName: appName)))
      }
  }

  private static func feedback(_ appName: String) -> [PopupPreview] {
    let tooLong = String(repeating: "\(typed.good) ", count: 12)
    let states: [(String, String, StarRating, String)] = [
      ("empty", "Nothing written yet", .one, ""),
      ("too-short", "Too short", .two, typed.short),
      ("accepted", "Long enough", .three, typed.good),
      ("too-long", "Too long", .three, tooLong),
    ]
    return states.map { id, caption, stars, typed in
      PopupPreview(
        id, caption, .rating(RatingDialog(.feedback(stars, typed: typed), appName: appName)))
    }
  }

  private static func thanks(_ appName: String) -> [PopupPreview] {
    [
      PopupPreview(
        "sent", "One to three stars, with feedback",
        .rating(RatingDialog(.submitted(.three), appName: appName))),
      PopupPreview(
        "store", "Four or five stars",
        .rating(RatingDialog(.submitted(.five), appName: appName))),
    ]
  }
}
