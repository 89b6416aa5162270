package import Firestore

/// A stretch of a collection's names from which documents are sampled.
///
/// Ids that Firestore makes are letters and digits at random, so four stretches give documents of
/// all ages, where the first names alone would do for ids that tell the time; see
/// `docs/inspect.md#sampling`.
package struct SampleWindow: Hashable, Sendable {
  /// The first letters of ids where the stretches begin, so that each has about a quarter of 62.
  private static let borders = ["G", "W", "m"]

  private let source: CollectionSource
  /// Names in the database.
  private var start: String?
  private let end: String?
  private var isAfterStart = false
  /// Whether its last document was read.
  package private(set) var isExhausted = false

  /// The stretches to sample.
  ///
  /// - Parameters:
  ///   - source: a group is one stretch, since its names begin with those of its parents.
  ///   - root: the root of the database.
  ///   - isCut: whether there are more documents than are sampled.
  /// - Returns: stretches that do not overlap, in the order of their names.
  /// - Throws: `WireError` for a collection that cannot be.
  package static func all(
    of source: CollectionSource, in root: ResourceName, isCut: Bool
  ) throws -> [SampleWindow] {
    guard isCut, !source.isGroup else { return [SampleWindow(source, nil, nil)] }
    let path = [source.parent, source.collectionId].compactMap(\.self).joined(separator: "/")
    let collection = try root.appending(path: path)
    let names = try borders.map { try collection.appending([$0]).description }
    return zip([nil] + names, names.map(\.self) + [nil]).map { SampleWindow(source, $0, $1) }
  }

  private init(_ source: CollectionSource, _ start: String?, _ end: String?) {
    self.source = source
    self.start = start
    self.end = end
  }

  /// The query of the next documents.
  package func query(limit: Int) -> StructuredQuery {
    var query = source.query(selecting: nil)
    query.limit = limit
    query.startAt = start.map { .init(values: [.reference($0)], before: !isAfterStart) }
    query.endAt = end.map { .init(values: [.reference($0)], before: true) }
    return query
  }

  /// Goes on after the documents that a query with this limit has found.
  package mutating func advance(past documents: [Document], limit: Int) {
    isExhausted = documents.count < limit
    guard let last = documents.last else { return }
    start = last.name
    isAfterStart = true
  }
}
