package import Firestore

/// The documents to split: those of one collection, or of all collections with one id.
struct SplitPointSource: Sendable {
  let parent: String?
  private let query: StructuredQuery
  private let isGroup: Bool
  /// The collection id; empty for documents of all collections.
  private let id: String
  /// The beginning of every document's path; empty for a group.
  private let prefix: String
  /// The beginning of all document names in the database, with a slash; nil until a name is known.
  private var root: String?

  /// Returns nil for a query that cannot be read in ranges of names.
  init?(_ query: StructuredQuery, under parent: String?) {
    guard query.orderBy == [.init(field: .documentName)], query.from.count == 1,
      let id = query.from[0].collectionId
    else { return nil }
    self.parent = parent
    self.id = id
    self.query = query
    isGroup = query.from[0].allDescendants
    let path = [parent, id].compactMap(\.self).joined(separator: "/")
    prefix = isGroup ? "" : "\(path)/"
  }

  /// Covers the documents of all collections of a database.
  init(below root: ResourceName) {
    parent = nil
    id = ""
    query = .everything
    isGroup = true
    prefix = ""
    self.root = "\(root)/"
  }

  var group: StructuredQuery {
    StructuredQuery(
      from: [.init(collectionId: id, allDescendants: true)],
      orderBy: [.init(field: .documentName)])
  }

  /// Returns whether a split point of the group lies among the documents, or where they may lie.
  func contains(_ name: String) -> Bool {
    guard query.filter?.mayHold(name) ?? true else { return false }
    let ids = ResourceName.ids(in: name).dropFirst(5)
    guard !isGroup else {
      return ids.starts(with: parent.map(ResourceName.ids) ?? [])
    }
    return ids.dropLast().joined(separator: "/") + "/" == prefix
  }

  /// Returns the key of a document's full name.
  func key(of name: String) -> PathKey {
    let path = ResourceName.ids(in: name).dropFirst(5).joined(separator: "/")
    // By bytes: an id may begin with a combining mark.
    let below = path.utf8.dropFirst(prefix.utf8.count)
    return PathKey(path: String(decoding: below, as: UTF8.self))
  }

  /// Derives the beginning of all names in the database from one of them.
  mutating func learnRoot(from name: String) {
    root = ResourceName.ids(in: name).prefix(5).joined(separator: "/") + "/"
  }

  /// Returns the full name of a document at a synthetic key; nil when there can be none.
  func name(at key: PathKey) -> String? {
    guard let root, let path = key.path(isBelowCollection: !isGroup) else { return nil }
    return root + prefix + path
  }

  /// Returns the query for the documents from one name on, up to another; nil for the ends.
  func range(from: String?, to: String?) -> StructuredQuery {
    query.range(from: from, to: to)
  }
}

extension StructuredQuery {
  /// Returns the query for its documents from one name on, up to another; nil for the ends.
  package func range(from: String?, to: String?) -> StructuredQuery {
    var range = self
    range.startAt = from.map { .init(values: [.reference($0)], before: true) }
    range.endAt = to.map { .init(values: [.reference($0)], before: true) }
    return range
  }
}

extension StructuredQuery.Filter {
  /// Returns false for a name outside of the filter's bounds of names, such as those of
  /// `ParentPattern.bounds`.
  fileprivate func mayHold(_ name: String) -> Bool {
    switch self {
    case .composite(.and, let filters): return filters.allSatisfy { $0.mayHold(name) }
    case .field(.documentName, let comparison, .reference(let bound)):
      let order = NameOrder.compare(name, bound)
      switch comparison {
      case .lessThan: return order < 0
      case .lessThanOrEqual: return order <= 0
      case .greaterThan: return order > 0
      case .greaterThanOrEqual: return order >= 0
      default: return true
      }
    case .field, .unary, .composite: return true
    }
  }
}
