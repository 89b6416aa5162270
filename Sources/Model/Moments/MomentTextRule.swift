/// What a moment's text must be; docs/moments.md#moments.
package enum MomentTextRule {
  /// Visible characters after trimming, inclusive; docs/moments.md#moments.
  package static let lengths = 1...1_000

  /// The most UTF-8 bytes of a text whose characters are made of many marks;
  /// docs/moments.md#moments.
  package static let mostBytes = 65_536

  /// Checks a text without the white space around it; a text without a visible character is
  /// missing.
  package static func check(_ text: String) -> MomentTextCheck {
    let trimmed = text.trimmed
    let count = FeedbackRule.count(trimmed)
    if count < lengths.lowerBound { return .missing }
    if count > lengths.upperBound { return .tooLong(count: count) }
    let bytes = trimmed.utf8.count
    return bytes > mostBytes ? .tooManyBytes(count: bytes) : .accepted(trimmed)
  }
}

/// What `MomentTextRule` found out about a text.
package enum MomentTextCheck: Hashable, Sendable {
  /// The trimmed text.
  case accepted(String)
  case missing
  case tooLong(count: Int)
  case tooManyBytes(count: Int)

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
