import Firestore

/// What `explainOptions` asks for: the index that a query would use, and what it did.
///
/// Every query has its index here; which ones Google's servers lack is not known to this one.
struct QueryExplanation {
  let query: StructuredQuery
  let orders: [StructuredQuery.Order]

  init(_ plan: QueryPlan) {
    query = plan.query
    orders = plan.orders
  }

  /// `{"planSummary": {"indexesUsed": [...]}}`.
  var plan: JSON {
    let index = JSON.object([
      "query_scope": .string(
        query.from.first?.allDescendants == true ? "Collection group" : "Collection"),
      "properties": .string("(\(properties.joined(separator: ", ")))"),
    ])
    return .object(["planSummary": .object(["indexesUsed": .array([index])])])
  }

  /// The plan and what its execution took.
  func executed(_ execution: Execution) -> JSON {
    guard case .object(var members) = plan else { return plan }
    members["executionStats"] = execution.json
    return .object(members)
  }

  /// Fields compared for equality first, by name, then the order of the results.
  private var properties: [String] {
    let leading = (query.filter?.equalities ?? []).sorted()
    let ordered = orders.map { order in
      "\(order.field) \(order.direction == .ascending ? "ASC" : "DESC")"
    }
    let names = Set(orders.map { "\($0.field) ASC" })
    return leading.filter { !names.contains($0) } + ordered
  }

  /// What running a query took.
  struct Execution {
    let resultCount: Int
    /// Documents that are billed; an offset's are among them.
    let readCount: Int
    let scanned: Int
    let microseconds: Int64

    fileprivate var json: JSON {
      let micros = String(microseconds % 1_000_000)
      let fraction = String(repeating: "0", count: 6 - micros.count) + micros
      return .object([
        "resultsReturned": .string("\(resultCount)"),
        "executionDuration": .string("\(microseconds / 1_000_000).\(fraction)s"),
        "readOperations": .string("\(readCount)"),
        "debugStats": .object([
          "documents_scanned": .string("\(scanned)"),
          "index_entries_scanned": .string("\(scanned)"),
        ]),
      ])
    }
  }
}

extension StructuredQuery.Filter {
  /// The fields that some part compares for equality, as an index names them.
  fileprivate var equalities: Set<String> {
    switch self {
    case .composite(_, let filters): filters.reduce(into: []) { $0.formUnion($1.equalities) }
    case .unary(let path, let test):
      test == .isNull || test == .isNaN ? ["\(path) ASC"] : []
    case .field(let path, .equal, _), .field(let path, .in, _): ["\(path) ASC"]
    case .field(let path, .arrayContains, _), .field(let path, .arrayContainsAny, _):
      ["\(path) CONTAINS"]
    case .field: []
    }
  }
}
