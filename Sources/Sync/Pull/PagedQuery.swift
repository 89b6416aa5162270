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
  /// The highest timestamp of the order field; nil when no document has one.
  package var highest: Timestamp?
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
  package private(set) var cursor: PullCursor
  /// One a partition; one for a pull without partitions.
  private var loops: [PageLoop]
  private var isFinished = false

  /// Starts at the cursor, or at the beginning with `PullCursor()`.
  package init(query: StructuredQuery, pageSize: Int, maxDocuments: Int?, cursor: PullCursor) {
    self.query = query
    self.pageSize = pageSize
    self.maxDocuments = maxDocuments
    self.cursor = cursor
    loops = Array(repeating: PageLoop(), count: max(1, cursor.partitions.count))
  }

  init(_ request: PullRequest, cursor: PullCursor) {
    self.init(
      query: request.query, pageSize: request.options.pageSize,
      maxDocuments: request.options.maxDocuments, cursor: cursor)
  }

  /// Reads the rest in the snapshot that the next page names.
  mutating func leaveSnapshot() { cursor.readTime = nil }

  /// The next page of the first partition that has one; nil when everything is read.
  package var next: PageRequest? { openPartitions.first.flatMap(request) }

  /// The partitions that have a page left; their pages may be asked for side by side.
  ///
  /// One at most until the first page has named the snapshot that all are read at.
  package var openPartitions: [Int] {
    let open = loops.indices.filter { request(of: $0) != nil }
    return cursor.readTime == nil ? Array(open.prefix(1)) : open
  }

  /// The next page of a partition; nil when all of it is read.
  package func request(of partition: Int) -> PageRequest? {
    guard !isFinished, pageLimit > 0 else { return nil }
    var page = query
    page.limit = pageLimit
    if cursor.partitions.isEmpty {
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

  private var pageLimit: Int {
    maxDocuments.map { min(pageSize, $0 - cursor.documentCount) } ?? pageSize
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
    let asked = limit ?? pageLimit
    guard page.documentCount <= asked else {
      throw .tooManyDocuments(received: page.documentCount, asked: asked)
    }
    let isEnd = page.documentCount < asked || cursor.documentCount + asked == maxDocuments
    if let last = page.last { try move(partition, to: last, isEnd: isEnd) }
    if cursor.partitions.isEmpty {
      isFinished = isEnd
    } else {
      cursor.partitions[partition].isDone = isEnd
    }
    cursor.documentCount += page.documentCount
    cursor.readTime = cursor.readTime ?? page.readTime
    cursor.firstReadTime = cursor.firstReadTime ?? cursor.readTime
    cursor.highest = [cursor.highest, page.highest].compactMap(\.self).max()
  }

  private mutating func move(
    _ partition: Int, to last: (value: Value?, name: String), isEnd: Bool
  ) throws(PageError) {
    let hasPartitions = !cursor.partitions.isEmpty
    let before = hasPartitions ? cursor.partitions[partition].last : cursor.last?.name
    guard last.name != before, !loops[partition].closes(with: last.name) else {
      throw .pageDidNotAdvance(name: WireError.quoted(last.name))
    }
    if hasPartitions {
      cursor.partitions[partition].last = last.name
    } else if query.orderField == nil || last.value != nil {
      cursor.last = .init(value: query.orderField == nil ? nil : last.value, name: last.name)
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

/// How far a pull got; committed with the rows that it covers.
package struct PullCursor: Hashable, Sendable {
  package struct Position: Hashable, Sendable {
    /// Nil when the pages are ordered by the name alone.
    package var value: Value?
    package var name: String
  }

  /// A range of names that is read beside others.
  package struct Partition: Hashable, Sendable {
    /// The first name that may be in it; nil in the first partition.
    package var start: String?
    /// The first name after it; nil in the last partition.
    package var end: String?
    /// The last document stored; nil at the beginning.
    package var last: String?
    package var isDone = false

    /// Where the next page starts; nil for the very first page.
    var position: StructuredQuery.Cursor? {
      last.map { .init(values: [.reference($0)], before: false) }
        ?? start.map { .init(values: [.reference($0)], before: true) }
    }
  }

  /// The last document stored; nil at the beginning, and where there are partitions.
  package var last: Position?
  /// Ranges that cover all names, in their order; empty for a pull without partitions.
  package var partitions: [Partition] = []
  /// The snapshot of the first page; nil before it arrived, and for a pull that stopped at its
  /// budget or at the end of its snapshot.
  package var readTime: Timestamp?
  /// The snapshot that the pull began in, before it stopped.
  package var firstReadTime: Timestamp?
  package var documentCount = 0
  /// The highest timestamp of the order field among the documents stored.
  package var highest: Timestamp?

  package init() {}

  /// The beginning of a pull in partitions, which are cut before these names, in their order.
  package init(cutAt points: [String]) {
    guard !points.isEmpty else { return }
    partitions = zip([nil] + points, points + [nil]).map { Partition(start: $0, end: $1) }
  }
}

/// The stored form: JSON, with the values as on the wire.
extension PullCursor {
  package var text: String {
    var members: [String: JSON] = ["documentCount": .integer(documentCount)]
    if let last {
      members["value"] = last.value?.json
      members["name"] = .string(last.name)
    }
    if !partitions.isEmpty { members["parts"] = .array(partitions.map(\.json)) }
    members["readTime"] = readTime.map { .string($0.rfc3339) }
    members["firstReadTime"] = firstReadTime.map { .string($0.rfc3339) }
    members["highest"] = highest.map { .string($0.rfc3339) }
    return String(decoding: JSON.object(members).serialized(), as: UTF8.self)
  }

  /// Nil for a text that another version of the program wrote: the pull then starts over.
  package init?(text: String) {
    do {
      let json = try JSON(parsing: Array(text.utf8))
      let value = try json["value"].map { try Value(json: $0) }
      let name = try json["name"]?.text()
      let partitions = try json["parts"]?.elements().map { try Partition(json: $0) } ?? []
      guard (name == nil) != partitions.isEmpty, let count = try json["documentCount"]?.integer()
      else { return nil }
      self.init()
      last = name.map { Position(value: value, name: $0) }
      self.partitions = partitions
      documentCount = Int(count)
      readTime = try json["readTime"].flatMap { Timestamp(rfc3339: try $0.text()) }
      firstReadTime = try json["firstReadTime"].flatMap { Timestamp(rfc3339: try $0.text()) }
      highest = try json["highest"].flatMap { Timestamp(rfc3339: try $0.text()) }
    } catch {
      return nil
    }
  }
}

extension PullCursor.Partition {
  fileprivate var json: JSON {
    var members: [String: JSON] = ["isDone": .boolean(isDone)]
    members["start"] = start.map { .string($0) }
    members["end"] = end.map { .string($0) }
    members["last"] = last.map { .string($0) }
    return .object(members)
  }

  fileprivate init(json: JSON) throws(WireError) {
    self.init(
      start: try json["start"]?.text(), end: try json["end"]?.text(),
      last: try json["last"]?.text(), isDone: try json["isDone"]?.flag() ?? false)
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
