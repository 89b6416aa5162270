import Firestore
package import Model
import Store

/// The check for documents whose change an incremental load missed because its field was not
/// updated; see `docs/loads.md#silent-changes`.
///
/// The list of a sweep contains the time of each document's last change. If that is after the time
/// in the document's row, and not after the load, the document is fetched by its name.
package struct SilentChanges: Sendable {
  /// The most names in one request; see `docs/firestore.md#filters`.
  static let documentsPerRequest = 30

  /// The time window of the export that was last loaded into the table; nil without one.
  package var exported: ExportWindow?
  /// The mapping of the load.
  var mapping: any DocumentMapping
  private let query: StructuredQuery
  private let table: SyncTable
  private let unchanged: UnchangedFilter?
  private let keys: KeyMapping
  private let loadedAt: Instant?

  /// Changes after `loadedAt`, the load's snapshot, are left to the next load; nil when unknown.
  package init(missedBy load: PullRequest, keys: KeyMapping, loadedAt: Instant?) {
    mapping = load.mapping
    query = load.query
    table = load.table
    unchanged = load.unchanged
    self.keys = keys
    self.loadedAt = loadedAt
  }

  func storedTimes(in store: Store) -> StoredTimes { store.storedTimes(of: table) }

  /// Returns whether a listed document changed after its row was stored; false without a row, and
  /// if the server leaves out the time of the change.
  func hold(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    _ rows: StoredTimes.Lookup
  ) throws -> Bool {
    guard let changedAt = document.updateTime,
      loadedAt.map({ changedAt <= $0.microseconds }) ?? true,
      let stored = try rows.updateTime(
        ofKey: UnsafeRawBufferPointer(rebasing: page[keys.key(of: document, in: page)]),
        endingAfter: .max)
    else { return false }
    // If documents share a row, the latest change counts; otherwise they would alternate.
    return changedAt > exported?.certainty(of: stored) ?? stored
  }

  /// Returns the query for the documents of these names, which passed the load's filter in the
  /// list.
  func query(for names: some Sequence<String>) -> StructuredQuery {
    var query = query
    query.filter = .field(.documentName, .in, .array(names.map { .reference($0) }))
    query.orderBy = [.init(field: .documentName)]
    return query
  }

  func effects(of pages: [MappedRows], at now: Instant) -> [StoreChange] {
    guard !pages.isEmpty else { return [] }
    let tellAll = pages.allSatisfy(\.canSkipUnchanged)
    return [
      .then { [unchanged] reader, _ in
        try unchanged?.effects(canSkipUnchanged: tellAll, after: nil, in: reader) ?? []
      },
      .upsert(pages.map(\.rows), children: pages.map(\.children), into: table, at: now),
    ]
  }
}

extension PullPage {
  /// Fetches the documents whose change a load missed, at the snapshot of the list.
  ///
  /// Documents that the read budget does not allow are left to the next sweep.
  mutating func fetchMissed(
    _ changes: SilentChanges, under parent: String?, by port: any FirestorePort,
    _ reads: ReadBudgetMeter, _ sizer: PageSizer, at readTime: Timestamp?
  ) async throws {
    let snapshot = readTime ?? summary.readTime
    var rest = missedNames[...]
    while !rest.isEmpty {
      let names = rest.prefix(SilentChanges.documentsPerRequest)
      let fetched = try await reads.spend(upTo: names.count) { granted in
        let page = try await sizer.fitting(granted, billing: reads) { count in
          try await Self.page(
            of: names.prefix(count), changes, under: parent, by: port, at: snapshot)
        }
        return (page, max(1, page.summary.documentCount))
      }
      guard let fetched else { return }
      missed.append(fetched.mapped)
      rest = rest.dropFirst(fetched.limit)
    }
  }

  private static func page(
    of names: ArraySlice<String>, _ changes: SilentChanges, under parent: String?,
    by port: any FirestorePort, at snapshot: Timestamp?
  ) async throws -> PullPage {
    var query = changes.query(for: names)
    query.limit = names.count
    let origin = try port.origin(of: query, under: parent)
    var page = PullPage(TableRows(width: changes.mapping.width), limit: names.count)
    try await port.page(of: query, under: parent, readTime: snapshot) { bytes in
      page = PullPage(TableRows(width: changes.mapping.width), limit: names.count)
      return try page.scan(&bytes, by: changes.mapping, from: origin)
    }
    return page
  }
}
