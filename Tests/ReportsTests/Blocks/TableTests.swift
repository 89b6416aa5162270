import Testing

@testable import Reports

@Suite struct TableTests {
  private let table = Table(
    id: "t", title: "T",
    columns: [
      Table.ColumnHead(id: "name", title: "Name", alignment: .leading),
      Table.ColumnHead(id: "n", title: "N"),
    ],
    rows: [
      Table.Row(cells: [.text("a"), .count(1)]), Table.Row(cells: [.text("b"), .missing]),
      Table.Row(cells: [.text("all"), .count(1)], isTotal: true),
    ])

  @Test func `a column's magnitudes leave totals out, and are nil for missing cells`() {
    #expect(table.values(of: "n") == [1, nil])
    #expect(table.magnitudes(of: "n") == [1, 0])
    #expect(table.values(of: "unknown").isEmpty)
  }

  @Test func `a table says what it leaves out from one row above the limit`() {
    var table = table
    for limit in [3, 4] {
      table.shownLimit = limit
      #expect(table.shownOf == nil)
    }
    table.shownLimit = 2
    #expect(table.shownOf?.shown == 2 && table.shownOf?.total == 3)
    table.totalCount = 90
    #expect(table.shownOf?.total == 90)
  }

  private struct Person {
    var name: String
    var age: Int?
  }

  private static var columns: [Column<Person>] {
    [
      Column("name", "Name", .leading) { .text($0.name) },
      Column("age", "Age") { .optional($0.age) },
    ]
  }

  @Test func `each column gives a head, and a cell of every record`() {
    let people = [Person(name: "a", age: 30), Person(name: "b")]
    let table = Table(id: "t", title: "T", of: people, columns: Self.columns)
    #expect(table.columns.map(\.id) == ["name", "age"])
    #expect(table.columns.map(\.title) == ["Name", "Age"])
    #expect(table.columns.map(\.alignment) == [.leading, .trailing])
    #expect(table.rows.map(\.cells) == [[.text("a"), .count(30)], [.text("b"), .missing]])
    #expect(table.rows.allSatisfy { !$0.isTotal })
  }

  @Test func `a table without records keeps its heads`() {
    let table = Table(id: "t", title: "T", of: [], columns: Self.columns, emptyText: "Nobody.")
    #expect(table.rows.isEmpty && table.columns.count == 2 && table.emptyText == "Nobody.")
  }
}
