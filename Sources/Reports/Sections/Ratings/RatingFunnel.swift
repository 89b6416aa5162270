import Model
import Store

/// How far rating dialogs led: to stars, and on to feedback or the App Store:
/// docs/reports.md#ratings.
struct RatingFunnel {
  static let id = "funnel"

  /// Dialogs and their answers, counted.
  struct DialogCounts: Hashable {
    private(set) var shown = 0
    private(set) var later = 0
    /// Shown dialogs that brought stars.
    private(set) var stars = 0
    /// One to three stars, and how many of them brought feedback.
    private(set) var low = 0
    private(set) var feedback = 0
    /// Four or five stars, and how many of them led to the App Store.
    private(set) var high = 0
    private(set) var store = 0
    /// Ratings without a shown dialog.
    private(set) var unasked = 0

    mutating func add(_ dialog: RatingPromptEvent.Dialog) {
      guard dialog.wasShown else {
        if dialog.stars != nil { unasked += 1 }
        return
      }
      shown += 1
      if dialog.wasPutOff { later += 1 }
      guard let given = dialog.stars else { return }
      stars += 1
      if given > 3 { high += 1 } else { low += 1 }
      guard dialog.wasFollowed else { return }
      if given > 3 { store += 1 } else { feedback += 1 }
    }

    var isEmpty: Bool { shown == 0 && unasked == 0 }
  }

  /// The dialogs of the period.
  private(set) var current = DialogCounts()
  /// Of the people who met the conditions in the period, how many saw the dialog; all people
  /// without an id count as one.
  private(set) var asked = Ratio(0, of: 0)

  private let context: ReportContext

  init(_ data: RatingsData, context: ReportContext) {
    self.context = context
    for dialog in RatingPromptEvent.dialogs(data.prompts)
    where dialog.at >= context.start && dialog.at < context.end {
      current.add(dialog)
    }
    let events = data.prompts.filter { $0.at >= context.start && $0.at < context.end }
    let due = Set(events.filter(RatingPromptRule.wasDue).map(\.userId))
      .union(data.audience.members.filter { data.audience.state($0) == .due }.map(\.userId))
    let shown = Set(events.filter { $0.kind == .shown }.map(\.userId))
    asked = Ratio(due.intersection(shown).count, of: due.count)
  }

  /// How often the dialog was shown, and how often it brought a rating.
  var figures: [Figure] {
    let isUnknown = context.knowsNothing && current.isEmpty
    var shown = Figure(
      id: "prompts-shown", label: "Rating dialogs shown",
      value: isUnknown ? .missing : .count(current.shown),
      section: Self.id)
    shown.isOfEvents = true
    return [
      shown,
      Figure(
        id: "prompts-asked", label: "Asked for a rating", value: .ratio(asked),
        note: "people who met the conditions", section: Self.id),
      Figure(
        id: "prompts-rated", label: "Rated, of shown",
        value: isUnknown ? .missing : .ratio(Ratio(current.stars, of: current.shown)),
        section: Self.id),
    ]
  }

  /// By week, version and thresholds queries count.
  var section: Section {
    Section(
      id: Self.id, title: "From the question to the rating",
      lead: "The rating dialog of this period: how often it was shown, put off, answered with "
        + "stars, and followed by feedback or the App Store.",
      blocks: [.table(steps), .definitions(Self.definitions)])
  }

  private var steps: Table {
    let unanswered = max(0, current.shown - current.stars - current.later)
    let rows: [(step: String, ratio: Ratio, base: String)] = [
      ("People asked", asked, "people who met the conditions"),
      ("Maybe Later", Ratio(current.later, of: current.shown), "shown"),
      ("No answer", Ratio(unanswered, of: current.shown), "shown"),
      ("Stars", Ratio(current.stars, of: current.shown), "shown"),
      ("Feedback", Ratio(current.feedback, of: current.low), "1 to 3 stars"),
      ("App Store", Ratio(current.store, of: current.high), "4 and 5 stars"),
    ]
    return Table(
      id: "rating-funnel", title: "Shown, stars, feedback or App Store",
      of: current.isEmpty && asked.whole == 0 ? [] : rows,
      columns: [
        Column("step", "Step", .leading) { .text($0.step) },
        Column("count", "Count", drawsBars: true) { .count($0.ratio.part) },
        Column("share", "Share") { .ratio($0.ratio) },
        Column("base", "Of", .leading) { .text($0.base) },
      ],
      emptyText: context.emptyText("The dialog was not shown in this period."))
  }

  private static let definitions = [
    Definition(
      "People asked",
      "Those who saw the dialog, of the people whose events say that they met the conditions in "
        + "this period and of the profiles that meet them now. An app that tells no counters shows "
        + "the dialog to those who met them; rating_prompt_due tells of those who did not see it."),
    Definition(
      "Shown",
      "Events rating_prompt_shown. An answer belongs to the dialog "
        + "that its user saw last and had not answered, and to that dialog's week, version and "
        + "thresholds."),
    Definition(
      "Not asked", "Ratings without a dialog before them, which are no part of the shares."),
    Definition(
      "More messages than, low ratings",
      "The settings in force when the dialog was shown: of how many messages sent, and received, a "
        + "user needed more, and how many low ratings end the asking."),
  ]
}
