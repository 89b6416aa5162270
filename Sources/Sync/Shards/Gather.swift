import Firestore
package import Model
package import Store

/// Merges the shards of a load into the workspace's database, in their order; see
/// `docs/shards.md#gather`.
///
/// Some rows of one shard are a transaction, together with the position behind them: a gathering
/// that died goes on from there. No request is made.
package struct Gather: Sendable {
  /// The database of a shard, which nobody changes, its size, and what was read into it.
  package typealias Shard = (path: String, bytes: Int64, progress: PullResult)

  /// How far a gathering got, stored in the table `marks` under the job's name.
  private struct State: Codable {
    /// The SHA-256 of the plan.
    let plan: String
    /// The index of the shard that comes next, and the last row of it that is stored.
    var shard = 0
    var row: Int64 = 0
    var rows = GatheredRows()
  }

  /// Bytes of a shard that one transaction takes, about.
  private static let bytesPerCommit = 32 << 20

  package let store: Store
  private let shards: [Shard]
  private let plan: String
  private let readTime: Instant
  private let rowsPerCommit: Int64
  /// What all shards have read.
  private let total: PullResult

  /// The shards are all of them, in the order of the plan, whose SHA-256 `plan` is.
  package init(
    _ shards: [Shard], of plan: String, at readTime: Instant, into store: Store,
    rowsPerCommit: Int64 = 50_000
  ) {
    (self.shards, self.plan, self.readTime, self.store) = (shards, plan, readTime, store)
    self.rowsPerCommit = rowsPerCommit
    var total = shards.reduce(into: PullResult()) { $0.add($1.progress) }
    (total.readTime, total.isComplete) = (readTime, true)
    self.total = total
  }

  /// Deletes the rows whose documents are gone, by the keys of all shards.
  package func sweep(_ request: SweepRequest) throws -> SweepOutcome {
    try Sweep.run(request, counted: total.counts.fetched, at: readTime, in: store) {
      for shard in shards where shard.progress.counts.fetched > 0 {
        try store.withShard(shard.path) {
          try store.write { try $0.sweepShard(of: request.table) }
        }
      }
    }
  }

  /// Gathers the rows of a request; `finish` joins the transaction behind the last row.
  package func run(_ request: PullRequest, finish: [Effect] = []) async throws -> PullResult {
    let mark = "gather of \(request.options.job)"
    let stored = try storedState(named: mark)
    var state = stored ?? State(plan: plan)
    let erased = try store.write { writer in
      // What is stored of the table's rows is taken back where the shards contradict it.
      if let unchanged = request.unchanged {
        try unchanged.forgetOtherFields(in: writer)
        try writer.apply(
          try unchanged.effects(
            canSkipUnchanged: total.canSkipUnchanged, after: nil, in: writer))
      }
      return try writer.erasedPeople()
    }
    try await store.withBackgroundCheckpoints { checkpoints in
      for (number, shard) in shards.enumerated().dropFirst(state.shard)
      where shard.progress.counts.fetched > 0 {
        state.shard = number
        try store.withShard(shard.path) {
          while state.shard == number {
            try Task.checkCancellation()
            try store.write { writer in
              try step(&state, of: shard, request, erased, in: writer)
              try writer.setMetadata(encoding: state, named: mark)
            }
            checkpoints.start()
          }
        }
      }
    }
    let result = total(with: state.rows)
    state.shard = shards.count
    try store.write { writer in
      try writer.clearCursor(job: request.options.job, key: request.positionKey)
      try writer.apply(
        request.watermark(
          upTo: result.highest.map { Timestamp($0) }, readTime: Timestamp(readTime)))
      try writer.setMetadata(encoding: state, named: mark)
      // Rows that were gathered before may have changed since.
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

  /// How far a gathering of the plan got; nil for one of another plan or version of the program.
  private func storedState(named mark: String) throws -> State? {
    do {
      return try store.read { try $0.metadata(State.self, named: mark) }
        .flatMap { $0.plan == plan ? $0 : nil }
    } catch is DecodingError {
      return nil
    }
  }

  /// Stores the next rows of the attached shard, and ends it behind its last one.
  private func step(
    _ state: inout State, of shard: Shard, _ request: PullRequest, _ erased: ErasedPeople,
    in writer: Writer
  ) throws {
    let table = request.table
    let last = try writer.lastRow(ofShardTable: table)
    // As a load of one machine drops the indexes of an empty table.
    if total.counts.fetched > Pull.documentsPerCommit {
      try writer.dropIndexes(of: table, addedRows: state.rows.inserted)
    }
    if state.row < last {
      let fitting = Int64(Self.bytesPerCommit) * last / max(1, shard.bytes)
      let end = min(last, state.row + min(rowsPerCommit, max(100, fitting)))
      try writer.gather(
        (state.row + 1)...end, into: table, without: erased, in: request.mapping.personCells,
        remembersSkipped: request.options.remembersSkipped, counts: &state.rows)
      state.row = end
    }
    guard state.row >= last else { return }
    if request.options.remembersSkipped { try writer.gatherSkipped(of: table) }
    try writer.clearTombstonesOfRows(in: table)
    (state.shard, state.row) = (state.shard + 1, 0)
  }

  /// The counts of the whole run: a row that a shard inserted may be known here.
  private func total(with rows: GatheredRows) -> PullResult {
    var result = total
    let stored = result.counts.storedTotal + result.counts.unchanged - rows.erased
    result.counts.inserted = rows.inserted
    result.counts.updated += rows.updated
    result.counts.unchanged = max(0, stored - result.counts.storedTotal)
    if rows.erased > 0 {
      result.counts.skipped[ErasedPeople.countedAs, default: 0] += rows.erased
    }
    return result
  }
}
