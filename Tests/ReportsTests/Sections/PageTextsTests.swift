import Foundation
import Testing

@testable import Reports

@Suite struct PageTextsTests {
  @Test func `every lead of the pages is a sentence, and every term has a meaning`() throws {
    let pages = try #require(
      try JSONSerialization.jsonObject(with: Data(PackageResources.pages_json))
        as? [String: [String: Any]])
    let names = Report.Name.allCases.map(\.rawValue) + ["month"]
    #expect(Set(pages.keys).isSubset(of: names))
    for (page, texts) in pages {
      for (id, texts) in texts["sections"] as? [String: Any] ?? [:] {
        let section = try #require(texts as? [String: Any], "\(page) \(id)")
        #expect((section["lead"] as? String)?.hasSuffix(".") == true, "\(page) \(id)")
        let definitions = section["definitions"] as? [[String]] ?? []
        #expect(definitions.allSatisfy { $0.count == 2 && !$0[1].isEmpty }, "\(page) \(id)")
      }
      let figures = texts["figures"] as? [String: Any] ?? [:]
      #expect(figures.values.allSatisfy { ($0 as? String)?.hasSuffix(".") == true }, "\(page)")
    }
  }
}
