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
