package import Firestore
import Model
package import Store

package struct PageRequest: Hashable, Sendable {
  package var query: StructuredQuery
  /// Nil for the first page, whose answer names the snapshot.
  package var readTime: Timestamp?
}

/// What a paged query needs to know of a page.
package struct PageSummary: Sendable {
  package var documentCount: Int
  /// The order field's value and the name of the last document; nil for an empty page.
  ///
  /// The value is nil when it could not be read, and for pages ordered by the name alone.
  package var last: (value: Value?, name: String)?
  package var readTime: Timestamp?
  /// The highest times of the order field, by the type that names them.
  package var highest = TypedTimes()
}

/// Why a page cannot be the one that was asked for.
package enum PageError: Error, Hashable, CustomStringConvertible {
  /// The server repeats itself: following it would never end.
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

/// Reads a query page by page, by keyset: each page starts after the last document of the one
/// before.
///
/// `offset` would be billed for every document that it skips. All pages are read at the snapshot of
/// the first, so a document that moves meanwhile is neither missed nor read twice.
/// See `docs/firestore.md#paging`.
package struct PagedQuery: Sendable {
  private let query: StructuredQuery
  private let pageSize: Int
  /// Documents to read in all; nil for as many as there are.
  private let maxDocuments: Int?
  /// Whether the order field has times of several types; see `TypeBand`.
  private let asksByType: Bool
  package private(set) var cursor: PullCursor
  /// One a partition or type; one for a pull without either.
  private var loops: [PageLoop]
  private var isFinished = false

  /// Starts at the cursor, or at the beginning with `PullCursor()`.
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

  /// Reads the rest in the snapshot that the next page names.
  mutating func leaveSnapshot() { cursor.readTime = nil }

  /// The next page of the first partition that has one; nil when everything is read.
  package var next: PageRequest? { openPartitions.first.flatMap(request) }

  /// The partitions that have a page left; their pages may be asked for side by side.
  ///
  /// One at most until the first page has named the snapshot that all are read at.
  ///
  /// Of types it is the one whose next document may be the latest.
  package var openPartitions: [Int] {
    if !cursor.bands.isEmpty {
      return TypeBand.next(of: cursor.bands).flatMap { request(of: $0) == nil ? nil : [$0] } ?? []
    }
    let open = loops.indices.filter { request(of: $0) != nil }
    return cursor.readTime == nil ? Array(open.prefix(1)) : open
  }

  /// The next page of a partition; nil when all of it is read.
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

  /// Documents that the next page of a partition or type may have.
  ///
  /// Near the most documents of a pull, pages of several types become smaller, so that those of one
  /// leave room for later times of another.
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

  /// The latest time of documents that a pull of several types may have left unread, as far as it
  /// is known; nil for one that read everything, and for one of a single type.
  var latestUnread: Timestamp? {
    cursor.bands.filter { !$0.isDone }.compactMap(\.latest).max()
  }

  /// Moves on past a page; a page shorter than asked for is the last.
  ///
  /// A pull without partitions has partition 0. `limit` are the documents that were asked for; nil
  /// for as many as `next` wanted.
  ///
  /// - Throws: `PageError` when the page cannot be what was asked for.
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

  /// Reads each type of the order field by itself from now on, unless the page was of the last one.
  ///
  /// Call it after the first page, with the rest to come.
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

/// Notices repeated pages, whatever the number of pages between, by keeping one name only.
///
/// It is Brent's search for cycles: the name kept is that of page 1, 2, 4, 8 and so on, so a loop
/// is found before it has run four times its length.
struct PageLoop: Sendable {
  private var landmark: String?
  private var pageCount = 0
  private var nextLandmark = 1

  /// Whether the page that ends with this document has come before.
  ///
  /// In one pull each document comes once, so no two pages end with the same.
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

/// Which documents of a pull count as unchanged without being read; see
/// `docs/firestore.md#unchanged-documents`.
///
/// A document is skipped only when reading it would add nothing to the run's counts and notes: when
/// its row holds all of it. The metadata name the collection while the table holds only this
/// collection's documents, each of them whole.
package struct UnchangedDocuments: Sendable {
  let table: SyncTable
  /// The collection whose documents the rows are.
  let collection: String
  /// The profile's own user, who is never unchanged; nil when unknown.
  let ownUserId: String?
  /// Whether the rows decide alone: a filter or a watermark has to see each document's fields.
  let maySkip: Bool
  /// The fields that fill the rows, and the name under which they are remembered.
  let filling: (name: String, fields: String)

  package init(
    table: SyncTable, collection: String, ownUserId: String?, maySkip: Bool,
    filling: (name: String, fields: String)
  ) {
    self.table = table
    self.collection = collection
    self.ownUserId = ownUserId
    self.maySkip = maySkip
    self.filling = filling
  }

  private var name: String { "rows of \(table.name) tell all of" }

  /// The stored times to compare with; nil when every document has to be read.
  func storedTimes(in store: Store) throws -> StoredTimes? {
    guard maySkip, try store.read({ try $0.metadata(named: name) }) == collection else {
      return nil
    }
    return store.storedTimes(of: table)
  }

  /// The stored `updateTime` of the document with this full name; nil for one that must be read.
  func time(
    ofDocument name: UnsafeRawBufferPointer, in lookup: StoredTimes.Lookup
  ) throws -> Int64? {
    let id = UnsafeRawBufferPointer(
      rebasing: name[KeyMapping.id(of: name.startIndex..<name.endIndex, in: name)])
    guard ownUserId.map({ !id.elementsEqual($0.utf8) }) ?? true else { return nil }
    return try lookup.updateTime(ofKey: id)
  }

  /// What a transaction that stores rows makes of the metadata.
  ///
  /// Nothing while the metadata stay true. They are deleted when the rows contradict them, and set
  /// when the pull is complete, met the document of each row of the table, and each row holds all
  /// of its document. A result of nil is that of a pull that goes on; the reader sees the rows.
  func effects(
    canSkipUnchanged: Bool, after result: PullResult?, in reader: some Readable
  ) throws -> [Effect] {
    let told = try reader.metadata(named: name)
    guard told != collection || !canSkipUnchanged else { return [] }
    if let result, try isWhole(result, in: reader) { return [.metadata(collection, named: name)] }
    return told == nil ? [] : [.metadata(nil, named: name)]
  }

  private func isWhole(_ result: PullResult, in reader: some Readable) throws -> Bool {
    guard maySkip, result.canSkipUnchanged, !result.leftSnapshot else { return false }
    let rows = try reader.mirrorCounts(of: table).rows
    return rows > 0 && rows == result.counts.storedTotal + result.counts.unchanged
  }

  /// Makes the collection's rows that were filled from other fields count as changed.
  ///
  /// Also forgets how far loads got by those fields. Rows older than the first remembered fields
  /// may have been filled from any field: they count as changed, too, and no cursor is forgotten.
  func forgetOtherFields(in writer: Writer) throws {
    let known = try writer.metadata(named: filling.name)
    guard known != filling.fields else { return }
    try writer.outdateRows(of: table)
    if known != nil { try writer.clearCursors(of: table) }
    try writer.setMetadata(filling.fields, named: filling.name)
  }
}
