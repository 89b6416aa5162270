package import Firestore
import Model

/// How far the loads of a collection got, by a field that every change of a document sets to now.
///
/// See `docs/loads.md#incremental-loads`.
package struct Watermark: Hashable, Sendable {
  /// How the field holds a time.
  package enum Form: Hashable, Sendable {
    case timestamp, unixSeconds

    func value(of time: Timestamp) -> Value {
      self == .timestamp ? .timestamp(time) : .integer(Instant(time).unixSeconds)
    }
  }

  /// The field with the time of a document's last change.
  package let field: FieldPath
  package let form: Form
  /// How much later than newer changes a change may become visible.
  package let overlap: Duration
  /// Whether the next load reads everything, whatever was reached.
  package let startsOver: Bool
  /// Changes up to this time are stored; nil before the first load ended.
  package private(set) var reached: Timestamp?

  package init(
    field: FieldPath, overlap: Duration, form: Form = .timestamp, startsOver: Bool = false,
    reached: Timestamp? = nil
  ) {
    self.field = field
    self.form = form
    self.overlap = overlap
    self.startsOver = startsOver
    self.reached = reached
  }

  /// The query for documents that may have changed, oldest change first.
  ///
  /// Before the first load ended it is `query` itself.
  package func changes(of query: StructuredQuery) -> StructuredQuery {
    guard let reached else { return query }
    let from = max(Self.earliest.microseconds, reached.microseconds - overlap.microseconds)
    var changes = restricted(query, from: Timestamp(microseconds: from))
    changes.orderBy = [.init(field: field), .init(field: .documentName)]
    return changes
  }

  /// The documents of `query` that have a timestamp in the field.
  package func visible(of query: StructuredQuery) -> StructuredQuery {
    restricted(query, from: Self.earliest)
  }

  /// Moves on to the highest timestamp that was stored; never back, and never beyond the snapshot.
  ///
  /// A document with a timestamp in the future would hide all changes until then.
  package mutating func stored(upTo highest: Timestamp?, readTime: Timestamp?) {
    guard let highest else { return }
    let believed = readTime.map { min(highest, $0) } ?? highest
    reached = reached.map { max($0, believed) } ?? believed
  }

  /// 0001-01-01T00:00:00Z, the first moment that a timestamp can name.
  private static let earliest = Timestamp(microseconds: -62_135_596_800_000_000)

  private func restricted(_ query: StructuredQuery, from: Timestamp) -> StructuredQuery {
    let since = StructuredQuery.Filter.field(field, .greaterThanOrEqual, form.value(of: from))
    var restricted = query
    restricted.filter = query.filter.map { .composite(.and, [$0, since]) } ?? since
    restricted.orderBy = []
    return restricted
  }
}
