import Feeds
import Foundation
import Model
import Testing

@Suite("GA4Export")
struct GA4ExportTests {
  private func record(_ name: String) -> String {
    #"{"event_name":"\#(name)","event_timestamp":1}"#
  }

  private func names(_ lines: [GA4Export.Line]) -> [String] {
    lines.map { $0.event?.name ?? "line \($0.rejection?.line ?? 0)" }
  }

  @Test func `bad lines are rejected with their number and text, the others read`() throws {
    let lines = try ExportFile.lines("\(record("a"))\nnonsense\n\n\(record("b"))\n{\n")
    #expect(names(lines) == ["a", "line 2", "b", "line 5"])
    #expect(lines[1].rejection?.text == "nonsense")
    #expect(lines[1].rejection?.reason == "the line is not a JSON object")
  }

  @Test(arguments: ["\n", "\r\n"], [true, false])
  func `line ends may be of either kind, the last one missing`(
    end: String, isLastMissing: Bool
  ) throws {
    let text = [record("a"), "", "  \t", record("b")].joined(separator: end)
    #expect(names(try ExportFile.lines(text + (isLastMissing ? "" : end))) == ["a", "b"])
  }

  @Test(arguments: ["", "\n", "\n\n\r\n", "  "]) func `a file may hold nothing`(text: String) throws
  {
    #expect(try ExportFile.lines(text).isEmpty)
  }

  @Test func `gzip and plain give the same lines`() throws {
    let text = (0..<5_000).map { $0 % 7 == 0 ? "bad \($0)" : record("e\($0)") }
      .joined(separator: "\n")
    let plain = try ExportFile(text).lines()
    #expect(plain.count == 5_000)
    #expect(try ExportFile(text, gzip: true).lines() == plain)
  }

  @Test func `a gzip file of two parts is read to its end`() throws {
    let first = try ExportFile(record("a") + "\n", gzip: true)
    let second = try ExportFile(record("b") + "\n", gzip: true)
    let both = try first.content() + second.content()
    #expect(names(try ExportFile(both).lines()) == ["a", "b"])
  }

  @Test func `a truncated gzip file is an error that names it, wherever it was cut`() throws {
    let text = (0..<300).map { record("e\($0)") }.joined(separator: "\n")
    let whole = try ExportFile(text, gzip: true).content()
    for count in stride(from: 20, to: whole.count, by: 37) {
      let file = try ExportFile(Array(whole.prefix(count)))
      let error = #expect(throws: FeedError.self) { try file.lines() }
      #expect(error == .truncated(path: file.path), "cut after \(count) bytes")
      #expect(error?.description.contains(file.path) == true)
    }
  }

  @Test func `a damaged gzip file is an error`() throws {
    let text = (0..<300).map { record("e\($0)") }.joined(separator: "\n")
    let whole = try ExportFile(text, gzip: true).content()
    var damaged = whole
    damaged[damaged.count - 5] ^= 0xFF
    let file = try ExportFile(damaged)
    #expect(throws: FeedError.self) { try file.lines() }
  }

  @Test func `a file that is not there is an error that names it`() {
    let error = #expect(throws: FeedError.self) { try GA4Export(path: "/nonexistent/e.ndjson") }
    #expect(
      error == .cannotOpen(path: "/nonexistent/e.ndjson", reason: "No such file or directory"))
  }

  @Test func `a folder is an error`() throws {
    let error = #expect(throws: FeedError.self) { try GA4Export(path: "/").next() }
    #expect(error == .cannotRead(path: "/", reason: "Is a directory"))
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
    let lines = try ExportFile.lines(before + line + end + (end.isEmpty ? "" : record("after")))
    let middle = offset.1 ? "e" : "line 2"
    #expect(names(lines) == ["before", middle] + (end.isEmpty ? [] : ["after"]))
    if !offset.1 { #expect(lines[1].rejection?.text.utf8.count == 200) }
  }

  @Test func `a line of five mebibytes is one rejection and the next is read`() throws {
    let text = String(repeating: "x", count: 5 << 20) + "\n" + record("after") + "\n"
    for gzip in [false, true] {
      #expect(names(try ExportFile(text, gzip: gzip).lines()) == ["line 1", "after"])
    }
  }

  @Test func `a file of NUL bytes is rejected line by line`() throws {
    let bytes = [UInt8](repeating: 0, count: 3_000) + [0x0A] + Array(record("a").utf8)
    #expect(names(try ExportFile(bytes).lines()) == ["line 1", "a"])
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5])
  func `random bytes never crash and never become events`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let bytes = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let lines = try ExportFile(Array("x".utf8) + bytes).lines()
    #expect(!lines.isEmpty, "seed \(seed)")
    #expect(lines.allSatisfy { $0.event == nil }, "seed \(seed)")
  }
}
