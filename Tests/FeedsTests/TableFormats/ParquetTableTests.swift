import Fixtures
import Foundation
import Glibc
import Model
import Testing

@testable import Feeds

/// The layout of Parquet files; `ExportReadersTests` has pyarrow and DuckDB read them.
@Suite struct ParquetTableTests {
  @Test(
    arguments: [
      ([], nil, .text), ([], "INTEGER", .integer), ([], "REAL", .real), ([], "BLOB", .blob),
      ([], "TEXT", .text), ([.null], "INTEGER", .integer),
      ([.integer(1), .null], "TEXT", .integer), ([.real(1)], nil, .real),
      ([.text("")], "INTEGER", .text), ([.blob([])], nil, .blob),
      ([.integer(1 << 53), .real(0.5)], nil, .real),
      // The first integer that no double holds.
      ([.integer(1 << 53 + 1), .real(0.5)], nil, .text),
      ([.integer(1 << 53 + 1)], nil, .integer), ([.integer(1), .text("a")], nil, .text),
      ([.real(1), .text("a")], nil, .text), ([.blob([1]), .text("a")], nil, .blob),
      ([.blob([1]), .integer(1)], nil, .blob),
    ] as [([SampleCell], String?, ParquetType)])
  func `a column has the type that holds all of its values`(
    cells: [SampleCell], declared: String?, expected: ParquetType
  ) {
    var survey = ParquetSurvey([TableColumn(name: "a", declaredType: declared)])
    for cell in cells { SampleCell.with([cell]) { survey.add($0) } }
    #expect(survey.types == [expected])
  }

  @Test(
    arguments: [
      ([.integer(1), .null], .instant), ([.null], .instant), ([.integer(1), .text("")], .text),
      ([.real(1)], .real),
    ] as [([SampleCell], ParquetType)])
  func `a column of instants has them while it holds nothing but integers`(
    cells: [SampleCell], expected: ParquetType
  ) {
    var survey = ParquetSurvey([
      TableColumn(name: "at", declaredType: "INTEGER", isInstant: true)
    ])
    for cell in cells { SampleCell.with([cell]) { survey.add($0) } }
    #expect(survey.types == [expected])
  }

  @Test(
    arguments: [
      ([1, 1, 1], [6, 1]), ([0, 0], [4, 0]), ([1, 0, 1], [3, 0b101]),
      ([1, 0, 0, 0, 0, 0, 0, 0, 1], [5, 0b1, 0b1]),
    ] as [([Int], [UInt8])])
  func `which rows are NULL stands before the values`(rows: [Int], levels: [UInt8]) {
    var chunk = ParquetChunk(.integer)
    for row in rows {
      let isTaken = chunk.append(row == 1 ? .integer(7) : .null)
      #expect(isTaken)
    }
    let values = rows.filter { $0 == 1 }.flatMap { _ in [7, 0, 0, 0, 0, 0, 0, 0] as [UInt8] }
    #expect(chunk.page == [UInt8(levels.count), 0, 0, 0] + levels + values)
  }

  @Test(
    arguments: [
      (.integer, .real(1)), (.integer, .text("1")), (.real, .text("1")), (.text, .blob([1])),
    ] as [(ParquetType, SampleCell)])
  func `a value that came late and does not fit is refused`(type: ParquetType, cell: SampleCell) {
    var chunk = ParquetChunk(type)
    SampleCell.with([cell]) {
      let isTaken = chunk.append($0[0])
      #expect(!isTaken)
    }
  }

  @Test func `a row group ends when it has its rows, and the last one has the rest`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "x")
    let descriptor = open(folder.path(of: "x"), O_WRONLY)
    defer { close(descriptor) }
    let output = try OutputBytes(descriptor: descriptor, path: "x", isGzip: false)
    var table = try ParquetTable(
      [TableColumn(name: "a")], types: [.integer], to: output, isGzip: false, program: "test")
    for row in 0...ParquetTable.groupRows { try table.write([.integer(Int64(row))]) }
    try table.finish()
    let bytes = try Data(contentsOf: folder.url.appending(path: "x"))
    #expect(bytes.starts(with: "PAR1".utf8))
    #expect(bytes.suffix(4).elementsEqual("PAR1".utf8))
    // Both groups, each with its page: levels of 4 + 4 or 4 + 2 bytes and 8 bytes a value.
    #expect(bytes.count > 8 * ParquetTable.groupRows + 8)
    #expect(bytes.count < 8 * ParquetTable.groupRows + 400)
  }

  @Test func `Thrift's numbers, lists and structs`() {
    var inner = CompactThrift()
    inner.int32(1, -1)
    var outer = CompactThrift()
    outer.int32(1, 1)
    outer.int64(4, 300)
    outer.text(5, "ab")
    outer.structure(6, inner)
    outer.int32s(8, Array(repeating: 0, count: 15))
    outer.texts(9, ["x"])
    #expect(
      outer.bytes == [
        0x15, 2, 0x36, 0xD8, 4, 0x18, 2, 0x61, 0x62, 0x1C, 0x15, 1, 0, 0x29, 0xF5, 15,
      ] + Array(repeating: 0, count: 15) + [0x19, 0x18, 1, 0x78, 0])
  }
}
