package import Firestore
package import Sync

extension ParentPattern {
  /// The bounds with the documents' full names.
  package func bounds(in root: ResourceName) throws -> StructuredQuery.Filter? {
    guard case .composite(let operation, let filters)? = bounds else { return nil }
    return .composite(
      operation,
      try filters.map { filter in
        guard case .field(let path, let comparison, .reference(let name)) = filter else {
          return filter
        }
        return .field(path, comparison, .reference(try root.appending(path: name).description))
      })
  }
}
