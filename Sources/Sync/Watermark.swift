package import Firestore
import Model

/// How far the loads of a collection got, by a timestamp that grows whenever a document changes.
///
/// See `docs/rules.md#incremental-loads`.
package struct Watermark: Hashable, Sendable {
  /// The field that every change of a document sets to the time of the change.
  package let field: FieldPath
  /// How much later than others a change may become visible.
  package let overlap: Duration
  /// Whether the next load reads everything again, whatever was reached.
  package let startsOver: Bool
  /// Changes until here are stored; nil before the first load ended.
  package private(set) var reached: Timestamp?

  package init(
    field: FieldPath, overlap: Duration, startsOver: Bool = false, reached: Timestamp? = nil
  ) {
    self.field = field
    self.overlap = overlap
    self.startsOver = startsOver
    self.reached = reached
  }

  /// The query for documents that may have changed, oldest change first.
  ///
  /// Before the first load ended it is `query` itself: there is nothing yet to add to.
  package func changes(of query: StructuredQuery) -> StructuredQuery {
    guard let reached else { return query }
    let from = max(Self.earliest.microseconds, reached.microseconds - overlap.microseconds)
    var changes = restricted(query, from: Timestamp(microseconds: from))
    changes.orderBy = [.init(field: field), .init(field: .documentName)]
    return changes
  }

  /// The documents of `query` that changes can be seen of: those with a timestamp in the field.
  package func visible(of query: StructuredQuery) -> StructuredQuery {
    restricted(query, from: Self.earliest)
  }

  /// Moves on to the highest value that was stored.
  ///
  /// Never back, and never beyond the snapshot: a document that claims to have changed in the future
  /// would hide all changes until then.
  package mutating func stored(upTo highest: Timestamp?, readTime: Timestamp?) {
    guard let highest else { return }
    let believed = readTime.map { min(highest, $0) } ?? highest
    reached = reached.map { max($0, believed) } ?? believed
  }

  /// 0001-01-01T00:00:00Z, the first moment that a timestamp can name.
  private static let earliest = Timestamp(microseconds: -62_135_596_800_000_000)

  private func restricted(_ query: StructuredQuery, from: Timestamp) -> StructuredQuery {
    let since = StructuredQuery.Filter.field(field, .greaterThanOrEqual, .timestamp(from))
    var restricted = query
    restricted.filter = query.filter.map { .composite(.and, [$0, since]) } ?? since
    restricted.orderBy = []
    return restricted
  }
}
