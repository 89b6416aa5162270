import Fixtures
import Foundation
import Glibc
import Model
import Testing

@testable import Feeds

/// Tables as CSV and NDJSON, byte for byte.
@Suite struct TextTableTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes rows into a file of its own and returns what it holds.
  private func written(
    _ names: [String], _ rows: [[SampleCell]],
    _ make: ([TableColumn], OutputBytes) throws -> any TableWriter
  ) throws -> String {
    try folder.write("", to: "table")
    let descriptor = open(folder.path(of: "table"), O_WRONLY | O_TRUNC)
    defer { close(descriptor) }
    let output = try OutputBytes(descriptor: descriptor, path: "table", isGzip: false)
    var writer = try make(names.map { TableColumn(name: $0) }, output)
    for row in rows { try SampleCell.with(row) { try writer.write($0) } }
    try writer.finish()
    return try folder.text(of: "table")
  }

  private func csv(_ names: [String], _ rows: [SampleCell]...) throws -> String {
    try written(names, rows) { try CSVTable($0, to: $1) }
  }

  private func ndjson(_ names: [String], _ rows: [SampleCell]...) throws -> String {
    try written(names, rows) { NDJSONTable($0, to: $1) }
  }

  @Test(
    arguments: [
      (.null, ""), (.integer(0), "0"), (.integer(9), "9"), (.integer(10), "10"),
      (.integer(-1), "-1"), (.integer(.max), "9223372036854775807"),
      (.integer(.min), "-9223372036854775808"), (.real(1), "1.0"), (.real(-0.1), "-0.1"),
      (.real(1e308), "1e+308"), (.real(.leastNonzeroMagnitude), "5e-324"),
      (.real(.infinity), "Infinity"),
      (.real(-.infinity), "-Infinity"), (.text(""), "\"\""), (.text("a"), "a"),
      (.text("a,b"), "\"a,b\""), (.text("a\"b"), "\"a\"\"b\""), (.text("\""), "\"\"\"\""),
      (.text("a\nb"), "\"a\nb\""), (.text("a\rb"), "\"a\rb\""), (.text("a\0b"), "\"a\0b\""),
      (.text(" a"), "\" a\""), (.text("a "), "\"a \""), (.text("e\u{301}ü😀"), "e\u{301}ü😀"),
      (.text("=1+1"), "=1+1"), (.bytes([0xFF, 0x41]), "\u{FFFD}A"), (.blob([]), "\"\""),
      (.blob([0, 255]), "AP8="),
    ] as [(SampleCell, String)])
  func `a field of CSV`(cell: SampleCell, expected: String) throws {
    // As bytes: texts that differ in their scalars only are equal to Swift.
    let text = try csv(["n", "x"], [.integer(1), cell])
    #expect(Array(text.utf8) == Array("n,x\r\n1,\(expected)\r\n".utf8))
  }

  @Test func `the first line is quoted as the others are, and no rows leave it alone`() throws {
    #expect(try csv(["a,b", "c\"d", ""]) == "\"a,b\",\"c\"\"d\",\"\"\r\n")
  }

  @Test func `a lone NULL is no empty line, which readers would skip`() throws {
    #expect(try csv(["a"], [.null], [.integer(1)]) == "a\r\n\"\"\r\n1\r\n")
  }

  @Test(
    arguments: [
      (.null, "null"), (.integer(.max), "9223372036854775807"),
      (.integer(.min), "-9223372036854775808"), (.real(2), "2.0"), (.real(1e16), "1e+16"),
      (.real(.infinity), "\"Infinity\""), (.real(-.infinity), "\"-Infinity\""),
      (.text(""), "\"\""), (.text("a\"\\\n\u{1}\0"), #""a\"\\\n\u0001\u0000""#),
      (.text("e\u{301}😀\u{2028}"), "\"e\u{301}😀\u{2028}\""),
      (.bytes([0x22, 0xC3]), "\"\\\"\u{FFFD}\""),
      (.blob([0, 255]), #"{"$base64":true,"encoded":"AP8="}"#),
      (.blob([]), #"{"$base64":true,"encoded":""}"#),
    ] as [(SampleCell, String)])
  func `a value of NDJSON`(cell: SampleCell, expected: String) throws {
    let text = try ndjson(["a\"b", "c"], [.integer(1), cell])
    #expect(Array(text.utf8) == Array("{\"a\\\"b\":1,\"c\":\(expected)}\n".utf8))
  }

  @Test func `no rows are no lines`() throws {
    #expect(try ndjson(["a"]) == "")
  }

  @Test func `more rows than fit a buffer arrive whole and in order`() throws {
    let rows = (0..<20_000).map { [SampleCell.integer(Int64($0)), .text("some text \($0)")] }
    let text = try written(["n", "t"], rows) { try CSVTable($0, to: $1) }
    let lines = text.split(separator: "\r\n")
    #expect(lines.count == 20_001)
    #expect(lines.enumerated().dropFirst().allSatisfy { $1 == "\($0 - 1),some text \($0 - 1)" })
  }

  @Test(arguments: [1, 2, 3])
  func `a value of several pieces arrives whole, wherever it is cut`(shift: Int) throws {
    let text = String(repeating: "x", count: shift) + String(repeating: "ü\"\n", count: 50_000)
    let json = text.replacing("\"", with: #"\""#).replacing("\n", with: #"\n"#)
    #expect(try ndjson(["t"], [.text(text)]) == "{\"t\":\"\(json)\"}\n")
    let quoted = text.replacing("\"", with: "\"\"")
    #expect(try csv(["t"], [.text(text)]) == "t\r\n\"\(quoted)\"\r\n")
    let bytes = Array(text.utf8)
    let base64 = Data(bytes).base64EncodedString()
    #expect(try csv(["t"], [.blob(bytes)]) == "t\r\n\(base64)\r\n")
  }

  @Test func `a large value is handed on while it is written`() throws {
    let output = OutputBytes()
    var lines = LineBuffer(output)
    try Array(repeating: UInt8(0), count: 1_000_000).withUnsafeBytes {
      try lines.append(base64: $0)
      try lines.append(value: $0)
    }
    #expect(lines.bytes.count <= 2 * LineBuffer.pieceBytes)
    try lines.finish()
    #expect(output.collected.count == 1_333_336 + 1_000_000)
  }

  @Test func `a full disk is an error that names the file`() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    defer { close(descriptor) }
    let output = try OutputBytes(descriptor: descriptor, path: "/x", isGzip: false)
    var writer = try CSVTable([TableColumn(name: "a")], to: output)
    let error = #expect(throws: FeedError.self) { try writer.finish() }
    #expect(error == .cannotWrite(path: "/x", reason: "no space left on device"))
    #expect(output.failureCode == ENOSPC)
  }
}

/// A cell whose bytes a test owns.
enum SampleCell: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// A text of any bytes.
  case bytes([UInt8])
  case blob([UInt8])

  /// Hands over a row of cells that is valid inside the call only.
  static func with(_ row: [SampleCell], _ body: ([TableCell]) throws -> Void) rethrows {
    let contents = row.map { cell in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: cell.content.count, alignment: 1)
      copy.copyBytes(from: cell.content)
      return copy
    }
    defer { for content in contents { content.deallocate() } }
    try body(
      zip(row, contents).map { cell, content in
        switch cell {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text, .bytes: .text(UnsafeRawBufferPointer(content))
        case .blob: .blob(UnsafeRawBufferPointer(content))
        }
      })
  }

  private var content: [UInt8] {
    switch self {
    case .null, .integer, .real: []
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes), .blob(let bytes): bytes
    }
  }
}
