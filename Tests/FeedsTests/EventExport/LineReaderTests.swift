import Foundation
import Testing

@testable import Feeds

@Suite("LineReader")
struct LineReaderTests {
  private func lines(_ text: String, longest: Int) throws -> [String] {
    let file = try ExportFile(text)
    let reader = try withExtendedLifetime(file) {
      try LineReader(path: file.path, longestLine: longest)
    }
    var lines: [String] = []
    while let line = try reader.next(describe) { lines.append(line) }
    return lines
  }

  private func describe(_ line: LineReader.Line) -> String {
    "\(line.number)\(line.isTooLong ? "!" : ":")\(String(decoding: line.bytes, as: UTF8.self))"
  }

  @Test(arguments: [
    ("", []), ("\n", ["1:"]), ("a", ["1:a"]), ("a\n", ["1:a"]), ("a\n\n", ["1:a", "2:"]),
    ("a\nb", ["1:a", "2:b"]), ("a\r\nb\r\n", ["1:a", "2:b"]), ("a\rb\n", ["1:a\rb"]),
    ("\r\n", ["1:"]), ("\r", ["1:"]), ("a\r\r\n", ["1:a\r"]), ("a\u{0}b\n", ["1:a\u{0}b"]),
  ])
  func `a line ends at LF or CRLF or with the file`(text: String, expected: [String]) throws {
    #expect(try lines(text, longest: 10) == expected)
  }

  @Test(arguments: ["\n", "\r\n", ""])
  func `a line longer than the limit is cut and marked`(end: String) throws {
    #expect(try lines("abcd" + end, longest: 5) == ["1:abcd"])
    #expect(try lines("abcde" + end, longest: 5) == ["1:abcde"])
    #expect(try lines("abcdef" + end, longest: 5) == ["1!abcde"])
  }

  @Test(arguments: [262_143, 262_144, 262_145, 524_288, 700_000])
  func `lines across the reader's chunks are whole`(length: Int) throws {
    let long = String(repeating: "x", count: length)
    #expect(try lines("a\n\(long)\nb\n", longest: 1 << 20) == ["1:a", "2:\(long)", "3:b"])
    #expect(try lines("a\n\(long)\nb\n", longest: 5) == ["1:a", "2!xxxxx", "3:b"])
  }
}
