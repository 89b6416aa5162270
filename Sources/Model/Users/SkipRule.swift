/// Why a user document does not become a row; docs/loads.md#skipped-users.
package enum SkipReason: Hashable, Sendable {
  /// The profile's own user.
  case ownUser
  case emptyName
  /// Fewer than three characters, as SQLite's `length()` counts them.
  case shortId
  /// An advertisement among the app's users.
  case adId
  /// The required field of this name holds a value that its column cannot.
  case badField(String)

  /// The reason's name in the counts of a run.
  package var id: String {
    switch self {
    case .ownUser: "own-user"
    case .emptyName: "empty-name"
    case .shortId: "short-id"
    case .adId: "ad-id"
    case .badField(let name): "bad-field:\(name)"
    }
  }
}

/// Which users do not become rows; docs/loads.md#skipped-users.
package enum SkipRule {
  /// An id with fewer characters is corrupt; docs/loads.md#skipped-users.
  package static let shortestIdLength = 3

  /// `_ad_` in UTF-8.
  private static let adMark: (UInt8, UInt8, UInt8, UInt8) = (0x5F, 0x61, 0x64, 0x5F)

  /// The first reason that applies, in the order of `SkipReason`; nil when the user is stored.
  ///
  /// The texts are UTF-8; an empty `ownId` means unknown. O(length of the id), without allocating.
  package static func reason(
    id: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, ownId: UnsafeRawBufferPointer
  ) -> SkipReason? {
    if !ownId.isEmpty, id.elementsEqual(ownId) { return .ownUser }
    if name.isEmpty { return .emptyName }
    if isShort(id) { return .shortId }
    if isAd(id) { return .adId }
    return nil
  }

  /// Counts Unicode scalars up to a NUL, as SQLite's `length()` does.
  private static func isShort(_ id: UnsafeRawBufferPointer) -> Bool {
    var length = 0
    for byte in id {
      if byte == 0 { return true }
      let continuesAScalar = byte & 0xC0 == 0x80
      guard !continuesAScalar else { continue }
      length += 1
      if length == shortestIdLength { return false }
    }
    return true
  }

  private static func isAd(_ id: UnsafeRawBufferPointer) -> Bool {
    guard id.count >= 4 else { return false }
    for start in 0...(id.count - 4)
    where id[start] == adMark.0 && id[start + 1] == adMark.1 && id[start + 2] == adMark.2
      && id[start + 3] == adMark.3
    {
      return true
    }
    return false
  }
}

/// Corrects last-seen times of devices whose clocks are ahead; docs/loads.md#last-seen.
package enum LastSeenRule {
  /// The name of a correction in the counts of a run.
  package static let countedAs = "clock-ahead"
  /// How far ahead of `now` a time may lie, inclusive; docs/loads.md#last-seen.
  package static let toleranceSeconds: Int64 = 300
  /// The age that a corrected time is stored with: 30 days; docs/loads.md#last-seen.
  package static let standInAgeSeconds: Int64 = 30 * 86_400

  /// The unix seconds to store instead; nil when the time is credible.
  package static func correction(of lastSeen: Instant, now: Instant) -> Int64? {
    guard lastSeen - now > .seconds(toleranceSeconds) else { return nil }
    return now.unixSeconds - standInAgeSeconds
  }
}
