import Fixtures
import Foundation
import Model
import Testing

@testable import Feeds

@Suite("GA4Export")
struct GA4ExportTests {
  private func record(_ name: String) -> String {
    #"{"event_name":"\#(name)","event_timestamp":1}"#
  }

  @Test func `bad lines are rejected with their number and text, the others read`() throws {
    let content = try ExportFile.content("\(record("a"))\nnonsense\n\n\(record("b"))\n{\n")
    #expect(content.names == ["a", "b", "line 2", "line 5"])
    #expect(content.rejections.first?.text == "nonsense")
    #expect(content.rejections.first?.reason == "the line is not a JSON object")
  }

  @Test(arguments: ["\n", "\r\n"], [true, false])
  func `line ends may be of either kind, the last one missing`(
    end: String, isLastMissing: Bool
  ) throws {
    let text = [record("a"), "", "  \t", record("b")].joined(separator: end)
    #expect(try ExportFile.content(text + (isLastMissing ? "" : end)).names == ["a", "b"])
  }

  @Test(arguments: ["", "\n", "\n\n\r\n", "  "]) func `a file may hold nothing`(text: String) throws
  {
    #expect(try ExportFile.content(text) == ExportContent())
  }

  @Test func `gzip and plain give the same lines`() throws {
    let text = (0..<5_000).map { $0 % 7 == 0 ? "bad \($0)" : record("e\($0)") }
      .joined(separator: "\n")
    let plain = try ExportFile(text).content()
    #expect(plain.names.count == 5_000)
    #expect(try ExportFile(text, gzip: true).content() == plain)
  }

  @Test func `a gzip file of two parts is read to its end`() throws {
    let first = try ExportFile(record("a") + "\n", gzip: true)
    let second = try ExportFile(record("b") + "\n", gzip: true)
    let both = try first.bytes() + second.bytes()
    #expect(try ExportFile(both).content().names == ["a", "b"])
  }

  @Test func `a truncated gzip file is an error that names it, wherever it was cut`() throws {
    let text = (0..<300).map { record("e\($0)") }.joined(separator: "\n")
    let whole = try ExportFile(text, gzip: true).bytes()
    for count in stride(from: 20, to: whole.count, by: 37) {
      let file = try ExportFile(Array(whole.prefix(count)))
      let error = #expect(throws: FeedError.self) { try file.content() }
      #expect(error == .truncated(path: file.path), "cut after \(count) bytes")
      #expect(error?.description.contains(file.path) == true)
    }
  }

  @Test func `a damaged gzip file is an error`() throws {
    let text = (0..<300).map { record("e\($0)") }.joined(separator: "\n")
    let whole = try ExportFile(text, gzip: true).bytes()
    var damaged = whole
    damaged[damaged.count - 5] ^= 0xFF
    let file = try ExportFile(damaged)
    #expect(throws: FeedError.self) { try file.content() }
  }

  @Test func `a file that is not there is an error that names it`() {
    let error = #expect(throws: FeedError.self) { try GA4Export(path: "/nonexistent/e.ndjson") }
    #expect(
      error == .cannotOpen(path: "/nonexistent/e.ndjson", reason: "no such file or directory"))
  }

  @Test func `a folder is an error`() throws {
    let error = #expect(throws: FeedError.self) {
      var page = GA4Export.Page()
      try GA4Export(path: "/").read(into: &page)
    }
    #expect(error == .cannotRead(path: "/", reason: "it is a folder"))
  }

  @Test(arguments: [(-1, true), (0, true), (1, false)], ["\n", "\r\n", ""])
  func `a line may have a mebibyte and no more`(
    offset: (Int, Bool), end: String
  ) throws {
    let frame = #"{"event_name":"e","event_timestamp":1,"x":""}"#
    let padding = String(
      repeating: "x", count: GA4Export.longestLine + offset.0 - frame.utf8.count)
    let line = frame.replacingOccurrences(of: "\"\"}", with: "\"\(padding)\"}")
    let before = record("before") + "\n"
    let after = end.isEmpty ? [] : ["after"]
    let content = try ExportFile.content(before + line + end + after.map(record).joined())
    #expect(content.names == ["before"] + (offset.1 ? ["e"] + after : after + ["line 2"]))
    if !offset.1 { #expect(content.rejections.first?.text.utf8.count == 200) }
  }

  @Test func `a line of five mebibytes is one rejection and the next is read`() throws {
    let text = String(repeating: "x", count: 5 << 20) + "\n" + record("after") + "\n"
    for gzip in [false, true] {
      #expect(try ExportFile(text, gzip: gzip).content().names == ["after", "line 1"])
    }
  }

  @Test func `a file of NUL bytes is rejected line by line`() throws {
    let bytes = [UInt8](repeating: 0, count: 3_000) + [0x0A] + Array(record("a").utf8)
    #expect(try ExportFile(bytes).content().names == ["a", "line 1"])
  }

  @Test(arguments: FuzzCases.seeds(2, orMany: 5))
  func `random bytes never crash and never become events`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let content = try ExportFile(Array("x".utf8) + bytes).content()
    #expect(!content.rejections.isEmpty, "seed \(seed)")
    #expect(content.events.isEmpty, "seed \(seed)")
  }

  @Test func `a byte order mark in front of the file is no part of its first line`() throws {
    let mark = "\u{FEFF}"
    #expect(try ExportFile.content("\(mark)\(record("a"))\n\(record("b"))").names == ["a", "b"])
    #expect(try ExportFile.content("\(mark)\n\(mark)\(record("b"))").names == ["line 2"])
    #expect(try ExportFile.content(mark).names.isEmpty)
  }

  @Test func `a page is bounded in events and in rejections, and a long file has many`() throws {
    let events = [String](repeating: record("a"), count: 2 * GA4Export.mostEvents + 1)
    let bad = [String](repeating: "x", count: 2 * GA4Export.mostRejections + 1)
    for (lines, most) in [(events, GA4Export.mostEvents), (bad, GA4Export.mostRejections)] {
      let file = try ExportFile(lines.joined(separator: "\n"))
      let export = try file.export()
      var page = GA4Export.Page()
      var counts: [Int] = []
      repeat {
        try export.read(into: &page)
        counts.append(page.lineCount)
      } while page.lineCount > 0
      #expect(counts == [most, most, 1, 0])
    }
  }
}
