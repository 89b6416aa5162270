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
  package typealias Shard = (path: String, bytes: Int64, progress: PullProgress)

  /// How far a gathering got, stored in the table `marks` under the job's name.
  private struct State: Codable {
    /// The SHA-256 of the plan.
    let plan: String
    /// The index of the shard that comes next, and the last row of it that is stored.
    var shard = 0
    var row: Int64 = 0
    var inserted = 0
    var updated = 0
    var erased = 0
  }

  /// Bytes of a shard that one transaction takes, about.
  private static let bytesPerCommit = 32 << 20

  package let store: Store
  private let shards: [Shard]
  private let plan: String
  private let readTime: Instant
  private let rowsPerCommit: Int64
  /// What all shards have read.
  private let total: PullProgress

  /// - Parameters:
  ///   - shards: all of them, in the order of the plan.
  ///   - plan: the SHA-256 of the plan.
  ///   - readTime: the snapshot of all shards.
  ///   - store: the workspace's database.
  ///   - rowsPerCommit: rows of one transaction at most.
  package init(
    _ shards: [Shard], of plan: String, at readTime: Instant, into store: Store,
    rowsPerCommit: Int64 = 50_000
  ) {
    (self.shards, self.plan, self.readTime, self.store) = (shards, plan, readTime, store)
    self.rowsPerCommit = rowsPerCommit
    total = shards.reduce(PullProgress()) { $0.adding($1.progress) }
  }

  /// Deletes the rows whose documents are gone, by the keys of all shards.
  package func sweep(_ request: SweepRequest) throws -> SweepOutcome {
    try Sweep.run(request, counted: total.documents, at: readTime, in: store) {
      for shard in shards where shard.progress.documents > 0 {
        try store.withShard(shard.path) {
          try store.write { try $0.sweepShard(of: request.table) }
        }
      }
    }
  }

  /// Gathers the rows of a request; `finish` joins the transaction behind the last row.
  package func run(_ request: PullRequest, finish: [Effect] = []) async throws -> PullResult {
    if let unchanged = request.unchanged { try prepare(unchanged) }
    let mark = "gather of \(request.options.job)"
    let (erased, stored) = try store.read {
      (try ErasedPeople.stored(in: $0), try storedState(named: mark, in: $0))
    }
    var state = stored ?? State(plan: plan)
    try await store.withBackgroundCheckpoints { checkpoints in
      while state.shard < shards.count {
        let (number, shard) = (state.shard, shards[state.shard])
        guard shard.progress.documents > 0 else { state.shard += 1; continue }
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
    let gathered = total(with: state)
    let result = PullResult(gathered: gathered, at: readTime)
    try store.write { writer in
      try writer.clearCursor(job: request.options.job, key: request.positionKey)
      try writer.apply(
        request.watermark(
          upTo: gathered.highest.flatMap(Timestamp.init(rfc3339:)), readTime: Timestamp(readTime)))
      try writer.setMetadata(encoding: state, named: mark)
      // Rows that were gathered before may have changed since.
      if stored == nil, let unchanged = request.unchanged {
        try writer.apply(
          try unchanged.effects(
            canSkipUnchanged: gathered.canSkipUnchanged == true, after: result, in: writer))
      }
      try writer.apply(finish)
    }
    try await store.buildIndexes(of: request.table)
    return result
  }

  /// How far a gathering of the plan got; nil for one of another plan or version of the program.
  private func storedState(named mark: String, in reader: some Readable) throws -> State? {
    do {
      return try reader.metadata(State.self, named: mark).flatMap { $0.plan == plan ? $0 : nil }
    } catch is DecodingError {
      return nil
    }
  }

  /// Takes back what is stored of the table's rows where the shards contradict it.
  private func prepare(_ unchanged: UnchangedDocuments) throws {
    try store.write { writer in
      try unchanged.forgetOtherFields(in: writer)
      try writer.apply(
        try unchanged.effects(
          canSkipUnchanged: total.canSkipUnchanged == true, after: nil, in: writer))
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
    if total.documents > Pull.documentsPerCommit {
      try writer.dropIndexes(of: table, addedRows: state.inserted)
    }
    if state.row < last {
      let fitting =
        Int64(Self.bytesPerCommit) * Int64(shard.progress.rows) / max(1, shard.bytes)
      let end = min(last, state.row + min(rowsPerCommit, max(100, fitting)))
      let gathered = try writer.gather(
        (state.row + 1)...end, into: table, without: erased, in: request.mapping.personCells,
        remembersSkipped: request.options.remembersSkipped)
      state.inserted += gathered.inserted
      state.updated += gathered.updated
      state.erased += gathered.erased
      state.row = end
    }
    guard state.row >= last else { return }
    if request.options.remembersSkipped { try writer.gatherSkipped(of: table) }
    try writer.clearTombstonesOfRows(in: table)
    (state.shard, state.row) = (state.shard + 1, 0)
  }

  /// The counts of the whole run: a row that a shard inserted may be known here.
  private func total(with state: State) -> PullProgress {
    var total = total
    let rows = total.rows - state.erased
    total.inserted = state.inserted
    total.updated += state.updated
    total.unchanged = max(0, rows - total.inserted - total.updated)
    if state.erased > 0 { total.skipped[ErasedPeople.countedAs, default: 0] += state.erased }
    return total
  }
}
