import Testing

@testable import Jobs
@testable import Sync

@Suite struct NextFreeIdTests {
  /// Where the search after second 0 ends, and how many reads it took.
  private func search(_ isTaken: (Int64) -> Bool) -> (found: Int64?, questions: Int) {
    var search = NextFreeId(after: 0)
    var questions = 0
    while true {
      switch search.step {
      case .ask(let second):
        questions += 1
        search.answer(second, isTaken: isTaken(second))
      case .found(let second): return (second, questions)
      case .nothing: return (nil, questions)
      }
    }
  }

  @Test(arguments: Array(0...70) + [127, 128, 129, 999, 1_000, 1_023, 1_024, 44_850, 1_000_000])
  func `where seconds are taken without a gap, the very next free one is found`(taken: Int64) {
    let (found, questions) = search { $0 <= taken }
    #expect(found == taken + 1)
    let bits = Int64.bitWidth - (taken + 1).leadingZeroBitCount
    #expect(questions <= 2 * bits)
  }

  @Test func `with gaps, what is found is free and stands after one that is taken`() {
    let (found, _) = search { $0 % 7 != 3 && $0 <= 500 }
    #expect(found.map { $0 % 7 == 3 || $0 == 501 } == true)
  }

  @Test func `a server that calls every second taken is not asked for ever`() {
    let (found, questions) = search { _ in true }
    #expect(found == nil)
    #expect(questions == 26)
  }
}
