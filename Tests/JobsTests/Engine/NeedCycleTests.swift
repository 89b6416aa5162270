import Testing

@testable import Jobs

struct NeedCycleTests {
  @Test func `needs without a cycle have none`() {
    #expect(NeedCycle.all(in: [:]).isEmpty)
    #expect(NeedCycle.all(in: ["a": ["b", "c"], "b": ["c"], "c": ["gone"]]).isEmpty)
  }

  @Test func `a cycle is found once, wherever the search comes in`() {
    let needs = ["a": ["c"], "c": ["d"], "d": ["b"], "b": ["c"]]
    #expect(NeedCycle.all(in: needs) == [["b", "c", "d", "b"]])
  }

  @Test func `two separate cycles are both found`() {
    let needs = ["a": ["b"], "b": ["a"], "x": ["y"], "y": ["x"]]
    #expect(NeedCycle.all(in: needs) == [["a", "b", "a"], ["x", "y", "x"]])
  }

  @Test func `a long chain is searched in no time`() {
    let names = (0..<300).map { "j\($0)" }
    let needs = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1, Array(names[($0 + 1)...])) })
    #expect(NeedCycle.all(in: needs).isEmpty)
  }
}
