import Foundation
import Model
import Testing

@testable import Feeds

/// Rows in a JSON array, as `bq query --format=json` prints them: docs/events.md#import-and-export.
@Suite struct ArrayTests {
  private func row(_ name: String) -> String {
    #"{"event_name":"\#(name)","event_timestamp":"1764230400000000","user_pseudo_id":"u","event_params":[]}"#
  }

  @Test(arguments: [
    ("[A,B]", ["A", "B"]), ("[A]", ["A"]), ("[]", []), ("[\n  A,\n  B\n]\n", ["A", "B"]),
    (" \n\t[ A , B ] \n", ["A", "B"]), ("[A,\r\nB\r\n]\r\n", ["A", "B"]),
    ("\u{FEFF}[A]", ["A"]), ("[A]\nB\n", ["A", "B"]),
    ("[A,7,null,B]", ["A", "B", "line 2", "line 3"]),
    ("[A,]", ["A"]), ("[A}]B", ["A", "line 2"]),
  ])
  func `each element is a record, also over several lines`(text: String, names: [String]) throws {
    let text = text.replacing("A", with: row("A")).replacing("B", with: row("B"))
    let content = try ExportFile.content(text)
    #expect(Array(content.names.prefix(names.count)) == names, "\(content.rejections)")
    #expect(try ExportFile(text, gzip: true).content() == content)
  }

  @Test func `brackets, commas and quotes in a text end nothing; a line end in one is none`() throws
  {
    let odd = #"{"event_name":"a]},[{\"\\","event_timestamp":1,"x":[[1],{"y":"]"}]}"#
    #expect(
      try ExportFile.content("[\(odd),\(row("B"))]").events.map(\.name) == [#"a]},[{"\"#, "B"])
    let broken = "{\"event_name\":\"a\nb\",\"event_timestamp\":1}"
    #expect(try ExportFile.content("[\(broken),\(row("B"))]").names == ["B", "line 1"])
  }

  @Test func `a line that is an array, and none of objects, is no record`() throws {
    #expect(try ExportFile.content("[1]\n\(row("A"))\n").names == ["A", "line 1"])
  }

  @Test func `an array that has no end breaks off; what came before is kept`() throws {
    for text in ["[\(row("A")),\(row("B"))", "[\(row("A")),", "[\(row("A")),{\"event_name\":\"b"] {
      let file = try ExportFile(text)
      let export = try file.export()
      var page = GA4Export.Page()
      let error = #expect(throws: FeedError.self) { try export.read(into: &page) }
      #expect("\(String(describing: error))".contains("its JSON array has no end"))
      #expect(page.events.count >= 1 || text.hasSuffix("}"))
    }
  }

  @Test func `an element longer than a line may be is skipped, in constant memory`() throws {
    let long = #"{"event_name":"\#(String(repeating: "x", count: 3 << 20))"}"#
    let content = try ExportFile.content("[\(row("A")),\(long),\(row("B"))]")
    #expect(content.names == ["A", "B", "line 2"])
    #expect(content.rejections.first?.reason.hasPrefix("longer than") == true)
    #expect(try ExportFile.content("[\(long)]").names == ["line 1"])
  }

  @Test(arguments: [0, 1, 7, 262_100, 262_144, 524_288])
  func `elements across the reader's chunks are whole`(padding: Int) throws {
    let rows = (0..<3_000).map { row("e\($0)") }.joined(separator: ",\n")
    let content = try ExportFile.content("[" + String(repeating: " ", count: padding) + rows + "]")
    #expect(content.events.count == 3_000 && content.rejections.isEmpty)
  }

  @Test(arguments: [
    ("1764230400000", "; it looks like milliseconds"), ("1764230400", "; it looks like seconds"),
    ("1764230400000000000", "; it looks like nanoseconds"),
  ])
  func `a time in another unit is left out, and told`(time: String, hint: String) throws {
    let content = try ExportFile.content(#"{"event_name":"e","event_timestamp":"\#(time)"}"#)
    #expect(content.events.isEmpty)
    #expect(content.rejections.first?.reason.hasSuffix(hint) == true, "\(content.rejections)")
  }
}
