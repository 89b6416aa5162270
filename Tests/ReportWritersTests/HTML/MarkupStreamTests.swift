import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

@Suite struct MarkupStreamTests {
  private func written(_ body: (MarkupStream) -> Void) throws -> String {
    let out = MarkupStream()
    body(out)
    let text = String(decoding: try #require(out.bytes()), as: UTF8.self)
    try #require(text.last == "\n")
    return String(text.dropLast())
  }

  @Test func `an empty element keeps its end tag, a void one has none`() throws {
    #expect(try written { $0.element("p") } == "<p></p>")
    #expect(try written { $0.element("rect", .plain("width", 4)) } == "<rect width=\"4\"></rect>")
    #expect(
      try written { $0.element("meta", .plain("charset", "utf-8")) }
        == "<meta charset=\"utf-8\"/>")
  }

  @Test func `text and attributes are escaped, and acting characters become visible`() throws {
    #expect(
      try written { $0.element("p", text: "<b> & \"c\"\u{0}") }
        == "<p>&lt;b&gt; &amp; &quot;c&quot;␀</p>")
    let attribute = try written { $0.element("p", .class("\"><x y=\"\u{1B}")) }
    #expect(!attribute.contains("><x") && attribute.contains("&quot;&gt;&lt;x"))
    #expect(!attribute.contains("\u{1B}"))
  }

  @Test func `links lead to reports, their formats and their places`() {
    #expect(Attribute.href(.usage).text(in: .whole, prefix: "") == "usage.html")
    #expect(Attribute.href(.usage, .csv).text(in: .whole, prefix: "") == "usage.csv")
    #expect(Attribute.href(.runs, anchor: "jobs").text(in: .whole, prefix: "") == "runs.html#jobs")
    #expect(Attribute.href(anchor: "content").text(in: .whole, prefix: "") == "#content")
  }

  @Test func `elements nest in the order they are written`() throws {
    let text = try written { out in
      out.element("ul") {
        out.element("li", text: "a")
        out.element("li", text: "b")
      }
    }
    #expect(text == "<ul><li>a</li><li>b</li></ul>")
  }
}
