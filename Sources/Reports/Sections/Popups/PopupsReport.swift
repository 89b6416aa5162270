package import Model

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
