/// How many users were online when all users were loaded: `docs/loads.md#online-now`.
package struct OnlineCount: Hashable, Sendable {
  /// When they were loaded.
  package var at: Instant
  /// Users last seen within `window` before that.
  package var online: Int
  /// Whether the load ended at its most documents, so that the users it found are a sample.
  package var isSample: Bool
  /// Whether everybody whom such a load found was online, so that there may have been more.
  package var isMinimum: Bool

  /// Who was seen this long ago, or later, is online.
  package static let window = Duration.seconds(300)

  package init(at: Instant, online: Int, isSample: Bool = false, isMinimum: Bool = false) {
    self.at = at
    self.online = online
    self.isSample = isSample
    self.isMinimum = isMinimum
  }

  /// Counts for a load of so many documents, of which so many became no row; `limit` is the most
  /// that it may fetch, nil for all.
  package init(at: Instant, online: Int, documents: Int, skipped: Int, limit: Int?) {
    let isSample = limit.map { documents >= $0 } ?? false
    self.init(
      at: at, online: online, isSample: isSample,
      isMinimum: isSample && online >= documents - skipped)
  }
}
