package import Firestore
import Model
package import Store

package struct PageRequest: Hashable, Sendable {
  package var query: StructuredQuery
  /// The snapshot; nil for the first page, whose answer names it.
  package var readTime: Timestamp?
}

/// The properties of a page that a paged query needs.
package struct PageSummary: Sendable {
  package var documentCount: Int
  /// The order field's value and the name of the last document; nil for an empty page.
  ///
  /// The value is nil when it could not be read, and for pages ordered by the name alone.
  package var last: (value: Value?, name: String)?
  package var readTime: Timestamp?
  /// The highest times in the order field, by type of value.
  package var highest = TypedTimes()
}

/// An error for a page that cannot be the requested one.
package enum PageError: Error, Hashable, CustomStringConvertible {
  /// The server repeats a page: following it would never end.
  case pageDidNotAdvance(name: String)
  case tooManyDocuments(received: Int, asked: Int)
  case noCursor(name: String)

  package var description: String {
    switch self {
    case .pageDidNotAdvance(let name):
      "The server repeated the page that ends with \(name), so the load would never end: "
        + "the page was not stored. Try again later; report it if it repeats."
    case .tooManyDocuments(let received, let asked):
      "The server sent \(received) documents instead of at most \(asked): "
        + "the page was not stored. Check that base_url names a Firestore server."
    case .noCursor(let name):
      "The load cannot continue after \(name): the value of the field that orders the pages "
        + "is unreadable there. Correct that document."
    }
  }
}

