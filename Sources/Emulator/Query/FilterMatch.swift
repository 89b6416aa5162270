package import Firestore

/// What a filter means for one document; see `docs/firestore.md#filters`.
extension StructuredQuery.Filter {
  /// A field that the document lacks matches nothing, not even a `not in`.
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
    case .isNull: ValueOrder.typeClass(of: value) == .null
    case .isNaN: ValueOrder.areEqual(value, .double(.nan))
    case .isNotNull: ValueOrder.typeClass(of: value) != .null
    case .isNotNaN: StructuredQuery.FieldOperator.notEqual.matches(value, .double(.nan))
    }
  }
}

extension StructuredQuery.FieldOperator {
  func matches(_ value: Value, _ bound: Value) -> Bool {
    switch self {
    case .equal: ValueOrder.areEqual(value, bound)
    case .notEqual: value != .null && !ValueOrder.areEqual(value, bound)
    case .lessThan: isInRange(value, bound) { $0 < 0 }
    case .lessThanOrEqual: isInRange(value, bound) { $0 <= 0 }
    case .greaterThan: isInRange(value, bound) { $0 > 0 }
    case .greaterThanOrEqual: isInRange(value, bound) { $0 >= 0 }
    case .arrayContains: value.elements.contains { ValueOrder.areEqual($0, bound) }
    case .in: bound.contains(value)
    case .arrayContainsAny: value.elements.contains { bound.contains($0) }
    case .notIn: value != .null && !bound.contains(.null) && !bound.contains(value)
    }
  }

  /// A range never leaves the class of its bound: `> 5` matches no string.
  private func isInRange(_ value: Value, _ bound: Value, _ test: (Int) -> Bool) -> Bool {
    ValueOrder.typeClass(of: value) == ValueOrder.typeClass(of: bound)
      && test(ValueOrder.compare(value, bound))
  }

  /// Whether the filter implies that its field leads the order of the results.
  var isInequality: Bool {
    switch self {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual, .notIn: true
    case .equal, .in, .arrayContains, .arrayContainsAny: false
    }
  }
}

extension Value {
  /// An array's elements; none for any other value.
  fileprivate var elements: [Value] {
    if case .array(let elements) = self { elements } else { [] }
  }

  fileprivate func contains(_ value: Value) -> Bool {
    elements.contains { ValueOrder.areEqual($0, value) }
  }
}
