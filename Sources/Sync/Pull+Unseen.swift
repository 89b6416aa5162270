package import Firestore
package import Model

extension Pull {
  /// How many documents have no timestamp in the watermark's field, so that no later load meets them.
  ///
  /// Two counts, at the snapshot where one is given; nil when the budget allows none.
  package func unseenCount(
    by watermark: Watermark, of query: StructuredQuery, under parent: String?, readTime: Instant?
  ) async throws -> Int? {
    let all = try await count(of: query, under: parent, readTime: readTime)
    let visible = try await count(
      of: watermark.visible(of: query), under: parent, readTime: readTime)
    guard let all, let visible else { return nil }
    return max(0, all - visible)
  }

  /// Reads that a count may cost at most; what it asks for then still fits the wire's 32 bits.
  private static let readsPerCount = 1_000_000

  /// How many documents there are; nil when the budget does not reach to count them all.
  ///
  /// Firestore bills a read for each thousand, so a count is limited to what the budget has left.
  func count(
    of query: StructuredQuery, under parent: String?, readTime: Instant?
  ) async throws -> Int? {
    let counted = try await reads.spend(upTo: Self.readsPerCount) { granted in
      var limited = query
      if reads.limit != nil { limited.limit = granted * 1_000 }
      let count = try await port.count(
        of: limited, under: parent, readTime: readTime.map(Timestamp.init))
      return (count == limited.limit ? nil : count, PlannedQuery.readsOfCount(count))
    }
    return counted ?? nil
  }
}
