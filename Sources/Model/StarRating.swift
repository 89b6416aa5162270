/// The rating that an `app_events` event carries: `rating_{App}_{1-5}`, as a parameter's key or text.
///
/// `rating_{App}_{stars}_after_{tries}` tells of the same rating again and is none of its own; see
/// `docs/rules.md#ratings`.
struct StarRating {
  static let eventName = "app_events"

  /// 1 to 5.
  let stars: Int

  /// Nil for any other text.
  init?(_ text: String) {
    guard text.utf8.starts(with: "rating_".utf8), !text.contains("_after_") else { return nil }
    let parts = text.utf8.split(
      separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    guard parts.count >= 3, let digit = parts.last, digit.count == 1,
      let stars = Int(Substring(digit)), (1...5).contains(stars),
      parts[1...].dropLast().contains(where: { !$0.isEmpty })
    else { return nil }
    self.stars = stars
  }
}
