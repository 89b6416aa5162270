import Testing

@testable import Model

@Suite struct TableColumnTests {
  @Test(
    arguments: [
      ([], []), (["a"], ["a"]), (["a", "b"], ["a", "b"]), (["a", "a"], ["a", "a_1"]),
      (["a", "A", "a"], ["a", "A_1", "a_2"]),
      // A name that a column has already is nobody's second one.
      (["a", "a", "a_1"], ["a", "a_2", "a_1"]), (["a_1", "a", "a"], ["a_1", "a", "a_2"]),
      (["", ""], ["", "_1"]),
    ] as [([String], [String])])
  func `every column gets a name of its own, in any case`(names: [String], expected: [String]) {
    #expect(TableColumn.named(names.map { TableColumn(name: $0) }).map(\.name) == expected)
  }

  @Test func `a renamed column keeps its type`() {
    let columns = [TableColumn(name: "a"), TableColumn(name: "a", declaredType: "TEXT")]
    #expect(TableColumn.named(columns)[1].declaredType == "TEXT")
  }
}
