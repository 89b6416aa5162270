/// A query of Firestore's REST API; see `docs/firestore.md#queries`.
package struct StructuredQuery: Hashable, Sendable {
  package struct CollectionSelector: Hashable, Sendable {
    /// The last segment of the collection's path; nil selects all collections.
    package var collectionId: String?
    /// Whether to select all collections of that id, at any depth.
    package var allDescendants: Bool

    package init(collectionId: String?, allDescendants: Bool = false) {
      self.collectionId = collectionId
      self.allDescendants = allDescendants
    }
  }

  package enum Direction: String, CaseIterable, Sendable {
    case ascending = "ASCENDING"
    case descending = "DESCENDING"
  }

  package struct Order: Hashable, Sendable {
    package var field: FieldPath
    package var direction: Direction

    package init(field: FieldPath, direction: Direction = .ascending) {
      self.field = field
      self.direction = direction
    }
  }

  /// A position in the results: one value per order, or a prefix of these values.
  package struct Cursor: Hashable, Sendable {
    package var values: [Value]
    /// Whether the position is before the results that equal `values`, instead of after them.
    package var before: Bool

    package init(values: [Value], before: Bool) {
      self.values = values
      self.before = before
    }
  }

  package indirect enum Filter: Hashable, Sendable {
    case field(FieldPath, FieldOperator, Value)
    case unary(FieldPath, UnaryOperator)
    case composite(CompositeOperator, [Filter])
  }

  package enum FieldOperator: String, CaseIterable, Sendable {
    case lessThan = "LESS_THAN"
    case lessThanOrEqual = "LESS_THAN_OR_EQUAL"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEqual = "GREATER_THAN_OR_EQUAL"
    case equal = "EQUAL"
    case notEqual = "NOT_EQUAL"
    case arrayContains = "ARRAY_CONTAINS"
    case `in` = "IN"
    case arrayContainsAny = "ARRAY_CONTAINS_ANY"
    case notIn = "NOT_IN"
  }

  package enum UnaryOperator: String, CaseIterable, Sendable {
    case isNull = "IS_NULL"
    case isNaN = "IS_NAN"
    case isNotNull = "IS_NOT_NULL"
    case isNotNaN = "IS_NOT_NAN"
  }

  package enum CompositeOperator: String, CaseIterable, Sendable {
    case and = "AND"
    case or = "OR"
  }

  /// The fields to return; nil returns whole documents, `[.documentName]` only names.
  package var select: [FieldPath]?
  package var from: [CollectionSelector]
  package var filter: Filter?
  package var orderBy: [Order]
  package var startAt: Cursor?
  package var endAt: Cursor?
  package var offset: Int
  /// Nil for no limit.
  package var limit: Int?
  /// The vector search; nil for none.
  package var nearest: NearestSearch?

  package init(
    from: [CollectionSelector], select: [FieldPath]? = nil, filter: Filter? = nil,
    orderBy: [Order] = [], startAt: Cursor? = nil, endAt: Cursor? = nil, offset: Int = 0,
    limit: Int? = nil, nearest: NearestSearch? = nil
  ) {
    self.select = select
    self.from = from
    self.filter = filter
    self.orderBy = orderBy
    self.startAt = startAt
    self.endAt = endAt
    self.offset = offset
    self.limit = limit
    self.nearest = nearest
  }
}
