/// Whether loading the users needs the network; docs/loads.md#staleness.
package enum LoadRule {
  /// Decides whether to load, and why.
  ///
  /// A nil `lastRefreshedAt` means never, or reset by `filter clear`; a time too far in the future
  /// counts as nil. `wasEmptied` means that there are no users although the last load left some.
  /// A copy is stale when it is older than `stalenessSeconds`, not when it is exactly as old.
  package static func decide(
    wasEmptied: Bool, lastRefreshedAt: Instant?, stalenessSeconds: Int, now: Instant,
    isForced: Bool = false
  ) -> LoadDecision {
    if isForced { return LoadDecision(trigger: .forced, reason: "A load was forced.") }
    guard let lastRefreshedAt else {
      return LoadDecision(
        trigger: .firstLoad,
        reason: wasEmptied
          ? "There are no users yet." : "The users were never loaded, or the filter was cleared.")
    }
    guard !wasEmptied else {
      return LoadDecision(
        trigger: .firstLoad, reason: "All users were removed since the last load.")
    }
    guard lastRefreshedAt.counts(at: now) else {
      return LoadDecision(
        trigger: .firstLoad,
        reason: "The users' refresh time \(lastRefreshedAt) is in the future and does not count: "
          + "the clock was or is wrong.", isClockWrong: true)
    }
    let age = max(.zero, now - lastRefreshedAt)
    let isStale = age > .seconds(stalenessSeconds)
    let comparison = isStale ? "more than" : "not more than"
    return LoadDecision(
      trigger: isStale ? .stale : .fresh,
      reason:
        "The users were refreshed \(age.secondsText) ago, \(comparison) \(stalenessSeconds) s.")
  }
}

/// Whether to load the users, and why.
package struct LoadDecision: Hashable, Sendable {
  package var trigger: Run.Trigger
  /// A sentence.
  package var reason: String
  /// Whether the refresh time is in the future, which a run has to report.
  package var isClockWrong = false

  package var needsRequest: Bool { trigger != .fresh }
  /// Whether the load clears the saved filter, as the app does with a stale copy.
  package var clearsFilter: Bool { trigger == .stale }
}

/// The messages about a load that stored nothing; docs/loads.md#empty-loads.
package enum EmptyLoad {
  /// The most names in a sentence.
  private static let mostNames = 5

  /// Such as `Nothing was stored: no user matches country = Tuvalu`.
  package static func sentence(about filter: UserFilter, city: String?) -> String {
    "Nothing was stored: no user matches \(filter.conditions(city: city).joined(separator: ", "))."
  }

  /// Such as `Nothing was stored: the collection Oders is empty; similar names: Orders`.
  ///
  /// `collection` has the words before its name, `id` is the name alone. Siblings are nil when
  /// unknown; they are in a place such as `the database of the project demo`.
  package static func sentence(
    aboutEmpty collection: String, id: String, siblings: [String]?, of place: String
  ) -> String {
    "Nothing was stored: \(collection) is empty\(hint(for: id, among: siblings, of: place))."
  }

  /// Which names were probably meant, as the end of a sentence without its full stop.
  ///
  /// Empty when the others, which are sorted, are unknown.
  package static func hint(
    for name: String, among others: [String]?, of place: String
  ) -> String {
    guard let others = others?.filter({ $0 != name }) else { return "" }
    let similar = ClosestName.near(to: name, among: others).prefix(mostNames)
    guard similar.isEmpty else { return "; similar names: \(similar.joined(separator: ", "))" }
    guard !others.isEmpty else { return "; \(place) holds nothing else" }
    return "; \(place) holds \(others.listed(mostNames))"
  }
}

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
    case .badField(let name): Self.badFieldPrefix + name
    }
  }

  private static let badFieldPrefix = "bad-field:"

  /// The field that a reason with this id is about; nil for the id of another reason.
  fileprivate static func badField(ofId id: String) -> String? {
    id.hasPrefix(badFieldPrefix) ? String(id.dropFirst(badFieldPrefix.count)) : nil
  }
}

extension RunCounts {
  /// The required fields that held unreadable values, and how many documents each left out, by
  /// name.
  package var badFields: [(name: String, count: Int)] {
    skipped.compactMap { id, count in SkipReason.badField(ofId: id).map { ($0, count) } }
      .sorted { $0.name < $1.name }
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
