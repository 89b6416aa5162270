/// What the rating dialog shows, from the question to the thanks; docs/rules.md#rating-dialog.
package struct RatingDialog: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    /// Five stars, as many of them lit as were chosen; none before the first tap.
    case stars(StarRating?)
    /// The question that one to three stars lead to, with what was typed so far.
    case feedback(StarRating, typed: String)
    /// Submitted: nothing is left to do.
    case submitted(StarRating)
  }

  package struct Button: Hashable, Sendable {
    package var title: String
    package var isEnabled: Bool
  }

  package static let later = "Maybe Later"
  package static let submit = "Submit"

  package var step: Step
  /// Such as `Rate ChatHub`.
  package var title: String

  package init(_ step: Step, appName: String) {
    self.step = step
    title = "Rate \(appName)"
  }

  /// Nil before any was chosen.
  package var stars: StarRating? {
    switch step {
    case .stars(let stars): stars
    case .feedback(let stars, _), .submitted(let stars): stars
    }
  }

  /// From the left; those that do nothing yet are shown faintly.
  package var buttons: [Button] {
    switch step {
    case .stars(let stars):
      [
        Button(title: Self.later, isEnabled: true),
        Button(title: Self.submit, isEnabled: stars != nil),
      ]
    case .feedback: [Button(title: Self.submit, isEnabled: problem == nil)]
    case .submitted: []
    }
  }

  /// The text of the feedback field; nil where there is none.
  package var typed: String? {
    guard case .feedback(_, let typed) = step else { return nil }
    return typed
  }

  /// Under the feedback field, such as `24/500`; nil where there is none.
  package var counter: String? {
    typed.map { "\(FeedbackRule.count($0))/\(FeedbackRule.lengths.upperBound)" }
  }

  /// Why the feedback cannot be submitted yet, as a sentence; nil when it can.
  package var problem: String? {
    typed.flatMap { FeedbackRule.judge($0).problem }
  }

  /// What a submission has led to, as a sentence; nil before it.
  package var outcome: String? {
    guard case .submitted(let stars) = step else { return nil }
    return stars.isHigh
      ? "The App Store's review page opens, and nobody is asked again."
      : "The feedback is on its way to the people who make the app."
  }
}
