import Model

/// What a moment's text must be; docs/rules.md#moments.
package enum MomentTextRule {
  /// Visible characters after trimming, inclusive; docs/rules.md#moments.
  package static let lengths = 1...1_000

  /// The most UTF-8 bytes of a text whose characters are made of many marks; docs/rules.md#moments.
  package static let mostBytes = 65_536

  package enum Verdict: Hashable, Sendable {
    /// The trimmed text.
    case accepted(String)
    case missing
    case tooLong(count: Int)
    case tooManyBytes(count: Int)
  }

  /// Judges a text without the white space around it; one that shows nothing is missing.
  package static func judge(_ text: String) -> Verdict {
    let trimmed = text.trimmed
    let count = FeedbackRule.count(trimmed)
    if count < lengths.lowerBound { return .missing }
    if count > lengths.upperBound { return .tooLong(count: count) }
    let bytes = trimmed.utf8.count
    return bytes > mostBytes ? .tooManyBytes(count: bytes) : .accepted(trimmed)
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
    case .tooManyBytes(let count):
      return "The moment has \(count) bytes; at most \(MomentTextRule.mostBytes) are allowed."
    }
  }
}
