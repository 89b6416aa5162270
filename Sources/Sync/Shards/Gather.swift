import Firestore
package import Model
package import Store

/// A shard of a load that was checked, and waits to be gathered.
package struct GatheredShard: Sendable {
  /// Its database, which nobody changes.
  package var path: String
  package var bytes: Int64
  package var progress: PullProgress

  package init(path: String, bytes: Int64, progress: PullProgress) {
    self.path = path
    self.bytes = bytes
    self.progress = progress
  }
}

/// Merges the shards of a load into the workspace's database, in their order; see
/// `docs/shards.md#gather`.
///
/// Some rows of one shard are a transaction, together with the position behind them: a gathering
/// that died goes on from there. No request is made.
package struct Gather: Sendable {
  /// Rows of one transaction at most.
  static let rowsPerCommit = 50_000
  /// Bytes of a shard that one transaction takes, about.
  static let bytesPerCommit = 32 << 20

  private let store: Store
  private let shards: [GatheredShard]
  private let plan: String
  private let readTime: Instant
  private let rowsPerCommit: Int

  /// - Parameters:
  ///   - shards: all of them, in the order of the plan.
  ///   - plan: the SHA-256 of the plan.
  ///   - readTime: the snapshot of all shards.
  ///   - store: the workspace's database.
  ///   - rowsPerCommit: rows of one transaction at most; nil for the usual number.
  package init(
    _ shards: [GatheredShard], of plan: String, at readTime: Instant, into store: Store,
    rowsPerCommit: Int? = nil
  ) {
    self.store = store
    self.shards = shards
    self.plan = plan
    self.readTime = readTime
    self.rowsPerCommit = rowsPerCommit ?? Self.rowsPerCommit
  }

  /// Gathers a collection, as `CollectionPull` pulls it.
  package func run(_ request: CollectionPullRequest) async throws -> CollectionPullResult {
    try await request.run(in: store) { try await run($0) }
  }

  /// Deletes the rows whose documents are gone, by the keys of all shards.
  package func sweep(_ request: SweepRequest) throws -> SweepOutcome {
    let counted = shards.reduce(0) { $0 + $1.progress.documents }
    return try Sweep.run(request, counted: counted, at: readTime, in: store) {
      for shard in shards where shard.progress.documents > 0 {
        try store.withShard(shard.path) {
          try store.write { try $0.sweepShard(of: request.table) }
        }
      }
    }
  }

  /// Gathers the rows of a request; `finish` joins the transaction behind the last row.
  package func run(_ request: PullRequest, finish: [Effect] = []) async throws -> PullResult {
    if let unchanged = request.unchanged {
      try store.write { writer in
        try unchanged.forgetOtherFields(in: writer)
        try writer.apply(
          try unchanged.effects(
            canSkipUnchanged: total.canSkipUnchanged == true, after: nil, in: writer))
      }
    }
    let name = GatherState.name(of: request.options.job)
    let (erased, stored) = try store.read {
      (try ErasedPeople.stored(in: $0), try GatherState.stored(named: name, in: $0))
    }
    let isResumed = stored?.plan == plan
    var state = isResumed ? stored ?? GatherState(plan) : GatherState(plan)
    try await store.withBackgroundCheckpoints { checkpoints in
      while state.shard < shards.count {
        let shard = shards[state.shard]
        guard shard.progress.documents > 0 else { state.endShard(); continue }
        let number = state.shard
        try store.withShard(shard.path) {
          while state.shard == number {
            try Task.checkCancellation()
            try store.write { writer in
              try step(&state, of: shard, request, erased, in: writer)
              try state.save(named: name, in: writer)
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
      try state.save(named: name, in: writer)
      // Rows that were gathered before may have changed since.
      if !isResumed, let unchanged = request.unchanged {
        try writer.apply(
          try unchanged.effects(
            canSkipUnchanged: gathered.canSkipUnchanged == true, after: result, in: writer))
      }
      try writer.apply(finish)
    }
    try await store.buildIndexes(of: request.table)
    return result
  }

  /// Stores the next rows of the attached shard, and ends it behind its last one.
  private func step(
    _ state: inout GatherState, of shard: GatheredShard, _ request: PullRequest,
    _ erased: ErasedPeople, in writer: Writer
  ) throws {
    let table = request.table
    let last = try writer.lastRow(ofShardTable: table)
    if isLarge { try writer.dropIndexes(of: table, addedRows: state.inserted) }
    if state.row < last {
      let end = min(last, state.row + rowsPerCommit(of: shard))
      // The rule of a pull: the cells of the row that may name people, and all of a child row.
      let leavesOut: LeavesOut = { row, isChild in
        erased.areNamed(inLastRowOf: row, cells: isChild ? .all : request.mapping.personCells)
      }
      let gathered = try writer.gather(
        (state.row + 1)...end, into: table, leavesOut: erased.isEmpty ? nil : leavesOut,
        noteLeftOut: {
          request.options.remembersSkipped && !erased.areNamed(inKeyOfLastRowOf: $0)
        })
      state.inserted += gathered.inserted
      state.updated += gathered.updated
      state.erased += gathered.leftOut
      state.row = end
    }
    guard state.row >= last else { return }
    if request.options.remembersSkipped { try writer.gatherSkipped(of: table) }
    try writer.clearTombstonesOfRows(in: table)
    state.endShard()
  }

  /// Whether a load of one machine would drop the indexes of an empty table.
  private var isLarge: Bool {
    shards.reduce(0) { $0 + $1.progress.documents } > Pull.documentsPerCommit
  }

  private func rowsPerCommit(of shard: GatheredShard) -> Int64 {
    let fitting = Int64(Self.bytesPerCommit) * Int64(shard.progress.rows) / max(1, shard.bytes)
    return min(Int64(rowsPerCommit), max(100, fitting))
  }

  /// What all shards have read.
  private var total: PullProgress {
    shards.reduce(into: PullProgress()) { $0.add($1.progress) }
  }

  /// The counts of the whole run: a row that a shard inserted may be known here.
  private func total(with state: GatherState) -> PullProgress {
    var total = total
    let rows = total.rows - state.erased
    total.inserted = state.inserted
    total.updated += state.updated
    total.unchanged = max(0, rows - total.inserted - total.updated)
    if state.erased > 0 { total.skipped[ErasedPeople.countedAs, default: 0] += state.erased }
    return total
  }
}
