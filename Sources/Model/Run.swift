/// One execution of one job: a row of `sync_runs`.
package struct Run: Hashable, Codable, Sendable {
  package enum Outcome: String, CaseIterable, Codable, Sendable {
    case ok
    /// Done, with documents or items left out.
    case partial
    /// Nothing was due; no request was made.
    case fresh
    /// A limit, quota or dependency forbade it.
    case blocked
    case failed
    /// Stopped by a signal, or killed: the row is written so at the start and replaced at the end.
    case interrupted
  }

  /// Why a job ran: `scheduled`, `first-load`, `stale`, `fresh`, `manual`, `filter`, `forced`.
  package enum Trigger: String, CaseIterable, Codable, Sendable {
    case scheduled
    case firstLoad = "first-load"
    case stale, fresh, manual, filter, forced
  }

  /// What kept a run from beginning.
  package enum Refusal: String, CaseIterable, Codable, Sendable {
    /// A job that it needs did not succeed.
    case need
    /// The profile's limit of the feature.
    case limit
  }

  /// The row's id; nil before it is stored.
  package var id: Int64?
  package var job: String
  package var kind: String
  package var trigger: Trigger
  package var startedAt: Instant
  /// Nil while it runs, or when it was killed.
  package var endedAt: Instant?
  package var outcome: Outcome
  /// Nil for a run that began.
  package var refusedBy: Refusal?
  package var counts: RunCounts
  /// What its billed reads cost by the price of its day; nil while it runs, and for runs of old.
  package var estimatedCost: Money?
  /// The snapshot that all pages were read at; nil when the job reads no snapshot.
  package var readTime: Instant?
  package var warnings: [String]
  /// A sentence; nil unless it failed or was blocked.
  package var error: String?

  package init(
    id: Int64? = nil, job: String, kind: String, trigger: Trigger, startedAt: Instant,
    endedAt: Instant? = nil, outcome: Outcome = .interrupted, refusedBy: Refusal? = nil,
    counts: RunCounts = RunCounts(), estimatedCost: Money? = nil, readTime: Instant? = nil,
    warnings: [String] = [], error: String? = nil
  ) {
    self.id = id
    self.job = job
    self.kind = kind
    self.trigger = trigger
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.outcome = outcome
    self.refusedBy = refusedBy
    self.counts = counts
    self.estimatedCost = estimatedCost
    self.readTime = readTime
    self.warnings = warnings
    self.error = error
  }
}

/// What a run did, in numbers.
package struct RunCounts: Hashable, Codable, Sendable {
  package var fetched: Int
  package var inserted: Int
  package var updated: Int
  package var unchanged: Int
  package var deleted: Int
  /// Documents or lines left out, by reason (`own-user`, `empty-name`, `bad-field:User_age`, ...).
  package var skipped: [String: Int]
  /// Document reads that Google bills.
  package var billedReads: Int
  /// Bytes of response bodies, after decompression.
  package var bytes: Int
  package var requests: Int
  package var retries: Int

  package init(
    fetched: Int = 0, inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0,
    skipped: [String: Int] = [:], billedReads: Int = 0, bytes: Int = 0, requests: Int = 0,
    retries: Int = 0
  ) {
    self.fetched = fetched
    self.inserted = inserted
    self.updated = updated
    self.unchanged = unchanged
    self.deleted = deleted
    self.skipped = skipped
    self.billedReads = billedReads
    self.bytes = bytes
    self.requests = requests
    self.retries = retries
  }

  package var skippedTotal: Int { skipped.values.reduce(0, +) }
}
