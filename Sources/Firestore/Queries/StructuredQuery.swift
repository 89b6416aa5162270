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

extension StructuredQuery.Filter {
  /// Reads an object with one of `fieldFilter`, `unaryFilter` and `compositeFilter`.
  package init(json: JSON) throws(WireError) {
    let members = try json.members()
    try members.allowOnly("fieldFilter", "unaryFilter", "compositeFilter")
    guard let (kind, content) = members.first, members.count == 1 else {
      throw WireError("a filter has exactly one of fieldFilter, unaryFilter and compositeFilter")
    }
    self = try WireError.at(kind) { () throws(WireError) in
      let members = try content.members()
      return switch kind {
      case "fieldFilter": try Self.field(members)
      case "unaryFilter": try Self.unary(members)
      default: try Self.composite(members)
      }
    }
  }

  package var json: JSON {
    switch self {
    case .field(let path, let comparison, let value):
      .object([
        "fieldFilter": .object([
          "field": path.referenceJSON, "op": comparison.json, "value": value.json,
        ])
      ])
    case .unary(let path, let test):
      .object(["unaryFilter": .object(["field": path.referenceJSON, "op": test.json])])
    case .composite(let combination, let filters):
      .object([
        "compositeFilter": .object([
          "op": combination.json, "filters": .array(filters.map(\.json)),
        ])
      ])
    }
  }

  private static func field(_ members: [String: JSON]) throws(WireError) -> Self {
    try members.allowOnly("field", "op", "value")
    return .field(
      try members.required("field", FieldPath.init(reference:)),
      try members.required("op", StructuredQuery.FieldOperator.init(json:)),
      try members.required("value", Value.init(json:)))
  }

  private static func unary(_ members: [String: JSON]) throws(WireError) -> Self {
    try members.allowOnly("field", "op")
    return .unary(
      try members.required("field", FieldPath.init(reference:)),
      try members.required("op", StructuredQuery.UnaryOperator.init(json:)))
  }

  private static func composite(_ members: [String: JSON]) throws(WireError) -> Self {
    try members.allowOnly("op", "filters")
    return .composite(
      try members.required("op", StructuredQuery.CompositeOperator.init(json:)),
      try members.list("filters", Self.init(json:)))
  }
}

/// Filters as people write them: a field, a comparison sign and a value.
extension StructuredQuery.Filter {
  /// Compares a field by a sign of Google's clients, such as `>=` or `array-contains`.
  ///
  /// Null and NaN are compared by `==` and `!=` only, for which Firestore has unary operators; see
  /// `docs/firestore.md#filters`. Throws for an unknown sign and for a comparison that no document
  /// matches.
  package static func comparing(
    _ field: FieldPath, _ sign: String, _ value: Value
  ) throws(WireError) -> Self {
    guard let comparison = signs[sign] else {
      let known = signs.keys.sorted().joined(separator: ", ")
      throw WireError("`\(sign)` is not a comparison; there are \(known)")
    }
    if case .array(let values) = value, let most = comparison.maxValueCount, values.count > most {
      throw WireError("\(sign) takes at most \(most) values, not \(values.count)")
    }
    guard let (isIt, isNot) = unaryTests(of: value) else {
      return .field(field, comparison, value)
    }
    switch comparison {
    case .equal: return .unary(field, isIt)
    case .notEqual: return .unary(field, isNot)
    case .arrayContains: return .field(field, comparison, value)
    default: throw WireError("null and NaN are compared by == and != only, not by \(sign)")
    }
  }

  private static let signs: [String: StructuredQuery.FieldOperator] = [
    "<": .lessThan, "<=": .lessThanOrEqual, "==": .equal, "!=": .notEqual,
    ">=": .greaterThanOrEqual, ">": .greaterThan, "in": .in, "not-in": .notIn,
    "array-contains": .arrayContains, "array-contains-any": .arrayContainsAny,
  ]

  private static func unaryTests(
    of value: Value
  ) -> (StructuredQuery.UnaryOperator, StructuredQuery.UnaryOperator)? {
    switch value {
    case .null: (.isNull, .isNotNull)
    case .double(let number) where number.isNaN: (.isNaN, .isNotNaN)
    default: nil
    }
  }
}

extension StructuredQuery.FieldOperator {
  /// How many values a list may have; nil for operators without one.
  ///
  /// See `docs/firestore.md#filters`.
  package var maxValueCount: Int? {
    switch self {
    case .in, .arrayContainsAny: 30
    case .notIn: 10
    default: nil
    }
  }
}

