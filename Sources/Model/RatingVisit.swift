/// A visit to the App Store after a rating: `rating_{App}_{stars}_after_{tries}`.
///
/// See `docs/rules.md#ratings`.
package struct RatingVisit: Hashable, Sendable {
  package var at: Instant
  /// 1 to 5.
  package var stars: Int

  package init(at: Instant, stars: Int) {
    self.at = at
    self.stars = stars
  }
}

extension RatingVisit {
  /// The stars that an event's parameters, as the ledger stores them, name; nil for none.
  package static func stars(inParameters json: String) -> Int? {
    for text in json.split(separator: "\"") where text.hasPrefix("rating_") {
      let parts = text.split(separator: "_", omittingEmptySubsequences: false)
      guard parts.count >= 5, parts[parts.count - 2] == "after", isNumber(parts[parts.count - 1]),
        isNumber(parts[parts.count - 3]), let stars = Int(parts[parts.count - 3]),
        (1...5).contains(stars)
      else { continue }
      return stars
    }
    return nil
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
