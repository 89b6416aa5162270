import Firestore
import Model

/// The differences between a collection's fields and those of earlier runs; see
/// `docs/jobs/sync-collection.md#schema-drift`.
package struct SchemaDrift: Hashable, Sendable {
  /// The kinds of each field's values, by field.
  typealias Kinds = [String: Set<FieldKind>]

  /// Fields that no earlier run saw, with the kinds of their values.
  private(set) var new: Kinds = [:]
  /// Fields that earlier runs saw and no document has now; sorted.
  private(set) var vanished: [String] = []
  /// Fields with kinds that no earlier run saw.
  private(set) var changed: Kinds = [:]
  /// Fields with values of several kinds other than null, with the number of values of each kind.
  private(set) var mixed: [String: [FieldKind: Int]] = [:]
  /// The fields that the next run compares with.
  private(set) var known: Kinds
  /// Whether there were more fields than the census can hold.
  let isTruncated: Bool

  /// Compares a census with the known fields.
  ///
  /// `known` is empty before the first run, which then finds nothing new. Only a run that read
  /// every document can find that a field has vanished.
  init(known: Kinds, census: FieldCensus, isComplete: Bool) {
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

/// The warnings of a run.
extension SchemaDrift {
  /// The largest number of names in one sentence; others are only counted.
  private static let listedNames = 10

  package var warnings: [String] {
    [
      sentence("New fields", new.map { "\($0) (\($1.list))" }),
      sentence("Fields that no document has now", vanished),
      sentence(
        "Fields whose type changed",
        changed.map { "\($0) (now also \($1.list))" }),
      sentence(
        "Fields with values of several types",
        mixed.map { field, counts in
          let parts = FieldKind.allCases.compactMap { kind in
            counts[kind].map { "\(kind.rawValue) \($0)" }
          }
          return "\(field) (\(parts.joined(separator: ", ")))"
        }),
      isTruncated
        ? "The documents have more than \(FieldCensus.fieldLimit) different fields; the rest are "
          + "not watched."
        : nil,
    ].compactMap(\.self)
  }

  private func sentence(_ title: String, _ items: [String]) -> String? {
    items.isEmpty ? nil : "\(title): \(items.sorted().listed(Self.listedNames))."
  }
}

extension Set<FieldKind> {
  /// The names, in the order of `FieldKind`.
  var names: [String] { FieldKind.allCases.filter(contains).map(\.rawValue) }

  fileprivate var list: String { names.joined(separator: ", ") }
}
