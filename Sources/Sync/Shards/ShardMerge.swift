import Firestore
package import Model
package import Store

/// The merge of a load's shards into the workspace's database, in order; see
/// `docs/shards.md#gather`.
///
/// Each shard is one transaction, together with the progress of the merge: an interrupted merge
/// continues with the shard that it had reached. No request is made.
package struct ShardMerge: Sendable {
  /// The path of a shard's database, which no process changes, and the result of the shard's pull.
  package typealias Shard = (path: String, progress: PullResult)

  /// The progress of a merge, stored in the table `marks` under the job's name.
  private struct State: Codable {
    /// The SHA-256 of the plan.
    let plan: String
    /// The number of shards that are stored.
    var gathered = 0
    var counts = RunCounts()
  }

  package let store: Store
  private let shards: [Shard]
  private let plan: String
  private let readTime: Instant
  /// The total of what all shards have read.
  private let total: PullResult

  /// `shards` are all shards in the order of the plan; `plan` is the plan's SHA-256.
  package init(_ shards: [Shard], of plan: String, at readTime: Instant, into store: Store) {
    (self.shards, self.plan, self.readTime, self.store) = (shards, plan, readTime, store)
    var total = shards.reduce(into: PullResult()) { $0.add($1.progress) }
    (total.readTime, total.isComplete) = (readTime, true)
    self.total = total
  }

  /// Deletes the rows whose documents are gone, by the keys of all shards.
  package func sweep(_ request: SweepRequest) throws -> SweepOutcome {
    try Sweep.run(request, counted: total.counts.fetched, at: readTime, in: store) {
      for shard in shards {
        try store.write(beside: shard.path) { try $0.sweepShard(of: request.table) }
      }
    }
  }

  /// Merges the rows of a request; `finish` joins the transaction after the last row.
  package func run(_ request: PullRequest, finish: [StoreChange] = []) async throws -> PullResult {
    let mark = MarkName.gather(of: request.options.job)
    let stored = try storedState(named: mark)
    var state = stored ?? State(plan: plan)
    // The mark about the table's rows is deleted if the shards contradict it.
    if let unchanged = request.unchanged {
      try store.write { writer in
        try unchanged.forgetOtherFields(in: writer)
        try writer.apply(
          try unchanged.effects(
            canSkipUnchanged: total.canSkipUnchanged, after: nil, in: writer))
      }
    }
    try await store.withBackgroundCheckpoints { checkpoints in
      for shard in shards.dropFirst(state.gathered) {
        try Task.checkCancellation()
        try store.write(beside: shard.path) { writer in
          if shard.progress.counts.fetched > 0 {
            try gather(request, &state.counts, in: writer)
          }
          state.gathered += 1
          try writer.setMark(encoding: state, named: mark)
        }
        checkpoints.start()
      }
    }
    let result = total(with: state.counts)
    try store.write { writer in
      try writer.clearCursor(job: request.options.job, key: request.positionKey)
      try writer.apply(
        request.watermark(
          upTo: result.highest, readTime: Timestamp(readTime)))
      // After a resumed merge, rows of the first part may have changed since.
      if stored == nil, let unchanged = request.unchanged {
        try writer.apply(
          try unchanged.effects(
            canSkipUnchanged: result.canSkipUnchanged, after: result, in: writer))
      }
      try writer.apply(finish)
    }
    try await store.buildIndexes(of: request.table)
    return result
  }

  /// Returns the progress of a merge of this plan; nil for another plan or version of the program.
  private func storedState(named mark: MarkName) throws -> State? {
    do {
      return try store.read { try $0.mark(State.self, named: mark) }
        .flatMap { $0.plan == plan ? $0 : nil }
    } catch is DecodingError {
      return nil
    }
  }

  /// Stores the rows of the attached shard.
  private func gather(
    _ request: PullRequest, _ counts: inout RunCounts, in writer: Writer
  ) throws {
    // A load on one machine drops the indexes of an empty table, too.
    if total.counts.fetched > Pull.documentsPerCommit {
      try writer.dropIndexes(of: request.table, addedRows: counts.inserted)
    }
    try writer.gather(
      request.table, request.mapping.personCells,
      remembersSkipped: request.options.remembersSkipped, counts: &counts)
  }

  /// Returns the counts of the whole run: a row that was new to a shard may already exist here.
  private func total(with gathered: RunCounts) -> PullResult {
    var result = total
    let read = result.counts.storedTotal + result.counts.unchanged
    let erased = gathered.skipped[ErasedPeople.countedAs, default: 0]
    result.counts.inserted = gathered.inserted
    result.counts.updated += gathered.updated
    result.counts.unchanged = max(0, read - erased - result.counts.storedTotal)
    result.counts.skipped.merge(gathered.skipped, uniquingKeysWith: +)
    return result
  }
}
