import Firestore
import Foundation

/// The answer to `explainOptions`: the indexes of a query and the statistics of its execution.
///
/// The emulator has every index, so no query is refused.
struct QueryExplanation {
  private let indexes: [QueryIndex]

  init(_ plan: QueryPlan) {
    indexes = QueryIndex.serving(plan.query, inOrder: plan.orders)
  }

  /// The JSON `{"planSummary": {"indexesUsed": [...]}}`.
  var plan: JSON {
    .object(["planSummary": .object(["indexesUsed": .array(indexes.map(\.explanation))])])
  }

  func executed(_ execution: Execution, microseconds: Int64) -> JSON {
    var metrics = plan
    metrics.add("executionStats", execution.json(microseconds: microseconds))
    return metrics
  }

  struct Execution {
    let resultCount: Int
    /// Billed documents, including those that an offset skips.
    let readCount: Int
    let scanned: Int

    fileprivate func json(microseconds: Int64) -> JSON {
      .object([
        "resultsReturned": .string("\(resultCount)"),
        "executionDuration": .string(String(format: "%.6fs", Double(microseconds) / 1_000_000)),
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
