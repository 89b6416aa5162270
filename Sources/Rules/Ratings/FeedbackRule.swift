import Model

/// What a feedback text must be; docs/rules.md#feedback.
package enum FeedbackRule {
  /// User-perceived characters after trimming, inclusive; docs/rules.md#feedback.
  package static let lengths = 10...500

  package enum Verdict: Hashable, Sendable {
    /// The trimmed text.
    case accepted(String)
    case missing
    case tooShort(count: Int)
    case tooLong(count: Int)
  }

  /// Judges a text without the white space around it; nil and a blank one are missing.
  package static func judge(_ text: String?) -> Verdict {
    let trimmed = (text ?? "").trimmed
    let count = trimmed.count
    if count == 0 { return .missing }
    if count < lengths.lowerBound { return .tooShort(count: count) }
    if count > lengths.upperBound { return .tooLong(count: count) }
    return .accepted(trimmed)
  }
}

extension FeedbackRule.Verdict {
  /// Why the text is refused, as a sentence; nil when it is accepted.
  package var problem: String? {
    let least = FeedbackRule.lengths.lowerBound
    let most = FeedbackRule.lengths.upperBound
    switch self {
    case .accepted: return nil
    case .missing:
      return "A rating of 1 to 3 stars needs feedback of \(least) to \(most) characters."
    case .tooShort(let count):
      return "The feedback has \(count) characters; at least \(least) are needed."
    case .tooLong(let count):
      return "The feedback has \(count) characters; at most \(most) are allowed."
    }
  }
}
