import Firestore
import Testing

@testable import Sync

@Suite struct PagedQueryTests {
  private let query = StructuredQuery(
    from: [.init(collectionId: "Users")],
    orderBy: [.init(field: FieldPath(segments: ["seen"])), .init(field: .documentName)])
  private let snapshot = Timestamp(microseconds: 42)

  private func paged(pageSize: Int = 50, maxDocuments: Int? = 250) -> PagedQuery {
    PagedQuery(query: query, pageSize: pageSize, maxDocuments: maxDocuments, cursor: PullCursor())
  }

  private func page(_ count: Int, last: Int) -> PageSummary {
    .init(
      documentCount: count,
      last: (value: .timestamp(Timestamp(microseconds: Int64(last))), name: "u\(last)"),
      readTime: snapshot)
  }

  @Test func `the first page has neither a cursor nor a snapshot`() throws {
    let request = try #require(paged().next)
    #expect(request.query.limit == 50)
    #expect(request.query.startAt == nil)
    #expect(request.query.offset == 0)
    #expect(request.readTime == nil)
  }

  @Test func `the next page starts after the last document, at the first page's snapshot`() throws {
    var paged = paged()
    try paged.received(page(50, last: 7))
    let request = try #require(paged.next)
    #expect(
      request.query.startAt
        == .init(
          values: [.timestamp(Timestamp(microseconds: 7)), .reference("u7")], before: false))
    #expect(request.readTime == snapshot)
    try paged.received(
      .init(documentCount: 50, last: (.null, "u8"), readTime: Timestamp(microseconds: 99)))
    #expect(paged.next?.readTime == snapshot)
  }

  @Test(arguments: [(49, true), (50, false), (0, true)])
  func `a page that is shorter than asked for is the last`(count: Int, ends: Bool) throws {
    var paged = paged()
    try paged.received(
      .init(documentCount: count, last: count > 0 ? (.null, "u1") : nil, readTime: snapshot))
    #expect((paged.next == nil) == ends)
  }

  @Test(arguments: [
    (250, [50, 50, 50, 50, 50]), (120, [50, 50, 20]), (50, [50]), (1, [1]), (0, []),
  ])
  func `no more documents are asked for than allowed`(maxDocuments: Int, limits: [Int]) throws {
    var paged = paged(maxDocuments: maxDocuments)
    var asked: [Int] = []
    while let limit = paged.next?.query.limit {
      asked.append(limit)
      try paged.received(page(limit, last: asked.count))
    }
    #expect(asked == limits)
  }

  @Test func `without a maximum, only a short page ends it`() throws {
    var paged = paged(pageSize: 2, maxDocuments: nil)
    for number in 1...500 {
      #expect(paged.next?.query.limit == 2)
      try paged.received(page(2, last: number))
    }
    try paged.received(page(1, last: 501))
    #expect(paged.next == nil)
    #expect(paged.cursor.documentCount == 1_001)
  }

  @Test func `a page that repeats is refused`() throws {
    var paged = paged()
    try paged.received(page(50, last: 1))
    #expect(throws: PageError.pageDidNotAdvance(name: "u1")) {
      try paged.received(page(50, last: 1))
    }
  }

  @Test func `a page with more documents than asked for is refused`() throws {
    var paged = paged()
    #expect(throws: PageError.tooManyDocuments(received: 51, asked: 50)) {
      try paged.received(page(51, last: 1))
    }
    #expect(paged.cursor == PullCursor())
  }

  @Test
  func `a last document without a usable order value stops a pull only if more is to come`() throws
  {
    var going = paged()
    #expect(throws: PageError.noCursor(name: "u9")) {
      try going.received(.init(documentCount: 50, last: (nil, "u9"), readTime: snapshot))
    }
    var ending = paged()
    try ending.received(.init(documentCount: 49, last: (nil, "u9"), readTime: snapshot))
    #expect(ending.next == nil)
    var full = paged(maxDocuments: 50)
    try full.received(.init(documentCount: 50, last: (nil, "u9"), readTime: snapshot))
    #expect(full.next == nil)
  }

  @Test func `a query that starts at a cursor goes on as the first one would have`() throws {
    var paged = paged(maxDocuments: 120)
    try paged.received(page(50, last: 1))
    let resumed = PagedQuery(query: query, pageSize: 50, maxDocuments: 120, cursor: paged.cursor)
    #expect(resumed.next == paged.next)
  }

  @Test
  func `a page that a budget made smaller is the last only when it is shorter still`() throws {
    var paged = paged()
    try paged.received(page(20, last: 1), limit: 20)
    #expect(paged.next?.query.limit == 50)
    #expect(paged.cursor.documentCount == 20)
    #expect(throws: PageError.tooManyDocuments(received: 21, asked: 20)) {
      try paged.received(page(21, last: 2), limit: 20)
    }
    try paged.received(page(19, last: 3), limit: 20)
    #expect(paged.next == nil)
  }
}

@Suite struct PageLoopTests {
  @Test(arguments: 1...40)
  func `a loop is found before it has run four times its length`(length: Int) {
    for lead in [0, 1, 7, 30] {
      var loop = PageLoop()
      var pageCount = 0
      while !loop.closes(
        with: pageCount < lead ? "lead \(pageCount)" : "\((pageCount - lead) % length)")
      {
        pageCount += 1
        guard pageCount <= 4 * (lead + length) else {
          Issue.record("a loop of \(length) after \(lead) was not found")
          return
        }
      }
      #expect(pageCount >= length)
    }
  }

  @Test func `pages that never come again are no loop`() {
    var loop = PageLoop()
    #expect((0..<10_000).allSatisfy { !loop.closes(with: "\($0)") })
  }
}
