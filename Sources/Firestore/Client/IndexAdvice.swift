/// How to give a query the index that it lacks; see `docs/firestore.md#indexes`.
package struct IndexAdvice: Hashable, Sendable {
  /// Where the console creates it; nil when the server did not say.
  package var link: String?
  /// Those the query is answered from, as far as it is known; which of them is missing is not.
  package var indexes: [QueryIndex]

  package init(link: String?, indexes: [QueryIndex]) {
    self.link = link
    self.indexes = indexes
  }
}

/// A sentence, and below it the entries of `firestore.indexes.json`, one a line.
extension IndexAdvice: CustomStringConvertible {
  package var description: String {
    guard !indexes.isEmpty else {
      return link.map { "Create the index at \($0), then run again." }
        ?? "Create the composite index that the query needs, then run again."
    }
    let start = link.map { "Create the index at \($0), or add" } ?? "Add"
    let sentence =
      "\(start) what is missing of this to firestore.indexes.json and run "
      + "`firebase deploy --only firestore:indexes`, then run again:"
    return ([sentence] + entries).joined(separator: "\n")
  }

  private var entries: [String] {
    indexes.map { index in
      let entry = String(decoding: index.entry.serialized(), as: UTF8.self)
      return "  \(index.section.rawValue): \(entry)"
    }
  }
}