/// The REST form of queries; see `docs/firestore.md#queries`.
extension StructuredQuery {
  /// Reads a query; throws for unknown members, as Google's servers do.
  package init(json: JSON) throws(WireError) {
    let members = try json.members()
    try members.allowOnly(
      "select", "from", "where", "orderBy", "startAt", "endAt", "offset", "limit",
      "findNearest")
    self.init(
      from: try members.list("from", CollectionSelector.init(json:)),
      select: try members.optional("select", StructuredQuery.selection(json:)) ?? nil,
      filter: try members.optional("where", Filter.init(json:)),
      orderBy: try members.list("orderBy", Order.init(json:)),
      startAt: try members.optional("startAt", Cursor.init(json:)),
      endAt: try members.optional("endAt", Cursor.init(json:)),
      offset: try members.optional("offset", StructuredQuery.count(json:)) ?? 0,
      limit: try members.optional("limit", StructuredQuery.count(json:)),
      nearest: try members.optional("findNearest", NearestSearch.init(json:)))
  }

  /// Members that are nil, empty or 0 are left out.
  package var json: JSON {
    var members: [String: JSON] = [:]
    members["select"] = select.map { .object(["fields": .array($0.map(\.referenceJSON))]) }
    if !from.isEmpty { members["from"] = .array(from.map(\.json)) }
    members["where"] = filter?.json
    if !orderBy.isEmpty { members["orderBy"] = .array(orderBy.map(\.json)) }
    members["startAt"] = startAt?.json
    members["endAt"] = endAt?.json
    if offset != 0 { members["offset"] = .integer(offset) }
    members["limit"] = limit.map { .integer($0) }
    members["findNearest"] = nearest?.json
    return .object(members)
  }

  /// A projection of no fields selects all of them.
  private static func selection(json: JSON) throws(WireError) -> [FieldPath]? {
    let members = try json.members()
    try members.allowOnly("fields")
    let fields = try members.list("fields", FieldPath.init(reference:))
    return fields.isEmpty ? nil : fields
  }

  /// Reads an Int32Value of 0 or more.
  static func count(json: JSON) throws(WireError) -> Int {
    let count = try json.integer()
    guard (0...Int64(Int32.max)).contains(count) else {
      throw WireError("\(count) is not between 0 and \(Int32.max)")
    }
    return Int(count)
  }
}

extension StructuredQuery.CollectionSelector {
  fileprivate init(json: JSON) throws(WireError) {
    let members = try json.members()
    try members.allowOnly("collectionId", "allDescendants")
    let id = try members.text("collectionId")
    let all = try members.flag("allDescendants")
    self.init(collectionId: id == "" ? nil : id, allDescendants: all ?? false)
  }

  fileprivate var json: JSON {
    var members: [String: JSON] = [:]
    members["collectionId"] = collectionId.map { .string($0) }
    if allDescendants { members["allDescendants"] = .boolean(true) }
    return .object(members)
  }
}

extension StructuredQuery.Order {
  fileprivate init(json: JSON) throws(WireError) {
    let members = try json.members()
    try members.allowOnly("field", "direction")
    self.init(
      field: try members.required("field", FieldPath.init(reference:)),
      direction: try members.optional("direction", StructuredQuery.Order.direction(json:))
        ?? .ascending)
  }

  /// Reads an unspecified direction as ascending.
  private static func direction(json: JSON) throws(WireError) -> StructuredQuery.Direction {
    guard ![.number("0"), .string("DIRECTION_UNSPECIFIED")].contains(json) else {
      return .ascending
    }
    return try StructuredQuery.Direction(json: json)
  }

  fileprivate var json: JSON {
    .object(["field": field.referenceJSON, "direction": direction.json])
  }
}

extension StructuredQuery.Cursor {
  fileprivate init(json: JSON) throws(WireError) {
    let members = try json.members()
    try members.allowOnly("values", "before")
    self.init(
      values: try members.list("values", Value.init(json:)),
      before: try members.flag("before") ?? false)
  }

  /// `before` is left out when false.
  fileprivate var json: JSON {
    var members: [String: JSON] = ["values": .array(values.map(\.json))]
    if before { members["before"] = .boolean(true) }
    return .object(members)
  }
}

/// An enum that proto3's JSON mapping reads by its name or its number.
protocol WireEnum: RawRepresentable<String>, CaseIterable {
  /// The numbers of all cases in `google/firestore/v1/query.proto`.
  static var wireNumbers: [Int64] { get }
}

extension WireEnum {
  /// From 1, in the order of the cases.
  static var wireNumbers: [Int64] { Array(1...Int64(allCases.count)) }

  init(json: JSON) throws(WireError) {
    switch json {
    case .string(let name):
      guard let known = Self(rawValue: name) else {
        throw WireError("\(name) is none of \(Self.names)")
      }
      self = known
    default:
      let number = try json.integer()
      guard let (_, known) = zip(Self.wireNumbers, Self.allCases).first(where: { $0.0 == number })
      else { throw WireError("\(number) is the number of none of \(Self.names)") }
      self = known
    }
  }

  var json: JSON { .string(rawValue) }

  private static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension StructuredQuery.Direction: WireEnum {}
extension StructuredQuery.CompositeOperator: WireEnum {}
extension StructuredQuery.FieldOperator: WireEnum {}
extension NearestSearch.Measure: WireEnum {}
extension StructuredQuery.UnaryOperator: WireEnum {
  static var wireNumbers: [Int64] { [3, 2, 5, 4] }
}
