package import Model

/// Matching a document against a filter; see `docs/firestore.md#filters`.
extension StructuredQuery.Filter {
  /// Returns whether the document matches; a missing field matches only `!=` and `not in`, and
  /// those only in an edition with that rule.
  package func matches(
    _ document: Document, _ rules: EditionRules = FirestoreEdition.standard.rules
  ) -> Bool {
    switch self {
    case .composite(.and, let filters): filters.allSatisfy { $0.matches(document, rules) }
    case .composite(.or, let filters): filters.contains { $0.matches(document, rules) }
    case .unary(let path, let test):
      rules.inequalityMatchesMissing && test == .isNotNaN && document.isNull(at: path)
        || document[path].map(test.matches) ?? false
    case .field(let path, let comparison, let bound):
      comparison.isExclusion && rules.inequalityMatchesMissing
        ? comparison.excludes(document[path], bound)
        : document[path].map { comparison.matches($0, bound, of: path, rules) } ?? false
    }
  }
}

extension Document {
  /// Whether the field is missing or null.
  fileprivate func isNull(at path: FieldPath) -> Bool { self[path]?.isNull ?? true }
}

extension StructuredQuery.FieldOperator {
  fileprivate var isExclusion: Bool { self == .notEqual || self == .notIn }

  /// Returns whether an exclusion keeps the value, in an edition where a missing value, nil, and
  /// null are values like any other; see `docs/editions.md#what-differs`.
  fileprivate func excludes(_ value: Value?, _ bound: Value) -> Bool {
    guard let value else { return true }
    let excluded = self == .notIn ? bound.elements : [bound]
    return !excluded.contains { value.isNull ? $0.isNull : value.isEqual(to: $0) }
  }
}

extension StructuredQuery.UnaryOperator {
  package func matches(_ value: Value) -> Bool {
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
  fileprivate func matches(
    _ value: Value, _ bound: Value, of field: FieldPath, _ rules: EditionRules
  ) -> Bool {
    // A range contains only values of its bound's type class: `> 5` matches no string.
    func isInRange(_ test: (Int) -> Bool) -> Bool {
      ValueOrder.typeClass(of: value) == ValueOrder.typeClass(of: bound)
        && value.isComparable && bound.isComparable && test(rules.compare(value, bound, of: field))
    }
    return switch self {
    case .equal: value.isEqual(to: bound)
    case .notEqual: !value.isNull && !bound.isNull && !value.isEqual(to: bound)
    case .lessThan: isInRange { $0 < 0 }
    case .lessThanOrEqual: isInRange { $0 <= 0 }
    case .greaterThan: isInRange { $0 > 0 }
    case .greaterThanOrEqual: isInRange { $0 >= 0 }
    case .arrayContains: value.elements.contains { $0.isEqual(to: bound) }
    case .in: bound.elements.contains { value.isEqual(to: $0) }
    case .arrayContainsAny:
      value.elements.contains { element in bound.elements.contains { element.isEqual(to: $0) } }
    case .notIn:
      !value.isNull && !bound.elements.contains { $0.isNull || value.isEqual(to: $0) }
    }
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
