/// What a server sent, as messages quote it: `docs/commands.md#log-lines`.
package enum QuotedText {
  /// Code points of a quote.
  package static let longest = 2_000
  /// Those of them that are the end of a longer text.
  package static let longestEnd = 200

  /// The text; of a longer one its beginning and its end, with `…` for the rest.
  package static func clipped(_ text: String) -> String {
    guard text.utf8.count > longest else { return text }
    let scalars = text.unicodeScalars
    guard scalars.count > longest else { return text }
    return String(scalars.prefix(longest - 1 - longestEnd)) + "…"
      + String(scalars.suffix(longestEnd))
  }
}