/// A query that is read page by page, by keyset: each page starts after the last document of the
/// previous one.
///
/// `offset` would be billed for every document that it skips. All pages are read at the snapshot of
/// the first one, so a document that moves meanwhile is neither missed nor read twice. See
/// `docs/firestore.md#paging`.
package struct PagedQuery: Sendable {
  private let query: StructuredQuery
  private let pageSize: Int
  /// The most documents to read in total; nil for no limit.
  private let maxDocuments: Int?
  /// Whether the order field may have times of several types; see `TypeBand`.
  private let asksByType: Bool
  package private(set) var cursor: PullCursor
  /// One loop detector per partition or type; a single one for a pull without either.
  private var loops: [PageLoop]
  private var isFinished = false

  /// Starts at the cursor; `PullCursor()` is the beginning.
  ///
  /// - Precondition: a query that is asked by type goes from the latest time to the earliest.
  package init(
    query: StructuredQuery, pageSize: Int, maxDocuments: Int?, asksByType: Bool = false,
    cursor: PullCursor
  ) {
    self.query = query
    self.pageSize = pageSize
    self.maxDocuments = maxDocuments
    self.asksByType = asksByType
    self.cursor = cursor
    let count = max(1, cursor.partitions.count, cursor.bands.count)
    loops = Array(repeating: PageLoop(), count: count)
  }

  init(_ request: PullRequest, cursor: PullCursor) {
    self.init(
      query: request.query, pageSize: request.options.pageSize,
      maxDocuments: request.options.maxDocuments, asksByType: request.asksByType, cursor: cursor)
  }

  /// Reads the rest at the snapshot that the next page names.
  mutating func leaveSnapshot() { cursor.readTime = nil }

  /// The next page of the first partition that has one; nil when everything is read.
  package var next: PageRequest? { openPartitions.first.flatMap(request) }

  /// The partitions with a page left; their pages may be requested concurrently.
  ///
  /// It is at most one until the first page has named the common snapshot.
  ///
  /// For types, it is the one whose next document may be the latest.
  package var openPartitions: [Int] {
    if !cursor.bands.isEmpty {
      return TypeBand.next(of: cursor.bands).flatMap { request(of: $0) == nil ? nil : [$0] } ?? []
    }
    let open = loops.indices.filter { request(of: $0) != nil }
    return cursor.readTime == nil ? Array(open.prefix(1)) : open
  }

  /// Returns the next page of a partition; nil when all of it is read.
  package func request(of partition: Int) -> PageRequest? {
    let limit = pageLimit(of: partition)
    guard !isFinished, limit > 0 else { return nil }
    var page = query
    page.limit = limit
    if !cursor.bands.isEmpty {
      let band = cursor.bands[partition]
      guard !band.isDone else { return nil }
      (page.startAt, page.endAt) = (band.position, band.kind.end)
    } else if cursor.partitions.isEmpty {
      page.startAt = cursor.last.map {
        .init(values: [$0.value, .reference($0.name)].compactMap(\.self), before: false)
      }
    } else {
      let range = cursor.partitions[partition]
      guard !range.isDone else { return nil }
      page.startAt = range.position
      page.endAt = range.end.map { .init(values: [.reference($0)], before: true) }
    }
    return PageRequest(query: page, readTime: cursor.readTime)
  }

  /// Returns the most documents that the next page of a partition or type may have.
  ///
  /// Near the limit of a pull, pages of several types become smaller, so that one type leaves room
  /// for later times of another.
  private func pageLimit(of partition: Int) -> Int {
    guard let maxDocuments else { return pageSize }
    let left = maxDocuments - cursor.documentCount
    guard asksByType else { return min(pageSize, left) }
    if cursor.bands.isEmpty { return min(pageSize, cursor.last == nil ? (left + 1) / 2 : left) }
    let band = cursor.bands[partition]
    guard band.last != nil || band.kind == .others else { return min(1, left) }
    let open = max(1, cursor.bands.count { !$0.isDone && $0.kind != .others })
    return min(pageSize, (left + open - 1) / open)
  }

  /// The latest known time that a pull of several types may have left unread; nil after a complete
  /// pull, and for a single type.
  var latestUnread: Timestamp? {
    cursor.bands.filter { !$0.isDone }.compactMap(\.latest).max()
  }

  /// Advances the cursor past a page; a page shorter than requested is the last one.
  ///
  /// A pull without partitions has partition 0. `limit` is the number of requested documents; nil
  /// for the number in `next`.
  ///
  /// - Throws: `PageError` when the page cannot be the requested one.
  package mutating func received(
    _ page: PageSummary, of partition: Int = 0, limit: Int? = nil
  ) throws(PageError) {
    let asked = limit ?? pageLimit(of: partition)
    guard page.documentCount <= asked else {
      throw .tooManyDocuments(received: page.documentCount, asked: asked)
    }
    let isEnd = page.documentCount < asked || cursor.documentCount + asked == maxDocuments
    if let last = page.last { try move(partition, to: last, isEnd: isEnd) }
    if !cursor.bands.isEmpty {
      cursor.bands[partition].isDone = page.documentCount < asked
    } else if cursor.partitions.isEmpty {
      isFinished = isEnd
      if asksByType, !isEnd { splitByType() }
    } else {
      cursor.partitions[partition].isDone = isEnd
    }
    cursor.documentCount += page.documentCount
    cursor.readTime = cursor.readTime ?? page.readTime
    cursor.firstReadTime = cursor.firstReadTime ?? cursor.readTime
    cursor.highest.merge(page.highest)
  }

  /// Reads each type of the order field separately from now on, unless the page was of the last
  /// type.
  ///
  /// It must be called after the first page when more follow.
  private mutating func splitByType() {
    guard cursor.documentCount == 0, let last = cursor.last else { return }
    cursor.bands = TypeBand.split(after: last)
    if cursor.bands.isEmpty { return }
    cursor.last = nil
    loops += Array(repeating: PageLoop(), count: cursor.bands.count - 1)
  }

  private mutating func move(
    _ partition: Int, to last: (value: Value?, name: String), isEnd: Bool
  ) throws(PageError) {
    let hasPartitions = !cursor.partitions.isEmpty
    let before =
      hasPartitions
      ? cursor.partitions[partition].last
      : cursor.bands.isEmpty ? cursor.last?.name : cursor.bands[partition].last?.name
    guard last.name != before, !loops[partition].closes(with: last.name) else {
      throw .pageDidNotAdvance(name: WireError.quoted(last.name))
    }
    if hasPartitions {
      cursor.partitions[partition].last = last.name
    } else if query.orderField == nil || last.value != nil {
      let position = PullCursor.Position(
        value: query.orderField == nil ? nil : last.value, name: last.name)
      if cursor.bands.isEmpty {
        cursor.last = position
      } else {
        cursor.bands[partition].last = position
      }
    } else if !isEnd {
      throw .noCursor(name: WireError.quoted(last.name))
    }
  }
}

