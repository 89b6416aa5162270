import Testing

@testable import Firestore

/// A query of Google's vectors, built from its clauses as a program builds one.
struct VectorQuery {
  private(set) var query: StructuredQuery
  private let collection: ResourceName

  /// Throws for clauses that no client may send.
  init(_ vector: JSON) throws {
    collection = try ResourceName(parsing: vector["collPath"]?.text() ?? "")
    query = StructuredQuery(from: [.init(collectionId: collection.id)])
    for clause in try vector["clauses"]?.elements() ?? [] {
      let (kind, content) = try #require(try clause.members().first)
      try add(kind, content)
    }
  }

  private mutating func add(_ kind: String, _ content: JSON) throws {
    switch kind {
    case "select":
      let fields = try content["fields"]?.elements().map(Self.path) ?? []
      query.select = fields.isEmpty ? [.documentName] : fields
    case "where":
      let filter = try StructuredQuery.Filter.comparing(
        Self.path(content["path"]), content["op"]?.text() ?? "",
        Self.value(parsing: content["jsonValue"]))
      query.filter = query.filter.map { $0.and(filter) } ?? filter
    case "orderBy":
      let isDescending = content["direction"] == .string("desc")
      query.orderBy.append(
        .init(
          field: try Self.path(content["path"]), direction: isDescending ? .descending : .ascending)
      )
    case "offset": query.offset = Int(try content.integer())
    case "limit": query.limit = Int(try content.integer())
    case "startAt": query.startAt = try cursor(content, before: true)
    case "startAfter": query.startAt = try cursor(content, before: false)
    case "endAt": query.endAt = try cursor(content, before: false)
    case "endBefore": query.endAt = try cursor(content, before: true)
    default: throw WireError("`\(kind)` is no clause")
    }
  }

  private static func path(_ json: JSON?) throws -> FieldPath {
    let segments = try json?["field"]?.elements().map { try $0.text() } ?? []
    return try FieldPath(parsing: FieldPath(segments: segments).description)
  }

  private mutating func cursor(_ content: JSON, before: Bool) throws -> StructuredQuery.Cursor {
    if let snapshot = content["docSnapshot"] {
      return try cursor(snapshot: snapshot, before: before)
    }
    let values = try content["jsonValues"]?.elements().map(Self.value(parsing:)) ?? []
    guard !values.isEmpty, values.count <= query.orderBy.count else {
      throw WireError("a cursor has a value for one order or more")
    }
    let named = zip(query.orderBy, values).map { order, value in
      guard order.field == .documentName, case .string(let id) = value else { return value }
      return .reference("\(collection)/\(id)")
    }
    return .init(values: named, before: before)
  }

  /// A document's position in the query's order, which then names all its fields.
  private mutating func cursor(
    snapshot: JSON, before: Bool
  ) throws -> StructuredQuery.Cursor {
    let name = try ResourceName(parsing: snapshot["path"]?.text() ?? "")
    guard name.parent == collection else { throw WireError("\(name) is not in \(collection)") }
    let data = try JSON(parsing: snapshot["jsonData"]?.text().utf8 ?? "".utf8).members()
    query.orderBy = query.completeOrders()
    let values = try query.orderBy.map { order in
      order.field == .documentName
        ? .reference("\(name)") : try Self.value(of: #require(data[order.field.segments[0]]))
    }
    return .init(values: values, before: before)
  }

  private static func value(parsing json: JSON?) throws -> Value {
    try value(of: JSON(parsing: json?.text().utf8 ?? "".utf8))
  }

  /// Google's vectors write what only the server can know as words that no query may hold.
  private static func value(of json: JSON) throws -> Value {
    switch json {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .number: return .integer(try json.integer())
    case .string("NaN"): return .double(.nan)
    case .string("Delete"), .string("ServerTimestamp"): throw WireError("no value of a query")
    case .string(let text): return .string(text)
    case .array(let elements):
      guard ![.string("ArrayUnion"), .string("ArrayRemove")].contains(elements.first) else {
        throw WireError("no value of a query")
      }
      return .array(try elements.map(value(of:)))
    case .object(let members): return .map(try members.mapValues(value(of:)))
    }
  }
}

extension StructuredQuery.Filter {
  fileprivate func and(_ other: Self) -> Self {
    guard case .composite(.and, let filters) = self else { return .composite(.and, [self, other]) }
    return .composite(.and, filters + [other])
  }
}
