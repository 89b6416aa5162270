package import Firestore

/// Reads a query page by page, by keyset: each page starts after the last document of the one before.
///
/// `offset` would be billed for every document it skips. All pages are read at the snapshot of the
/// first, so that a document which moves meanwhile is neither missed nor seen twice.
/// See `docs/firestore.md#paging`.
package struct PullPlan: Sendable {
  /// One page's request.
  package struct Request: Hashable, Sendable {
    package var query: StructuredQuery
    /// Nil for the first page, whose answer names the snapshot.
    package var readTime: Timestamp?
  }

  /// What matters of a page's answer.
  package struct Answer: Sendable {
    package var documentCount: Int
    /// The order field's value and the name of the last document; nil for an empty page.
    ///
    /// The value is nil when it could not be read, and for pages ordered by the name alone.
    package var last: (value: Value?, name: String)?
    package var readTime: Timestamp?
    /// The highest timestamp of the order field; nil when no document has one.
    package var highest: Timestamp?

    package init(
      documentCount: Int, last: (value: Value?, name: String)?, readTime: Timestamp?,
      highest: Timestamp? = nil
    ) {
      self.documentCount = documentCount
      self.last = last
      self.readTime = readTime
      self.highest = highest
    }
  }

  package enum Failure: Error, Hashable, CustomStringConvertible {
    /// The server repeats itself: following it would never end.
    case pageDidNotAdvance(name: String)
    case tooManyDocuments(received: Int, asked: Int)
    case noCursor(name: String)

    package var description: String {
      switch self {
      case .pageDidNotAdvance(let name):
        "The server sent a page that ends with \(name) again, so the pages would never end: "
          + "nothing was stored of it. Try again later, and report it if it stays."
      case .tooManyDocuments(let received, let asked):
        "The server sent \(received) documents where \(asked) were asked for: "
          + "the page was not stored. Check that base_url names a Firestore server."
      case .noCursor(let name):
        "The pages cannot go on after \(name): the value of the field that they are ordered by "
          + "could not be read there. Correct that document."
      }
    }
  }

  private let query: StructuredQuery
  private let pageSize: Int
  /// Documents to read in all; nil for as many as there are.
  private let maxDocuments: Int?
  package private(set) var cursor: PullCursor
  private var loops: [PageLoop]
  private var isFinished = false

  /// Starts at the cursor, or at the beginning with `PullCursor()`.
  package init(query: StructuredQuery, pageSize: Int, maxDocuments: Int?, cursor: PullCursor) {
    self.query = query
    self.pageSize = pageSize
    self.maxDocuments = maxDocuments
    self.cursor = cursor
    loops = Array(repeating: PageLoop(), count: max(1, cursor.parts.count))
  }

  /// The next page to ask for, of the first part that has one; nil when all is read.
  package var next: Request? { openParts.first.flatMap(request) }

  /// The parts that have a page to ask for, which may be asked for side by side.
  ///
  /// One only until the first page has named the snapshot that all are read at.
  package var openParts: [Int] {
    let open = loops.indices.filter { request(of: $0) != nil }
    return cursor.readTime == nil ? Array(open.prefix(1)) : open
  }

  /// The next page of a part; nil when all of it is read.
  package func request(of part: Int) -> Request? {
    guard !isFinished, pageLimit > 0 else { return nil }
    var page = query
    page.limit = pageLimit
    if cursor.parts.isEmpty {
      page.startAt = cursor.last.map {
        .init(values: [$0.value, .reference($0.name)].compactMap(\.self), before: false)
      }
    } else {
      guard !cursor.parts[part].isDone else { return nil }
      page.startAt = cursor.parts[part].position
      page.endAt = cursor.parts[part].end.map { .init(values: [.reference($0)], before: true) }
    }
    return Request(query: page, readTime: cursor.readTime)
  }

  private var pageLimit: Int {
    maxDocuments.map { min(pageSize, $0 - cursor.documentCount) } ?? pageSize
  }

  /// Moves on past a page; a page shorter than asked for is the last.
  ///
  /// - Parameters:
  ///   - answer: the page.
  ///   - part: whose page it is.
  ///   - limit: the documents that were asked for; nil for as many as `next` wanted.
  /// - Throws: `Failure` when the page cannot be what was asked for.
  package mutating func received(
    _ answer: Answer, of part: Int = 0, limit: Int? = nil
  ) throws(Failure) {
    let asked = limit ?? pageLimit
    guard answer.documentCount <= asked else {
      throw .tooManyDocuments(received: answer.documentCount, asked: asked)
    }
    let isEnd = answer.documentCount < asked || cursor.documentCount + asked == maxDocuments
    if let last = answer.last { try move(part, to: last, isEnd: isEnd) }
    if cursor.parts.isEmpty { isFinished = isEnd } else { cursor.parts[part].isDone = isEnd }
    cursor.documentCount += answer.documentCount
    cursor.readTime = cursor.readTime ?? answer.readTime
    cursor.firstReadTime = cursor.firstReadTime ?? cursor.readTime
    cursor.highest = [cursor.highest, answer.highest].compactMap(\.self).max()
  }

  private mutating func move(
    _ part: Int, to last: (value: Value?, name: String), isEnd: Bool
  ) throws(Failure) {
    let before = cursor.parts.isEmpty ? cursor.last?.name : cursor.parts[part].last
    guard last.name != before, !loops[part].closes(with: last.name) else {
      throw .pageDidNotAdvance(name: last.name)
    }
    guard cursor.parts.isEmpty else {
      cursor.parts[part].last = last.name
      return
    }
    if last.value == nil, query.orderField != nil {
      if isEnd { return }
      throw .noCursor(name: last.name)
    }
    cursor.last = .init(value: query.orderField == nil ? nil : last.value, name: last.name)
  }
}

/// How far a pull got; committed with the rows it covers.
package struct PullCursor: Hashable, Sendable {
  package struct Position: Hashable, Sendable {
    /// Nil when the pages are ordered by the name alone.
    package var value: Value?
    package var name: String
  }

  /// One of the ranges of names that are read side by side.
  package struct Part: Hashable, Sendable {
    /// The first name that may be in it; nil for the first of all.
    package var start: String?
    /// The first name that is not in it any more; nil for none.
    package var end: String?
    /// The last document stored; nil at the beginning.
    package var last: String?
    package var isDone = false

    /// Where the next page starts; nil for the first of all.
    var position: StructuredQuery.Cursor? {
      last.map { .init(values: [.reference($0)], before: false) }
        ?? start.map { .init(values: [.reference($0)], before: true) }
    }
  }

  /// The last document stored; nil at the beginning, and where there are parts.
  package var last: Position?
  /// Together all names, in their order; empty for a pull in one go.
  package var parts: [Part] = []
  /// The snapshot of the first page; nil before it arrived, and for a pull that stopped at its
  /// budget or at the end of its snapshot.
  package var readTime: Timestamp?
  /// The snapshot that the pull began in, before it stopped.
  package var firstReadTime: Timestamp?
  package var documentCount = 0
  /// The highest timestamp of the order field among the documents stored.
  package var highest: Timestamp?

  package init() {}

  /// The beginning of a pull in parts, which are cut before these names, in their order.
  package init(cutAt points: [String]) {
    guard !points.isEmpty else { return }
    parts = zip([nil] + points, points + [nil]).map { Part(start: $0, end: $1) }
  }
}
