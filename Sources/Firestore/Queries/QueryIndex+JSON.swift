/// The form of `firestore.indexes.json`, which `firebase deploy --only firestore:indexes` reads.
///
/// See `docs/firestore.md#indexes`.
extension QueryIndex {
  /// The list of the file that the entry belongs to.
  package enum Section: String, Hashable, Sendable {
    case indexes
    /// Single fields: the entry replaces all that Firestore makes of the field by itself.
    case fieldOverrides
  }

  package var section: Section {
    let stored = storedFields
    return stored.count == 1 && stored.first?.path != .documentName ? .fieldOverrides : .indexes
  }

  /// The entry, ready to be pasted into its `section`.
  package var entry: JSON {
    let scope = isGroup ? "COLLECTION_GROUP" : "COLLECTION"
    guard section == .fieldOverrides, let field = storedFields.first else {
      return .object([
        "collectionGroup": .string(collectionId), "queryScope": .string(scope),
        "fields": .array(storedFields.map(\.json)),
      ])
    }
    let own: [(mode: Mode, scope: String)] = [
      (.ascending, "COLLECTION"), (.descending, "COLLECTION"), (.contains, "COLLECTION"),
    ]
    let all = own + (isGroup ? [(field.mode, scope)] : [])
    return .object([
      "collectionGroup": .string(collectionId), "fieldPath": .string(field.path.description),
      "indexes": .array(
        all.map {
          .object([$0.mode.key: .string($0.mode.rawValue), "queryScope": .string($0.scope)])
        }
      ),
    ])
  }

  /// A whole file that holds the entries of these indexes and nothing else.
  package static func file(of indexes: [QueryIndex]) -> JSON {
    let entries = Dictionary(grouping: indexes, by: \.section).mapValues { $0.map(\.entry) }
    return .object([
      "indexes": .array(entries[.indexes] ?? []),
      "fieldOverrides": .array(entries[.fieldOverrides] ?? []),
    ])
  }
}

extension QueryIndex.Field {
  fileprivate var json: JSON {
    .object(["fieldPath": .string(path.description), mode.key: .string(mode.rawValue)])
  }
}

extension QueryIndex.Mode {
  fileprivate var key: String { self == .contains ? "arrayConfig" : "order" }
}
