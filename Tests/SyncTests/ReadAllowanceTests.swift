import Testing

@testable import Sync

@Suite struct ReadAllowanceTests {
  @Test("what is taken is never more than is left")
  func taking() {
    let allowance = ReadAllowance(10)
    #expect(allowance.take(upTo: 6) == 6)
    #expect(allowance.take(upTo: 6) == 4)
    #expect(allowance.take(upTo: 1) == 0)
    #expect(allowance.spent == 10)
  }

  @Test("what is given back can be taken again")
  func givingBack() {
    let allowance = ReadAllowance(10)
    #expect(allowance.take(upTo: 10) == 10)
    allowance.giveBack(3)
    #expect(allowance.spent == 7)
    #expect(allowance.take(upTo: 5) == 3)
  }

  @Test("without a limit everything is granted, and counted all the same")
  func unlimited() {
    let allowance = ReadAllowance()
    #expect(allowance.take(upTo: 1_000_000) == 1_000_000)
    #expect(allowance.spent == 1_000_000)
    #expect(allowance.take(upTo: 1) == 1)
  }

  @Test("many at a time never take more than there is")
  func concurrency() async {
    let allowance = ReadAllowance(1_000)
    let granted = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<100 { group.addTask { allowance.take(upTo: 37) } }
      return await group.reduce(0, +)
    }
    #expect(granted == 1_000)
  }
}
