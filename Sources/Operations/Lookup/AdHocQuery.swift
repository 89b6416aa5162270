import CollectionMapping
package import Firestore
package import Jobs
import Model
package import Sync
package import Workspace

/// A query from the command line; see `docs/query.md`.
package struct AdHocQuery: Sendable {
  package static let limits = 1...10_000
  package static let defaultLimit = 20
  /// The number of documents per request.
  package static let pageSize = 300

  /// The collection, without filters and orders.
  package let source: CollectionSource
  /// The fields to show; empty for all.
  package let fields: [FieldPath]
  private let typedPath: TypedPath
  private let filters: [DocumentFilter]
  private let orders: [StructuredQuery.Order]

  /// Parses the query.
  ///
  /// Each filter is `FIELD OP VALUE`, each order `FIELD`, `FIELD asc` or `FIELD desc`. A document
  /// must pass all filters. `fields` are field paths, separated by commas; empty for whole
  /// documents.
  package init(
    _ path: String, isGroup: Bool = false, filters: [String] = [], orders: [String] = [],
    fields: [String] = []
  ) throws(WorkspaceError) {
    typedPath = try TypedPath(parsing: path)
    source = try typedPath.collection(isGroup: isGroup)
    self.filters = try filters.map { text throws(WorkspaceError) in
      try DocumentFilter(parsing: text)
    }
    self.orders = try orders.map { text throws(WorkspaceError) in
      try StructuredQuery.Order(parsing: text)
    }
    let lists = try fields.map { text throws(WorkspaceError) in
      try FieldPath.list(parsing: text)
    }
    self.fields = lists.flatMap(\.self)
  }

  /// Returns the query without a limit, in a complete order, as paging requires.
  ///
  /// - Throws: `WorkspaceError.refused` for a path of another database, `WireError` for a bad
  ///   reference.
  package func query(in root: ResourceName) throws -> StructuredQuery {
    _ = try typedPath.name(in: root)
    var query = StructuredQuery(
      from: [.init(collectionId: source.collectionId, allDescendants: source.isGroup)],
      filter: try DocumentFilter.combined(filters)?.completed(in: root))
    if !fields.isEmpty { query.select = fields }
    query.orderBy = orders
    // Firestore does the same; pages need the values that they are ordered by.
    query.orderBy = query.completeOrders()
    return query
  }

  /// Passes on the documents found, page by page, and returns their number.
  ///
  /// - Throws: `WorkspaceError.adHocBudget` when the budget ends before the query does.
  package func forEachPage(
    limit: Int, _ reads: AdHocReads, show: ([Document]) throws -> Void
  ) async throws -> Int {
    var query = try query(in: reads.database.root)
    // The positions of pages consist of the values that they are ordered by.
    if let select = query.select, limit > Self.pageSize {
      query.select =
        select
        + query.orderBy.map(\.field).filter {
          $0 != .documentName && !select.contains($0)
        }
    }
    let parent = try source.parent.map { try reads.database.root.appending(path: $0) }
    var count = 0
    while count < limit {
      let (page, allowed) = try await reads.documents(
        of: query, under: parent, upTo: min(Self.pageSize, limit - count))
      if !page.isEmpty { try show(page) }
      count += page.count
      guard page.count == allowed, let last = page.last else { break }
      query.startAt = .init(values: query.orderBy.map { last[$0.field] ?? .null }, before: false)
    }
    return count
  }

  /// A hint about a time that was compared as text, probably by mistake; empty for none.
  var hintAtTypes: String {
    for case .field(_, _, .string(let text)) in filters.map(\.filter)
    where Timestamp(rfc3339: text) != nil {
      return " '\(text)' was compared as text; a timestamp is written {timestamp: \"\(text)\"}."
    }
    return ""
  }

  /// Counts the documents that the query finds.
  ///
  /// - Throws: `WorkspaceError.adHocBudget` when the budget is too small to count them.
  package func count(_ reads: AdHocReads) async throws -> Int {
    try await reads.count(
      of: try query(in: reads.database.root), under: source.parent, isAlone: true)
  }
}

extension StructuredQuery.Order {
  /// Parses `FIELD`, `FIELD asc` or `FIELD desc`.
  fileprivate init(parsing text: String) throws(WorkspaceError) {
    var path = text.trimmed
    var direction = StructuredQuery.Direction.ascending
    for (word, meaning) in [(" desc", StructuredQuery.Direction.descending), (" asc", .ascending)]
    where path.hasSuffix(word) {
      path = path.dropLast(word.count).trimmed
      direction = meaning
      break
    }
    do {
      self.init(field: try FieldPath(parsing: path), direction: direction)
    } catch {
      throw .refused(.usage, "--order-by '\(text)': \(error.problem); then asc or desc may follow.")
    }
  }
}

extension FieldPath {
  /// Parses field paths separated by commas; back-ticks may contain commas.
  fileprivate static func list(parsing text: String) throws(WorkspaceError) -> [FieldPath] {
    var parts: [String] = [""]
    var (isQuoted, isEscaped) = (false, false)
    for scalar in text.unicodeScalars {
      if scalar == ",", !isQuoted {
        parts.append("")
        continue
      }
      if scalar == "`", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && scalar == "\\" && !isEscaped
      parts[parts.count - 1].unicodeScalars.append(scalar)
    }
    return try parts.map { part throws(WorkspaceError) in
      do throws(WireError) {
        return try FieldPath(parsing: part.trimmed)
      } catch {
        throw .refused(.usage, "--select '\(text)': \(error.problem).")
      }
    }
  }
}
