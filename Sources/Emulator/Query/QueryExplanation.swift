import Firestore

/// What `explainOptions` asks for: the index that a query would use, and what it did.
///
/// Every query has its index here; which ones Google's servers lack is not known to this one.
struct QueryExplanation {
  private let indexes: [QueryIndex]

  init(_ plan: QueryPlan) {
    indexes = QueryIndex.serving(plan.query, inOrder: plan.orders)
  }

  /// `{"planSummary": {"indexesUsed": [...]}}`.
  var plan: JSON {
    .object(["planSummary": .object(["indexesUsed": .array(indexes.map(\.explanation))])])
  }

  /// The plan and what its execution took.
  func executed(_ execution: Execution) -> JSON {
    guard case .object(var members) = plan else { return plan }
    members["executionStats"] = execution.json
    return .object(members)
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

extension QueryIndex {
  fileprivate var explanation: JSON {
    let properties = (matched + ordered).map { field in
      switch field.mode {
      case .ascending: "\(field.path) ASC"
      case .descending: "\(field.path) DESC"
      case .contains: "\(field.path) CONTAINS"
      }
    }
    return .object([
      "query_scope": .string(isGroup ? "Collection group" : "Collection"),
      "properties": .string("(\(properties.joined(separator: ", ")))"),
    ])
  }
}
