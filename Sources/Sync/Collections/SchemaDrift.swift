package import Firestore

/// How the fields of a collection differ from those of earlier runs; see `docs/jobs.md#schema-drift`.
package struct SchemaDrift: Hashable, Sendable {
  /// By field, the kinds that its values have.
  package typealias Kinds = [String: Set<FieldKind>]

  /// Fields that no earlier run met, with the kinds of their values.
  package private(set) var new: Kinds = [:]
  /// Fields that earlier runs met and no document has any more; sorted.
  package private(set) var vanished: [String] = []
  /// Fields whose values have kinds that no earlier run met.
  package private(set) var changed: Kinds = [:]
  /// Fields with values of several kinds, null aside, each kind with its number of values.
  package private(set) var mixed: [String: [FieldKind: Int]] = [:]
  /// What the next run is to compare with.
  package private(set) var known: Kinds
  /// There were more fields than the census tells apart.
  package let isTruncated: Bool

  /// - Parameters:
  ///   - known: of earlier runs; empty before the first, which then finds nothing new.
  ///   - census: of this run.
  ///   - isComplete: whether the run read every document, so that what it did not meet is gone.
  package init(known: Kinds, census: FieldCensus, isComplete: Bool) {
    isTruncated = census.isTruncated
    self.known = isComplete && !census.fields.isEmpty && !census.isTruncated ? [:] : known
    for field in census.fields {
      let counts = field.kinds.filter { $0.kind != .null }
      let kinds = Set(field.kinds.map(\.kind))
      if let before = known[field.name] {
        let added = Set(counts.map(\.kind)).subtracting(before)
        if !added.isEmpty, !before.subtracting([.null]).isEmpty { changed[field.name] = added }
      } else if !known.isEmpty {
        new[field.name] = kinds
      }
      if counts.count > 1 {
        mixed[field.name] = Dictionary(counts.map { ($0.kind, $0.count) }) { first, _ in first }
      }
      self.known[field.name, default: []].formUnion(kinds)
    }
    vanished = known.keys.filter { self.known[$0] == nil }.sorted()
  }
}

/// The sentences that a run warns with.
extension SchemaDrift {
  /// Names that one sentence lists; the rest is counted.
  private static let listedNames = 10

  package var warnings: [String] {
    [
      sentence("New fields", new.map { "\($0) (\(Self.names($1)))" }),
      sentence("Fields that no document has any more", vanished),
      sentence(
        "Fields with values of another type than before",
        changed.map { "\($0) (now also \(Self.names($1)))" }),
      sentence(
        "Fields with values of several types",
        mixed.map { field, counts in
          let parts = FieldKind.allCases.compactMap { kind in
            counts[kind].map { "\(kind.rawValue) \($0)" }
          }
          return "\(field) (\(parts.joined(separator: ", ")))"
        }),
      isTruncated
        ? "There are more than \(FieldCensus.fieldLimit) different fields; the others are not watched."
        : nil,
    ].compactMap(\.self)
  }

  private func sentence(_ title: String, _ items: [String]) -> String? {
    guard !items.isEmpty else { return nil }
    let listed = items.sorted().prefix(Self.listedNames).joined(separator: ", ")
    let rest = items.count - Self.listedNames
    return "\(title): \(listed)\(rest > 0 ? " and \(rest) more" : "")."
  }

  private static func names(_ kinds: Set<FieldKind>) -> String {
    FieldKind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: ", ")
  }
}
