package import Firestore
import Store

/// What a pull has stored so far: the counts of a run, and what a gathering has to know of a shard.
///
/// It is stored with the rows, so that a killed shard goes on with the right counts.
package struct PullProgress: Codable, Hashable, Sendable {
  package struct CountedField: Codable, Hashable, Sendable {
    package var name: String
    /// The number of values by the name of their kind.
    package var kinds: [String: Int]
  }

  package var documents = 0
  package var inserted = 0
  package var updated = 0
  package var unchanged = 0
  /// Documents left out, by reason.
  package var skipped: [String: Int] = [:]
  /// Remarks on stored rows, by reason.
  package var notes: [String: Int] = [:]
  /// In the order of their first document.
  package var fields: [CountedField] = []
  /// Whether there were more fields than are counted.
  package var hasMoreFields = false
  /// The paths that the documents have; nil before the first.
  package var met: SeenFields?
  /// See `MappedRows.canSkipUnchanged`; nil of an old shard, which does not say.
  package var canSkipUnchanged: Bool? = true
  /// The highest time in a watermark's field, in RFC 3339; nil without one.
  package var highest: String?
  /// Whether the last document is stored.
  package var isComplete = false

  package init() {}

  /// The documents that became a row.
  package var rows: Int { inserted + updated + unchanged }

  package mutating func add(_ other: PullProgress) {
    documents += other.documents
    inserted += other.inserted
    updated += other.updated
    unchanged += other.unchanged
    skipped.merge(other.skipped, uniquingKeysWith: +)
    notes.merge(other.notes, uniquingKeysWith: +)
    var census = census
    census.merge(other.census)
    set(census)
    canSkipUnchanged = canSkipUnchanged == true && other.canSkipUnchanged == true
    if let other = other.met { met = met.map { $0.merging(other) } ?? other }
    highest =
      [highest, other.highest].compactMap { $0.flatMap(Timestamp.init(rfc3339:)) }.max()?
      .rfc3339
    isComplete = other.isComplete
  }

  package var census: FieldCensus {
    var census = FieldCensus()
    for field in fields {
      for kind in FieldKind.allCases {
        guard let count = field.kinds[kind.rawValue] else { continue }
        census.add(field.name, kind, count: count)
      }
    }
    if hasMoreFields { census.truncate() }
    return census
  }

  private mutating func set(_ census: FieldCensus) {
    hasMoreFields = census.isTruncated
    fields = census.fields.map { field in
      let kinds = field.kinds.map { ($0.kind.rawValue, $0.count) }
      return CountedField(name: field.name, kinds: Dictionary(kinds) { $0 + $1 })
    }
  }
}

extension PullProgress {
  /// The progress of one transaction.
  init(_ batch: PullBatch, _ upserted: UpsertCounts, isLast: Bool) {
    documents = batch.documentCount
    inserted = upserted.inserted
    updated = upserted.updated
    unchanged = upserted.unchanged + batch.unreadCount
    skipped = batch.skipped
    notes = batch.notes
    canSkipUnchanged = batch.canSkipUnchanged
    met = batch.met.isEmpty ? nil : batch.met
    highest = batch.plan.cursor.highest?.rfc3339
    isComplete = isLast
    var census = FieldCensus()
    for fields in batch.censuses { census.merge(fields) }
    set(census)
  }
}
