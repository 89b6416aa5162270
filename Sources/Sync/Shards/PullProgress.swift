package import Firestore
import Store

/// What a pull has stored so far: the counts of a run, and what a gathering has to know of a shard.
///
/// It is stored with the rows, so that a killed shard goes on with the right counts.
package struct PullProgress: Codable, Hashable, Sendable {
  private struct CountedField: Codable, Hashable, Sendable {
    let name: String
    /// The number of values by the name of their kind.
    let kinds: [String: Int]
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
  private var fields: [CountedField] = []
  /// Whether there were more fields than are counted.
  private var hasMoreFields = false
  /// The paths that the documents have; nil before the first.
  package private(set) var met: SeenFields?
  /// See `MappedRows.canSkipUnchanged`; nil of an old shard, which does not say.
  package var canSkipUnchanged: Bool? = true
  /// The highest time in a watermark's field, in RFC 3339; nil without one.
  package private(set) var highest: String?
  /// Whether the last document is stored.
  package private(set) var isComplete = false

  package init() {}

  /// The documents that became a row.
  package var rows: Int { inserted + updated + unchanged }

  /// With what was stored after it.
  package func adding(_ other: PullProgress) -> PullProgress {
    var sum = self
    sum.documents += other.documents
    sum.inserted += other.inserted
    sum.updated += other.updated
    sum.unchanged += other.unchanged
    sum.skipped.merge(other.skipped, uniquingKeysWith: +)
    sum.notes.merge(other.notes, uniquingKeysWith: +)
    var census = census
    census.merge(other.census)
    sum.census = census
    sum.canSkipUnchanged = canSkipUnchanged == true && other.canSkipUnchanged == true
    if let seen = other.met { sum.met = met?.merging(seen) ?? seen }
    sum.highest =
      [highest, other.highest].compactMap { $0.flatMap(Timestamp.init(rfc3339:)) }.max()?.rfc3339
    sum.isComplete = other.isComplete
    return sum
  }

  package private(set) var census: FieldCensus {
    get {
      var census = FieldCensus()
      for field in fields {
        for kind in FieldKind.allCases {
          if let count = field.kinds[kind.rawValue] { census.add(field.name, kind, count: count) }
        }
      }
      if hasMoreFields { census.truncate() }
      return census
    }
    set {
      hasMoreFields = newValue.isTruncated
      fields = newValue.fields.map { field in
        let kinds = field.kinds.map { ($0.kind.rawValue, $0.count) }
        return CountedField(name: field.name, kinds: Dictionary(uniqueKeysWithValues: kinds))
      }
    }
  }

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
    for fields in batch.censuses { census.merge(fields) }
  }
}
