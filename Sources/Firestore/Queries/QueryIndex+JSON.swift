/// The form of `firestore.indexes.json`, which `firebase deploy --only firestore:indexes` reads.
///
/// See `docs/firestore.md#indexes`.
extension QueryIndex {
  /// The section of the file that an entry belongs to.
  package enum IndexFileSection: String, Hashable, Sendable {
    case indexes
    /// Single-field indexes: the entry replaces all automatic indexes of the field.
    case fieldOverrides
  }

  package var section: IndexFileSection {
    let stored = storedFields
    return stored.count == 1 && stored.first?.path != .documentName ? .fieldOverrides : .indexes
  }

  /// The entry for the list `section` of the file.
  package var entry: JSON {
    guard section == .fieldOverrides, let field = storedFields.first else {
      return .object([
        "collectionGroup": .string(collectionId), "queryScope": .string(scope),
        "fields": .array(storedFields.map(\.json)),
      ])
    }
    return Self.override(of: field.path, in: collectionId, [(field.mode, scope)])
  }

  private var scope: String { isGroup ? "COLLECTION_GROUP" : "COLLECTION" }

  /// The automatic indexes of a field, and `others`.
  private static func override(
    of path: FieldPath, in collectionId: String, _ others: [(mode: IndexMode, scope: String)]
  ) -> JSON {
    let own = [IndexMode.ascending, .descending, .contains].map { (mode: $0, scope: "COLLECTION") }
    let all = others.reduce(into: own) { all, other in
      if !all.contains(where: { $0 == other }) { all.append(other) }
    }
    return .object([
      "collectionGroup": .string(collectionId), "fieldPath": .string(path.description),
      "indexes": .array(
        all.map {
          .object([$0.mode.key: .string($0.mode.rawValue), "queryScope": .string($0.scope)])
        }
      ),
    ])
  }

  /// A complete file with the entries of these indexes.
  ///
  /// Each field has one override with all of its indexes.
  package static func file(of indexes: [QueryIndex]) -> JSON {
    var overrides: [(collection: String, path: FieldPath, others: [(IndexMode, String)])] = []
    for index in indexes where index.section == .fieldOverrides {
      guard let field = index.storedFields.first else { continue }
      let known = overrides.firstIndex {
        $0.collection == index.collectionId && $0.path == field.path
      }
      if let known {
        overrides[known].others.append((field.mode, index.scope))
      } else {
        overrides.append((index.collectionId, field.path, [(field.mode, index.scope)]))
      }
    }
    return .object([
      "indexes": .array(indexes.filter { $0.section == .indexes }.map(\.entry)),
      "fieldOverrides": .array(
        overrides.map { override(of: $0.path, in: $0.collection, $0.others) }),
    ])
  }
}

extension QueryIndex.IndexField {
  fileprivate var json: JSON {
    .object(["fieldPath": .string(path.description), mode.key: .string(mode.rawValue)])
  }
}

extension QueryIndex.IndexMode {
  fileprivate var key: String { self == .contains ? "arrayConfig" : "order" }
}
