import Testing

@testable import Reports

@Suite struct EmptyFactsTests {
  @Test("a workspace in which nothing happened gets all files, well-formed")
  func files() throws {
    let files = try ReportSet.files(of: EmptyFacts.reports)
    #expect(files.count == 24)
    for file in files where file.name.hasSuffix(".html") {
      #expect(HTMLNode(parsing: file.bytes) != nil, "\(file.name)")
    }
  }

  @Test("no page draws a chart or a table of nothing; each says so in words")
  func saysSo() throws {
    for report in EmptyFacts.reports where report.name != .index {
      let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
      #expect(root.all("svg").isEmpty, "\(report.name)")
      #expect(root.all("tr").allSatisfy { !$0.children.isEmpty })
      #expect(root.all.contains { $0.attributes["class"] == "empty" }, "\(report.name)")
    }
  }

  @Test("nothing is never a percentage: no 0%, no NaN, no division by nothing")
  func noPercentOfNothing() throws {
    for file in try ReportSet.files(of: EmptyFacts.reports, formats: [.text, .json, .csv]) {
      let text = String(decoding: file.bytes, as: UTF8.self)
      #expect(!text.contains("%") && !text.lowercased().contains("nan"), "\(file.name)")
    }
  }

  @Test("the index says that settings and users were never read")
  func findings() {
    let sentences = EmptyFacts.reports.flatMap(\.findings).map(\.sentence)
    #expect(sentences.contains { $0.contains("No settings of the app have been read") })
    #expect(sentences.contains { $0.contains("users have never been fetched") })
  }
}
