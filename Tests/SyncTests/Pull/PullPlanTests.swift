import Firestore
import Testing

@testable import Sync

@Suite struct PullPlanTests {
  private let query = StructuredQuery(
    from: [.init(collectionId: "Users")],
    orderBy: [.init(field: FieldPath(segments: ["seen"])), .init(field: .documentName)])
  private let snapshot = Timestamp(microseconds: 42)

  private func plan(pageSize: Int = 50, maxDocuments: Int? = 250) -> PullPlan {
    PullPlan(query: query, pageSize: pageSize, maxDocuments: maxDocuments, cursor: PullCursor())
  }

  private func page(_ count: Int, last: Int) -> PageSummary {
    .init(
      documentCount: count,
      last: (value: .timestamp(Timestamp(microseconds: Int64(last))), name: "u\(last)"),
      readTime: snapshot)
  }

  @Test func `the first page has neither a cursor nor a snapshot`() throws {
    let request = try #require(plan().next)
    #expect(request.query.limit == 50)
    #expect(request.query.startAt == nil)
    #expect(request.query.offset == 0)
    #expect(request.readTime == nil)
  }

  @Test func `the next page starts after the last document, at the first page's snapshot`() throws {
    var plan = plan()
    try plan.received(page(50, last: 7))
    let request = try #require(plan.next)
    #expect(
      request.query.startAt
        == .init(
          values: [.timestamp(Timestamp(microseconds: 7)), .reference("u7")], before: false))
    #expect(request.readTime == snapshot)
    try plan.received(
      .init(documentCount: 50, last: (.null, "u8"), readTime: Timestamp(microseconds: 99)))
    #expect(plan.next?.readTime == snapshot)
  }

  @Test(arguments: [(49, true), (50, false), (0, true)])
  func `a page that is shorter than asked for is the last`(count: Int, ends: Bool) throws {
    var plan = plan()
    try plan.received(
      .init(documentCount: count, last: count > 0 ? (.null, "u1") : nil, readTime: snapshot))
    #expect((plan.next == nil) == ends)
  }

  @Test(arguments: [
    (250, [50, 50, 50, 50, 50]), (120, [50, 50, 20]), (50, [50]), (1, [1]), (0, []),
  ])
  func `no more documents are asked for than allowed`(maxDocuments: Int, limits: [Int]) throws {
    var plan = plan(maxDocuments: maxDocuments)
    var asked: [Int] = []
    while let limit = plan.next?.query.limit {
      asked.append(limit)
      try plan.received(page(limit, last: asked.count))
    }
    #expect(asked == limits)
  }

  @Test func `without a maximum, only a short page ends it`() throws {
    var plan = plan(pageSize: 2, maxDocuments: nil)
    for number in 1...500 {
      #expect(plan.next?.query.limit == 2)
      try plan.received(page(2, last: number))
    }
    try plan.received(page(1, last: 501))
    #expect(plan.next == nil)
    #expect(plan.cursor.documentCount == 1_001)
  }

  @Test func `a page that repeats is refused`() throws {
    var plan = plan()
    try plan.received(page(50, last: 1))
    #expect(throws: PageError.pageDidNotAdvance(name: "u1")) {
      try plan.received(page(50, last: 1))
    }
  }

  @Test func `a page with more documents than asked for is refused`() throws {
    var plan = plan()
    #expect(throws: PageError.tooManyDocuments(received: 51, asked: 50)) {
      try plan.received(page(51, last: 1))
    }
    #expect(plan.cursor == PullCursor())
  }

  @Test
  func `a last document without a usable order value stops a pull only if more is to come`() throws
  {
    var going = plan()
    #expect(throws: PageError.noCursor(name: "u9")) {
      try going.received(.init(documentCount: 50, last: (nil, "u9"), readTime: snapshot))
    }
    var ending = plan()
    try ending.received(.init(documentCount: 49, last: (nil, "u9"), readTime: snapshot))
    #expect(ending.next == nil)
    var full = plan(maxDocuments: 50)
    try full.received(.init(documentCount: 50, last: (nil, "u9"), readTime: snapshot))
    #expect(full.next == nil)
  }

  @Test func `a plan that starts at a cursor goes on as the first one would have`() throws {
    var plan = plan(maxDocuments: 120)
    try plan.received(page(50, last: 1))
    let resumed = PullPlan(query: query, pageSize: 50, maxDocuments: 120, cursor: plan.cursor)
    #expect(resumed.next == plan.next)
  }

  @Test
  func `a page that a budget made smaller is the last only when it is shorter still`() throws {
    var plan = plan()
    try plan.received(page(20, last: 1), limit: 20)
    #expect(plan.next?.query.limit == 50)
    #expect(plan.cursor.documentCount == 20)
    #expect(throws: PageError.tooManyDocuments(received: 21, asked: 20)) {
      try plan.received(page(21, last: 2), limit: 20)
    }
    try plan.received(page(19, last: 3), limit: 20)
    #expect(plan.next == nil)
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
