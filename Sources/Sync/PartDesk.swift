/// What came of asking for a page of a part; nil when the read budget had nothing for it.
struct PartAnswer: Sendable {
  let part: Int
  let page: Result<PullPage?, any Error>
}

/// Decides which parts' pages are asked for while a batch is collected.
///
/// One page of a part at a time, and no more parts at once than the order allows. Pages are taken in
/// the order in which they arrive.
struct PartDesk: Sendable {
  private(set) var batch: PullBatch
  private let limit: Int
  private var asked: Set<Int> = []
  /// The budget had nothing for a part, perhaps because others held it for pages on their way.
  private var isStarved = false
  private var isOutOfReads = false

  init(_ plan: PullPlan, limit: Int) {
    batch = PullBatch(plan)
    self.limit = limit
  }

  /// The pages to ask for now; none when it is time to wait, or when the batch has come to its end.
  mutating func nextRequests() -> [(part: Int, request: PullPlan.Request)] {
    guard batch.failure == nil, !isOutOfReads, !isStarved || asked.isEmpty else { return [] }
    let open = batch.plan.openParts.filter { !asked.contains($0) }
    return open.prefix(limit - asked.count).compactMap { part in
      guard let request = batch.plan.request(of: part) else { return nil }
      asked.insert(part)
      return (part, request)
    }
  }

  /// Takes an answer; the first failure is the batch's, and what came in spite of it is kept.
  mutating func take(_ answer: PartAnswer) {
    asked.remove(answer.part)
    do {
      if let page = try answer.page.get() {
        try batch.take(page, of: answer.part)
        isStarved = false
      } else {
        isStarved = true
        isOutOfReads = asked.isEmpty
      }
    } catch {
      batch.failure = batch.failure ?? error
    }
  }

  /// The batch, once nothing is on its way any more.
  var ended: PullBatch {
    var ended = batch
    ended.isLast = batch.failure != nil || isOutOfReads || batch.plan.next == nil
    return ended
  }
}
