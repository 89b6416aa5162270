import Model

/// The rating that an `app_events` event carries: `rating_{App}_{1-5}`, as a parameter's key or text.
///
/// `rating_{App}_{stars}_after_{tries}` tells of the same rating again and is none of its own; see
/// `docs/rules.md#ratings`.
struct StarRating {
  /// 1 to 5.
  let stars: Int

  init?(_ event: Event) {
    guard event.name == "app_events" else { return nil }
    for (key, value) in event.parameters.sorted(by: { $0.key < $1.key }) {
      if let stars = Self.stars(in: key) ?? Self.stars(in: value) {
        self.stars = stars
        return
      }
    }
    return nil
  }

  private static func stars(in value: EventValue) -> Int? {
    if case .string(let text) = value { stars(in: text) } else { nil }
  }

  private static func stars(in text: String) -> Int? {
    guard text.hasPrefix("rating_"), !text.contains("_after_") else { return nil }
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count >= 3, let last = parts.last, last.utf8.count == 1, let stars = Int(last),
      (1...5).contains(stars), parts[1...].dropLast().contains(where: { !$0.isEmpty })
    else { return nil }
    return stars
  }
}
