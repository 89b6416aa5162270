import Model
import Store

/// How far rating dialogs led: to stars, and on to feedback or the App Store, by queries:
/// docs/reports.md#ratings.
enum RatingFunnel {
  static let id = "funnel"

  /// Whom the settings ask.
  static func conditions(_ data: RatingsData) -> String {
    let messages = NumberWords.grouped(data.prompt?.threshold ?? 0)
    return "The settings ask people with more than \(messages) messages sent, more than "
      + "\(messages) received, and fewer than "
      + "\(NumberWords.grouped(data.prompt?.maxPrompts ?? 0)) low ratings."
  }

  /// The report with the figures of its funnel's steps, before those of the App Store.
  static func toldAbove(_ report: Report) -> Report {
    guard report.name == .ratings else { return report }
    let blocks = report.sections.flatMap(\.blocks)
    let steps = blocks.compactMap(\.table).first { $0.id == "rating-funnel" }
    var told = report
    let place = told.headline.firstIndex { $0.id == StoreRatings.meanId } ?? told.headline.endIndex
    told.headline.insert(contentsOf: figures(steps, report.context), at: place)
    return told
  }

  /// How often the dialog was shown, and how often it brought a rating; missing when the query
  /// failed.
  private static func figures(_ steps: Table?, _ context: ReportContext) -> [Figure] {
    let none = Ratio(0, of: 0)
    func share(_ step: String) -> Ratio? {
      guard let steps else { return nil }
      for row in steps.rows where row.cells[0] == .text(step) {
        if case .ratio(let share) = row.cells[2] { return share }
      }
      return none
    }
    let stars = share("Stars")
    let isUnknown = stars == nil || context.knowsNothing && steps?.rows.isEmpty == true
    return [
      Figure(
        id: "prompts-shown", label: "Rating dialogs shown",
        value: isUnknown ? .missing : .optional(stars?.whole), isOfEvents: true, section: id),
      Figure(
        id: "prompts-asked", label: "Asked for a rating",
        value: share("People asked").map(Cell.ratio) ?? .missing,
        note: "people who met the conditions", section: id),
      Figure(
        id: "prompts-rated", label: "Rated, of shown",
        value: isUnknown ? .missing : .ratio(stars ?? none), section: id),
    ]
  }
}
