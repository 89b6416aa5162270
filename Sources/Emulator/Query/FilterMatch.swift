package import Firestore

/// Matching a document against a filter; see `docs/firestore.md#filters`.
extension StructuredQuery.Filter {
  /// A missing field matches nothing, not even `not in`.
  package func matches(_ document: Document) -> Bool {
    switch self {
    case .composite(.and, let filters): filters.allSatisfy { $0.matches(document) }
    case .composite(.or, let filters): filters.contains { $0.matches(document) }
    case .unary(let path, let test): document[path].map(test.matches) ?? false
    case .field(let path, let comparison, let bound):
      document[path].map { comparison.matches($0, bound) } ?? false
    }
  }
}

extension StructuredQuery.UnaryOperator {
  func matches(_ value: Value) -> Bool {
    switch self {
    case .isNull: value.isNull
    case .isNaN: value.isNaN
    case .isNotNull: !value.isNull
    case .isNotNaN: !value.isNull && !value.isNaN
    }
  }
}

extension StructuredQuery.FieldOperator {
  /// Null and NaN compare as in SQL and IEEE 754: nothing equals them and no range contains them.
  func matches(_ value: Value, _ bound: Value) -> Bool {
    switch self {
    case .equal: value.isEqual(to: bound)
    case .notEqual: !value.isNull && !bound.isNull && !value.isEqual(to: bound)
    case .lessThan: isInRange(value, bound) { $0 < 0 }
    case .lessThanOrEqual: isInRange(value, bound) { $0 <= 0 }
    case .greaterThan: isInRange(value, bound) { $0 > 0 }
    case .greaterThanOrEqual: isInRange(value, bound) { $0 >= 0 }
    case .arrayContains: value.elements.contains { $0.isEqual(to: bound) }
    case .in: bound.elements.contains { value.isEqual(to: $0) }
    case .arrayContainsAny:
      value.elements.contains { element in bound.elements.contains { element.isEqual(to: $0) } }
    case .notIn:
      !value.isNull && !bound.elements.contains { $0.isNull || value.isEqual(to: $0) }
    }
  }

  /// A range contains only values of its bound's type class: `> 5` matches no string.
  private func isInRange(_ value: Value, _ bound: Value, _ test: (Int) -> Bool) -> Bool {
    ValueOrder.typeClass(of: value) == ValueOrder.typeClass(of: bound)
      && value.isComparable && bound.isComparable && test(ValueOrder.compare(value, bound))
  }
}

extension Value {
  /// The elements of an array; empty for other values.
  fileprivate var elements: [Value] {
    if case .array(let elements) = self { elements } else { [] }
  }

  fileprivate func isEqual(to bound: Value) -> Bool {
    isComparable && ValueOrder.areEqual(self, bound)
  }
}
