import Firestore
import Model

/// One entry of `where`: what a document has to be to be fetched; see
/// `docs/jobs/sync-collection.md#where`.
struct DocumentFilter {
  enum Operator: String, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "in"
    case isNotIn = "not-in"
    case arrayContains = "array-contains"
    case arrayContainsAny = "array-contains-any"
    case isNull = "is-null"
    case isNotNull = "is-not-null"
    case isNaN = "is-nan"
    case isNotNaN = "is-not-nan"
  }

  let field: FieldPath
  let filter: StructuredQuery.Filter
  /// Firestore orders by the field first.
  let isInequality: Bool

  /// The filters of one query, all of which a document has to pass; nil for none.
  static func combined(_ filters: [DocumentFilter]) -> StructuredQuery.Filter? {
    filters.count > 1 ? .composite(.and, filters.map(\.filter)) : filters.first?.filter
  }

  /// Throws for a comparison that no document could pass.
  init(_ field: FieldPath, _ operation: Operator, _ value: Value) throws(WireError) {
    self.field = field
    filter =
      switch operation {
      case .isNull: .unary(field, .isNull)
      case .isNotNull: .unary(field, .isNotNull)
      case .isNaN: .unary(field, .isNaN)
      case .isNotNaN: .unary(field, .isNotNaN)
      default: try .comparing(field, operation.rawValue, value)
      }
    isInequality =
      switch operation {
      case .equal, .isIn, .arrayContains, .arrayContainsAny, .isNull, .isNaN: false
      default: true
      }
  }
}

extension DocumentFilter.Operator {
  /// Whether an entry has a value beside it.
  var hasValue: Bool { ![.isNull, .isNotNull, .isNaN, .isNotNaN].contains(self) }

  /// Whether the value is a list.
  var takesList: Bool { [.isIn, .isNotIn, .arrayContainsAny].contains(self) }
}

extension StructuredQuery.Filter {
  /// The filter with references that begin at the database's own name.
  func completed(in root: ResourceName) throws -> StructuredQuery.Filter {
    switch self {
    case .field(let path, let comparison, let value):
      .field(path, comparison, try value.completed(in: root))
    case .unary: self
    case .composite(let operation, let filters):
      .composite(operation, try filters.map { try $0.completed(in: root) })
    }
  }
}

extension Value {
  fileprivate func completed(in root: ResourceName) throws -> Value {
    switch self {
    case .reference(let path): .reference(try root.appending(path: path).description)
    case .array(let values): .array(try values.map { try $0.completed(in: root) })
    default: self
    }
  }
}
