/// What a feedback text must be; docs/ratings.md#feedback.
package enum FeedbackRule {
  /// User-perceived characters after trimming, inclusive; docs/ratings.md#feedback.
  package static let lengths = 10...500

  /// The most UTF-8 bytes of a text whose characters are made of many marks;
  /// docs/ratings.md#feedback.
  package static let mostBytes = 16_384

  /// Checks a text without the white space around it; nil and a text without a visible character
  /// are missing.
  package static func check(_ text: String?) -> FeedbackCheck {
    let trimmed = (text ?? "").trimmed
    let count = Self.count(trimmed)
    if count == 0 { return .missing }
    if count < lengths.lowerBound { return .tooShort(count: count) }
    if count > lengths.upperBound { return .tooLong(count: count) }
    if trimmed.utf8.count > mostBytes { return .tooManyBytes(count: trimmed.utf8.count) }
    if trimmed.unicodeScalars.contains(where: isControl) { return .controlCharacters }
    return .accepted(String(trimmed))
  }

  /// The number of visible characters, without the white space around the text.
  package static func count(_ text: String) -> Int {
    text.trimmed.count { isVisible($0) }
  }

  /// False for joiners, zero-width spaces and the like.
  private static func isVisible(_ character: Character) -> Bool {
    !character.unicodeScalars.allSatisfy(\.properties.isDefaultIgnorableCodePoint)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && !"\n\r\t".unicodeScalars.contains(scalar)
  }
}

/// What `FeedbackRule` found out about a text.
package enum FeedbackCheck: Hashable, Sendable {
  /// The trimmed text.
  case accepted(String)
  case missing
  case tooShort(count: Int)
  case tooLong(count: Int)
  case tooManyBytes(count: Int)
  /// Control characters other than line breaks and tabs.
  case controlCharacters
  /// The rating takes no feedback.
  case unwanted

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
    case .tooManyBytes(let count):
      return "The feedback has \(count) bytes; at most \(FeedbackRule.mostBytes) are allowed."
    case .controlCharacters:
      return "The feedback has control characters other than line breaks and tabs; leave them out."
    case .unwanted:
      return "A rating of 4 or 5 stars takes no feedback: it leads to the App Store. Leave "
        + "--feedback out, or rate 1 to 3 stars."
    }
  }
}
