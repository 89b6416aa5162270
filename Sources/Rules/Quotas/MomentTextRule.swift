import Model

/// What a moment's text must be; docs/rules.md#moments.
package enum MomentTextRule {
  /// User-perceived characters after trimming, inclusive; docs/rules.md#moments.
  package static let lengths = 1...1_000

  package enum Verdict: Hashable, Sendable {
    /// The trimmed text.
    case accepted(String)
    case missing
    case tooLong(count: Int)
  }

  /// Judges a text without the white space around it; a blank one is missing.
  package static func judge(_ text: String) -> Verdict {
    let trimmed = text.trimmed
    let count = trimmed.count
    if count < lengths.lowerBound { return .missing }
    if count > lengths.upperBound { return .tooLong(count: count) }
    return .accepted(trimmed)
  }
}

extension MomentTextRule.Verdict {
  /// Why the text is refused, as a sentence; nil when it is accepted.
  package var problem: String? {
    let lengths = MomentTextRule.lengths
    switch self {
    case .accepted: return nil
    case .missing:
      return "A moment needs a text of \(lengths.lowerBound) to \(lengths.upperBound) characters."
    case .tooLong(let count):
      return "The moment has \(count) characters; at most \(lengths.upperBound) are allowed."
    }
  }
}
