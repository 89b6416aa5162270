package import Firestore
package import Workspace

/// The key `where`; see `docs/jobs/sync-collection.md#where`.
extension MappingReader {
  package func filters() -> [DocumentFilter] {
    let filters = (items("where") ?? []).compactMap { mapping(of: $0).filter() }
    let fields = Set(filters.filter(\.isInequality).map(\.field))
    if fields.count > 1, let entry = entry("where") {
      let names = fields.map(\.description).sorted().joined(separator: ", ")
      problem(entry, "compares several fields by order (\(names)); pages can follow only one")
    }
    return filters
  }

  /// Reads one entry of the list; returns nil when it has a problem.
  package func filter() -> DocumentFilter? {
    refuseOthers(than: DocumentFilter.keys.names)
    let operators = DocumentFilter.Operator.allCases.map(\.rawValue)
    if entry("field") == nil { missing("field", "name the field to compare") }
    if entry("op") == nil { missing("op", "one of \(operators.joined(separator: ", "))") }
    guard let entry = entry("field"), let text = text(of: entry),
      let field = fieldPath(text, in: entry),
      let operation = choice("op", of: DocumentFilter.Operator.self),
      let value = value(for: operation)
    else { return nil }
    do {
      return try DocumentFilter(field, operation, value)
    } catch {
      problem(entries.last { $0.name == "value" } ?? entry, error.problem)
      return nil
    }
  }

  private func value(for operation: DocumentFilter.Operator) -> Value? {
    guard let entry = entries.last(where: { $0.name == "value" }) else {
      if operation.hasValue { missing("value", "what the field is compared with") }
      return operation.hasValue ? nil : .null
    }
    guard operation.hasValue else {
      problem(entry, "'\(operation.rawValue)' takes no value; remove it")
      return nil
    }
    guard operation.takesList else { return value(of: entry) }
    let values = (items("value") ?? []).map { value(of: $0) }
    guard !values.isEmpty, !values.contains(nil) else { return nil }
    return .array(values.compactMap(\.self))
  }

  private func value(of entry: Entry) -> Value? {
    switch entry.scalar {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let integer): return .integer(Int64(integer))
    case .number(let number): return .double(number)
    case .text(let text): return .string(text)
    case .mapping: return typedValue(of: entry)
    case .list:
      wrongType(entry, wanted: "a single value")
      return nil
    }
  }

  /// Reads `{timestamp: 2026-01-31T08:00:00Z}` or `{reference: Users/abc}`.
  private func typedValue(of entry: Entry) -> Value? {
    let reader = mapping(of: entry)
    reader.refuseOthers(than: ["timestamp", "reference"])
    if let text = reader.text(
      "timestamp", wanted: "a time such as 2026-01-31T08:00:00Z",
      where: {
        Timestamp(rfc3339: $0) != nil
      })
    {
      return Timestamp(rfc3339: text).map { .timestamp($0) }
    }
    return reader.text(
      "reference", wanted: "a document path such as Users/abc",
      where: { path in
        let ids = ResourceName.ids(in: path)
        return ids.count.isMultiple(of: 2) && ResourceName.isValid(path: ids)
      }
    ).map { .reference($0) }
  }

  /// Parses a field path in Firestore's syntax.
  package func fieldPath(_ text: String, in entry: Entry) -> FieldPath? {
    do {
      return try FieldPath(parsing: text)
    } catch {
      problem(entry, error.description)
      return nil
    }
  }
}

/// One condition of `where` that fetched documents meet; see `docs/jobs/sync-collection.md#where`.
package struct DocumentFilter {
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

  /// Those of an entry of `where`.
  package static let keys = [
    ConfigurationKey("field", .text, isRequired: true),
    ConfigurationKey("op", .choice(of: Operator.self), isRequired: true),
    ConfigurationKey("value", .any),
  ]

  package let field: FieldPath
  package let filter: StructuredQuery.Filter
  /// Whether Firestore orders the query by this field first.
  package let isInequality: Bool

  /// Combines the filters of one query by AND; nil for none.
  package static func combined(_ filters: [DocumentFilter]) -> StructuredQuery.Filter? {
    filters.count > 1 ? .composite(.and, filters.map(\.filter)) : filters.first?.filter
  }

  /// Throws for a comparison that no document can pass.
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
  var hasValue: Bool { ![.isNull, .isNotNull, .isNaN, .isNotNaN].contains(self) }

  var takesList: Bool { [.isIn, .isNotIn, .arrayContainsAny].contains(self) }
}

extension StructuredQuery.Filter {
  /// Returns the filter with full names as references.
  package func completed(in root: ResourceName) throws -> StructuredQuery.Filter {
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
