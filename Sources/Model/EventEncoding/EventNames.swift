/// A cache of how event names split into platform, feature and kind: an app has a few dozen names.
struct EventNames {
  /// The lengths in bytes of a feature event's platform and feature; the kind is the rest.
  struct Parts: Hashable {
    let platformCount: Int
    let featureCount: Int
  }

  /// Names that are kept at most, so that a hostile export costs no memory.
  private static let mostNames = 1_024

  private var cache: [[UInt8]: Parts?] = [:]

  /// The parts of a name; nil for a name that is not about a limited feature.
  mutating func parts(of name: UnsafeBufferPointer<UInt8>) -> Parts? {
    let key = Array(name)
    if let known = cache[key] { return known }
    let parts = FeatureEventName(String(decoding: name, as: UTF8.self)).map {
      Parts(platformCount: $0.platform.utf8.count, featureCount: $0.feature.rawValue.utf8.count)
    }
    if cache.count >= Self.mostNames { cache.removeAll() }
    cache[key] = .some(parts)
    return parts
  }
}

/// A rating in an `app_events` event: `rating_{App}_{1-5}` as the key or the text of a parameter.
///
/// `rating_{App}_{stars}_after_{tries}` repeats a rating and does not count as one; see
/// `docs/ratings.md#ratings`.
struct RatingParameter {
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
