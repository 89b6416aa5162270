/// An index that a query uses, in Firestore's words; see `docs/firestore.md#explain`.
package struct UsedIndex: Hashable, Sendable {
  /// `Collection` or `Collection group`; empty when the server does not say.
  package var scope: String
  /// `(last_time_seen DESC, __name__ DESC)`.
  package var properties: String

  package init(scope: String, properties: String) {
    self.scope = scope
    self.properties = properties
  }

  /// Firestore's servers write `query_scope`, the reference of their API `queryScope`.
  init(json: JSON) throws(WireError) {
    let members = try json.members()
    func text(_ json: JSON) throws(WireError) -> String { try json.text() }
    let documented = try members.optional("queryScope", text)
    scope = try members.optional("query_scope", text) ?? documented ?? ""
    properties = try members.required("properties", text)
  }

  /// What an answer to `explainOptions` tells; nil when it explains nothing.
  static func used(answer bytes: [UInt8]) throws -> [UsedIndex]? {
    for element in try StreamedAnswer.elements(bytes) {
      let metrics = try element.optional("explainMetrics") { json throws(WireError) in
        try json.members()
      }
      let plan = try metrics?.optional("planSummary") { json throws(WireError) in
        try json.members()
      }
      if let plan { return try plan.list("indexesUsed", UsedIndex.init(json:)) }
    }
    return nil
  }
}
