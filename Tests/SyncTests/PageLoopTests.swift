import Testing

@testable import Sync

@Suite struct PageLoopTests {
  @Test("a loop is found before it has run four times its length", arguments: 1...40)
  func found(length: Int) {
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

  @Test("pages that never come again are no loop")
  func none() {
    var loop = PageLoop()
    #expect((0..<10_000).allSatisfy { !loop.closes(with: "\($0)") })
  }
}
