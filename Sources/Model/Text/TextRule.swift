/// What a text that a user writes must be; docs/ratings.md#feedback and docs/moments.md#moments.
package struct TextRule: Sendable {
  /// How a sentence begins that is about the text.
  let subject: String
  /// Visible characters as users perceive them, after trimming, inclusive.
  package let lengths: ClosedRange<Int>
  /// The most UTF-8 bytes of a text whose characters are made of many marks.
  package let mostBytes: Int
  /// Whether control characters other than line breaks and tabs are refused.
  let refusesControls: Bool
  /// How a sentence begins that says what is wanted.
  let wish: String

  package static let feedback = TextRule(
    subject: "The feedback", lengths: 10...500, mostBytes: 16_384, refusesControls: true,
    wish: "A rating of 1 to 3 stars needs feedback")
  package static let moment = TextRule(
    subject: "The moment", lengths: 1...1_000, mostBytes: 65_536, refusesControls: false,
    wish: "A moment needs a text")

  /// The sentence about a text without a visible character.
  var missing: String { "\(wish) of \(lengths.lowerBound) to \(lengths.upperBound) characters." }

  /// Checks a text without the white space around it; nil is an empty text.
  package func check(_ text: String?) -> TextCheck {
    let trimmed = (text ?? "").trimmed
    let count = Self.count(trimmed)
    let bytes = trimmed.utf8.count
    if count == 0 { return .refused(missing) }
    if count < lengths.lowerBound {
      return .refused(
        "\(subject) has \(count) characters; at least \(lengths.lowerBound) are needed.")
    }
    if count > lengths.upperBound {
      return .refused(
        "\(subject) has \(count) characters; at most \(lengths.upperBound) are allowed.")
    }
    if bytes > mostBytes {
      return .refused("\(subject) has \(bytes) bytes; at most \(mostBytes) are allowed.")
    }
    if refusesControls, trimmed.unicodeScalars.contains(where: Self.isControl) {
      return .refused(
        "\(subject) has control characters other than line breaks and tabs; leave them out.")
    }
    return .accepted(trimmed)
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

package enum TextCheck: Hashable, Sendable {
  case accepted(String)
  /// Why, as a sentence.
  case refused(String)

  /// Why the text is refused, as a sentence; nil when it is accepted.
  package var problem: String? {
    if case .refused(let problem) = self { problem } else { nil }
  }
}
