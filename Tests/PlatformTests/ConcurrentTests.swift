import Synchronization
import Testing

@testable import Platform

@Suite struct ConcurrentTests {
  private struct Stop: Error, Equatable {
    var number: Int
  }

  @Test(arguments: [0, 1, 2, 300])
  func `each element is met once`(count: Int) throws {
    let met = Mutex<[Int]>([])
    try Array(0..<count).forEachConcurrently { number in met.withLock { $0.append(number) } }
    #expect(met.withLock(\.self).sorted() == Array(0..<count))
  }

  @Test func `the first error is thrown, and no element is begun after it`() {
    let begun = Atomic(0)
    #expect(throws: Stop(number: 0)) {
      try Array(repeating: 0, count: 1_000).forEachConcurrently { number in
        begun.wrappingAdd(1, ordering: .relaxed)
        throw Stop(number: number)
      }
    }
    // Those that other cores had begun end.
    #expect(begun.load(ordering: .relaxed) < 1_000)
  }
}
