import Firestore
import Model

/// Sending for the next page before this one is read; see `docs/firestore.md#pages-ahead`.
extension Pull {
  /// Sends for the page after this one, where its end tells which that is.
  ///
  /// Only what the plan asks for once it has the whole page is ever read, so a wrong guess is nothing
  /// but an answer thrown away. Parts are read side by side as it is, and a budget knows what is left
  /// only after the page.
  func sendAhead(of page: [UInt8], limit: Int, in plan: PullPlan, _ order: Order) {
    guard reads.limit == nil, plan.cursor.parts.isEmpty,
      let following = following(page, limit: limit, in: plan, order)
    else { return }
    reads.add(
      port.sendAhead(of: following.query, under: order.parent, readTime: following.readTime))
  }

  /// The request that follows a full page; nil after the last, and where that cannot be told yet.
  private func following(
    _ page: [UInt8], limit: Int, in plan: PullPlan, _ order: Order
  ) -> PullPlan.Request? {
    guard let tail = PageTail(of: page), tail.documentCount == limit else { return nil }
    var bytes = tail.answer
    var last = PullPage(TableRows(width: order.mapping.width), limit: 1)
    var plan = plan
    do {
      _ = try last.scan(&bytes, by: order.mapping)
      var answer = last.answer
      answer.documentCount = limit
      try plan.received(answer, limit: limit)
    } catch {
      // Whatever it is, the scan of the whole page meets it too.
      return nil
    }
    return plan.next
  }
}
