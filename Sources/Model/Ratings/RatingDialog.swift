/// What the rating dialog shows, from the question to the thanks; docs/ratings.md#rating-dialog.
package struct RatingDialog: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    /// Five stars, the chosen ones lit; nil before the first tap.
    case stars(StarRating?)
    /// The question after one to three stars, with the text typed so far.
    case feedback(StarRating, typed: String)
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

  /// Nil before the first tap.
  package var stars: StarRating? {
    switch step {
    case .stars(let stars): stars
    case .feedback(let stars, _), .submitted(let stars): stars
    }
  }

  /// From left to right; disabled ones are shown faintly.
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

  /// The text of the feedback field; nil when the step has none.
  package var typed: String? {
    guard case .feedback(_, let typed) = step else { return nil }
    return typed
  }

  /// The counter under the feedback field, such as `24/500`; nil when the step has none.
  package var counter: String? {
    typed.map { "\(TextRule.count($0))/\(TextRule.feedback.lengths.upperBound)" }
  }

  /// Why the feedback cannot be submitted yet, as a sentence; nil when it can.
  package var problem: String? {
    typed.flatMap { TextRule.feedback.check($0).problem }
  }

  /// The effect of the submission, as a sentence; nil before it.
  package var outcome: String? {
    guard case .submitted(let stars) = step else { return nil }
    return stars.isHigh
      ? "The App Store's review page opens, and nobody is asked again."
      : "The feedback is on its way to the people who make the app."
  }
}

/// One to five stars, with the app's text about each; docs/ratings.md#ratings.
package enum StarRating: Int, CaseIterable, Codable, Sendable {
  case one = 1
  case two, three, four, five

  package enum Colour: String, CaseIterable, Codable, Sendable {
    case red, orange, green
  }

  package var text: String {
    switch self {
    case .one: "Not meeting your expectations. Help us improve!"
    case .two: "Could be much better. Tell us how!"
    case .three: "It's okay, but needs improvement"
    case .four: "Great! Rate us on App Store"
    case .five: "Awesome! Share your love on App Store"
    }
  }

  package var emoji: String {
    switch self {
    case .one: "😞"
    case .two: "😕"
    case .three: "😐"
    case .four: "😊"
    case .five: "🤩"
    }
  }

  package var colour: Colour {
    switch self {
    case .one, .two: .red
    case .three: .orange
    case .four, .five: .green
    }
  }

  /// High ratings go to the App Store, low ones ask for feedback.
  package var isHigh: Bool { rawValue >= 4 }
}