/// A detector of repeated pages, at any distance, that stores only one name.
///
/// It is Brent's cycle detection: the stored name is the one of page 1, 2, 4, 8 and so on, so a
/// loop is found before it has run four times its length.
struct PageLoop: Sendable {
  private var landmark: String?
  private var pageCount = 0
  private var nextLandmark = 1

  /// Returns whether the page that ends with this document has come before.
  ///
  /// Each document comes once in a pull, so no two pages end with the same one.
  mutating func closes(with name: String) -> Bool {
    guard name != landmark else { return true }
    pageCount += 1
    if pageCount == nextLandmark {
      landmark = name
      nextLandmark *= 2
    }
    return false
  }
}

/// The rule for which documents of a pull count as unchanged without being read; see
/// `docs/firestore.md#unchanged-documents`.
///
/// A document is skipped only if its row represents all of it, so that reading it would add nothing
/// to the run's counts and notes. A mark names the collection as long as the table holds only
/// documents of this collection, each of them whole.
package struct UnchangedFilter: Sendable {
  let table: SyncTable
  /// The collection that the rows come from.
  let collection: String
  /// The id of the profile's own user, who is never unchanged; nil when unknown.
  let ownUserId: String?
  /// Whether rows alone decide; a filter or a watermark has to see each document's fields.
  let maySkip: Bool
  /// The fields that fill the rows, and the name of the mark that stores them.
  let filling: (name: MarkName, fields: String)

  package init(
    table: SyncTable, collection: String, ownUserId: String?, maySkip: Bool,
    filling: (name: MarkName, fields: String)
  ) {
    self.table = table
    self.collection = collection
    self.ownUserId = ownUserId
    self.maySkip = maySkip
    self.filling = filling
  }

  private var name: MarkName { "rows of \(table.name) tell all of" }

  /// Returns the stored times to compare with; nil when every document has to be read.
  func storedTimes(in store: Store) throws -> StoredTimes? {
    guard maySkip, try store.read({ try $0.mark(named: name) }) == collection else {
      return nil
    }
    return store.storedTimes(of: table)
  }

  /// Returns the stored `updateTime` of a document by its full name; nil if it must be read.
  func time(
    ofDocument name: UnsafeRawBufferPointer, in lookup: StoredTimes.Lookup
  ) throws -> Int64? {
    let id = UnsafeRawBufferPointer(
      rebasing: name[KeyMapping.id(of: name.startIndex..<name.endIndex, in: name)])
    guard ownUserId.map({ !id.elementsEqual($0.utf8) }) ?? true else { return nil }
    return try lookup.updateTime(ofKey: id)
  }

  /// Returns the changes of the mark in a transaction that stores rows.
  ///
  /// There are none while the mark is correct. It is deleted when the rows contradict it. It is set
  /// when the pull is complete, has read or skipped the document of each row of the table, and each
  /// row represents its whole document. `result` is nil for a pull that continues; the reader sees
  /// the new rows.
  func effects(
    canSkipUnchanged: Bool, after result: PullResult?, in reader: some Readable
  ) throws -> [StoreChange] {
    let told = try reader.mark(named: name)
    guard told != collection || !canSkipUnchanged else { return [] }
    if let result, try isWhole(result, in: reader) { return [.mark(collection, named: name)] }
    return told == nil ? [] : [.mark(nil, named: name)]
  }

  private func isWhole(_ result: PullResult, in reader: some Readable) throws -> Bool {
    guard maySkip, result.canSkipUnchanged, !result.leftSnapshot else { return false }
    let rows = try reader.mirrorCounts(of: table).rows
    return rows > 0 && rows == result.counts.storedTotal + result.counts.unchanged
  }

  /// Marks rows that were filled from other fields as outdated, so that they count as changed.
  ///
  /// It also deletes the cursors of loads that used those fields. Rows older than the first stored
  /// fields may have been filled from any field: they are outdated, too, but no cursor is deleted.
  func forgetOtherFields(in writer: Writer) throws {
    let known = try writer.mark(named: filling.name)
    guard known != filling.fields else { return }
    try writer.outdateRows(of: table)
    if known != nil { try writer.clearCursors(of: table) }
    try writer.setMark(filling.fields, named: filling.name)
  }
}
