import Testing

@testable import Model

@Suite struct SQLResultCellsTests {
  private static func text(_ cell: TableCell) -> String {
    switch cell {
    case .null: "NULL"
    case .integer(let number): "i\(number)"
    case .real(let number): "r\(number)"
    case .text(let bytes): "t\(String(decoding: bytes, as: UTF8.self))"
    case .blob(let bytes): "b\(Array(bytes))"
    }
  }

  @Test func `each value becomes a cell with its own bytes`() {
    let result = SQLResult(
      columns: ["a", "A", "b"],
      rows: [
        [.text("ü\0x"), .text(""), .blob([1, 2])], [.blob([]), .null, .text("end")],
        [.integer(.min), .real(0.5), .null],
      ])
    var rows: [[String]] = []
    result.forEachRow { rows.append($0.map(Self.text)) }
    #expect(
      rows == [
        ["tü\0x", "t", "b[1, 2]"], ["b[]", "NULL", "tend"],
        ["i-9223372036854775808", "r0.5", "NULL"],
      ])
    #expect(result.tableColumns.map(\.name) == ["a", "A_1", "b"])
  }
}
