package import Firestore
package import Model
import Store

/// What a pull has read and stored.
package struct PullResult: Sendable {
  package var counts = RunCounts()
  /// The snapshot of the last page; nil when no page named one.
  package var readTime: Instant?
  /// Documents that an interrupted pull had stored before; nil when this one began at the
  /// beginning.
  package var resumedAfter: Int?
  /// False: the read budget was used up before the last page; the next pull goes on from there.
  package var isComplete = false
  /// Whether only what had changed was asked for.
  package var isIncremental: Bool
  /// What the mapping noted about rows that were stored, by reason.
  package var notes: [String: Int] = [:]
  /// The fields of the documents that this run fetched, of mappings that count them.
  package var census = FieldCensus()
  /// The paths that the stored documents have, of mappings that tell.
  package var met = SeenFields()
  /// See `MappedRows.canSkipUnchanged`.
  private(set) var canSkipUnchanged = true
  /// Whether the documents are of several snapshots, so that one may have come twice.
  var leftSnapshot = false

  /// The result of a pull that has read nothing yet.
  init(of request: PullRequest, from start: PullCursor) {
    resumedAfter = start.documentCount == 0 ? nil : start.documentCount
    isIncremental = request.isIncremental
  }

  /// The result of a load that shards made together, all of whose documents were read.
  init(gathered progress: PullProgress, at readTime: Instant) {
    counts.fetched = progress.documents
    counts.inserted = progress.inserted
    counts.updated = progress.updated
    counts.unchanged = progress.unchanged
    counts.skipped = progress.skipped
    notes = progress.notes
    census = progress.census
    met = progress.met ?? SeenFields()
    canSkipUnchanged = progress.canSkipUnchanged == true
    self.readTime = readTime
    isComplete = true
    isIncremental = false
  }

  /// Adds the documents of a batch, whether their rows are stored or not.
  mutating func add(_ batch: PullBatch) {
    counts.fetched += batch.documentCount
    counts.unchanged += batch.unreadCount
    counts.skipped.merge(batch.skipped, uniquingKeysWith: +)
    notes.merge(batch.notes, uniquingKeysWith: +)
    for fields in batch.censuses { census.merge(fields) }
    met.merge(batch.met)
    if !batch.canSkipUnchanged { canSkipUnchanged = false }
  }

  /// Adds rows that were committed.
  mutating func add(_ stored: CommitCounts) {
    counts.inserted += stored.upserted.inserted
    counts.updated += stored.upserted.updated
    counts.unchanged += stored.upserted.unchanged
    counts.deleted += stored.deleted
  }

  /// Adds what the sweep after the load fetched.
  package mutating func add(_ refreshed: RefreshedRows) {
    counts.fetched += refreshed.count
    counts.updated += refreshed.count
    counts.skipped.merge(refreshed.skipped, uniquingKeysWith: +)
    notes.merge(refreshed.notes, uniquingKeysWith: +)
  }

  mutating func end(at plan: PullPlan) {
    readTime = plan.cursor.readTime.map(Instant.init)
    isComplete = plan.next == nil
  }

  /// A sentence about the interrupted pull that this one went on with; nil without one.
  package var resumption: String? {
    Resumption.sentence(after: resumedAfter, "document")
  }

  /// Whether a whole load found nothing to store.
  package var storedNothing: Bool {
    isComplete && !isIncremental && resumedAfter == nil
      && counts.inserted + counts.updated + counts.unchanged == 0
  }
}

/// What is said of a load that went on where an interrupted one had stopped, whatever it loads.
package enum Resumption {
  /// - Parameters:
  ///   - count: how many things the interrupted load had stored; nil without one.
  ///   - thing: what one of them is called.
  /// - Returns: a sentence; nil for a load that began at the beginning.
  package static func sentence(after count: Int?, _ thing: String) -> String? {
    count.map { "Continued an interrupted load after \($0) \(thing)\($0 == 1 ? "" : "s")." }
  }
}

extension Instant {
  package init(_ timestamp: Timestamp) {
    self.init(microseconds: timestamp.microseconds)
  }
}

extension Timestamp {
  package init(_ instant: Instant) {
    self.init(microseconds: instant.microseconds)
  }
}
