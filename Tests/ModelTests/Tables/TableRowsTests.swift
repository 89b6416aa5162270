import Fixtures
import Testing

@testable import Model

@Suite struct TableRowsTests {
  private let asel = OnlineUser([
    .userId: "u1", .name: "Åsel ☂️", .gender: "Female", .age: "31", .decentTime: 7,
    .lastSeenAtSeconds: 1_769_846_400, .isAd: 1,
  ])

  @Test func `a user's cells read back as they were`() {
    var rows = TableRows.users()
    rows.append(asel, updateTimeMicroseconds: 12)
    #expect(rows.count == 1)
    #expect(rows.text(row: 0, column: .userId) == "u1")
    #expect(rows.text(row: 0, column: .name) == "Åsel ☂️")
    #expect(rows.text(row: 0, column: .country) == "")
    #expect(rows[0, .decentTime] == .integer(7))
    #expect(rows[0, .lastSeenAtSeconds] == .integer(1_769_846_400))
    #expect(rows[0, .isAd] == .integer(1))
    #expect(rows[0, .updateTime] == .integer(12))
  }

  @Test func `cells that point into another buffer are copied`() {
    var rows = TableRows.users()
    let page = Array("xxann".utf8)
    var row = [TableRows.Cell](repeating: .text(0..<0), count: UserColumn.allCases.count)
    row[UserColumn.name.rawValue] = .text(2..<5)
    row[UserColumn.age.rawValue] = .integer(40)
    page.withUnsafeBytes { rows.append(row.span, from: $0) }
    rows.append(asel, updateTimeMicroseconds: 0)
    #expect(rows.count == 2)
    #expect(rows.text(row: 0, column: .name) == "ann")
    #expect(rows.text(row: 0, column: .age) == "40")
    #expect(rows.text(row: 1, column: .age) == "31")
  }

  @Test func `the last row can be taken back, the ones before it stay`() {
    var rows = TableRows.users()
    rows.append(asel, updateTimeMicroseconds: 1)
    rows.append(OnlineUser([.userId: "u2", .name: "Bo"]), updateTimeMicroseconds: 2)
    rows.removeLast()
    #expect(rows.count == 1)
    #expect(rows.text(row: 0, column: .userId) == "u1")
    rows.append(OnlineUser([.userId: "u3", .name: "Cy"]), updateTimeMicroseconds: 3)
    #expect(rows.text(row: 1, column: .name) == "Cy")
  }

  @Test func `after removing all, nothing is left`() {
    var rows = TableRows.users()
    rows.append(asel, updateTimeMicroseconds: 1)
    rows.removeAll()
    #expect(rows.isEmpty)
    #expect(rows.bytes.isEmpty)
  }
}
