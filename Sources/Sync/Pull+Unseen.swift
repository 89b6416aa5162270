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

  /// How many documents there are; nil when the budget allows no question.
  ///
  /// Firestore bills a read for each thousand, which nobody knows before: the last count of a run may
  /// go beyond its budget.
  func count(
    of query: StructuredQuery, under parent: String?, readTime: Instant?
  ) async throws -> Int? {
    try await reads.spend(upTo: 1) { _ in
      let count = try await port.count(
        of: query, under: parent, readTime: readTime.map(Timestamp.init))
      return (count, max(1, (count + 999) / 1_000))
    }
  }
}
