import Testing

@testable import Firestore

@Suite struct FieldCensusTests {
  private func census(_ documents: [String]) throws -> FieldCensus {
    var scanner = DocumentScanner(fields: [WantedField](), extent: .init(hasCensus: true))
    let elements = documents.map { #"{"document":{"name":"n","fields":\#($0)}}"# }
    var bytes = Array("[\(elements.joined(separator: ","))]".utf8)
    return try #require(try scanner.scan(&bytes) { _, _ in }.census)
  }

  private func counts(_ census: FieldCensus) -> [String: [FieldKind: Int]] {
    Dictionary(
      census.fields.map { field in
        (field.name, Dictionary(field.kinds.map { ($0.kind, $0.count) }) { first, _ in first })
      }
    ) { first, _ in first }
  }

  @Test func `every field is counted by kind, in whatever order documents have theirs`() throws {
    let census = try census([
      #"{"a":{"stringValue":"x"},"b":{"integerValue":"1"}}"#,
      #"{"b":{"doubleValue":1},"a":{"nullValue":null}}"#,
      #"{"a":{"stringValue":"y"},"c":{"mapValue":{"fields":{"inner":{"nullValue":null}}}}}"#,
    ])
    #expect(
      counts(census) == [
        "a": [.string: 2, .null: 1], "b": [.integer: 1, .double: 1], "c": [.map: 1],
      ])
    #expect(census.fields.map(\.name) == ["a", "b", "c"])
  }

  @Test(arguments: FieldKind.allCases)
  func `each kind is told`(_ kind: FieldKind) throws {
    let key: String =
      switch kind {
      case .geoPoint: "geoPointValue"
      case .unknown: "futureValue"
      default: "\(kind.rawValue)Value"
      }
    let content = kind == .null ? "null" : "{}"
    #expect(counts(try census([#"{"a":{"\#(key)":\#(content)}}"#])) == ["a": [kind: 1]])
  }

  @Test(arguments: ["{}", "[]", "null", "1", #""s""#])
  func `what is no value has no known kind`(text: String) throws {
    #expect(counts(try census([#"{"a":\#(text)}"#])) == ["a": [.unknown: 1]])
  }

  @Test func `two censuses add up`() throws {
    var all = try census([#"{"a":{"stringValue":"x"}}"#])
    all.merge(try census([#"{"b":{"nullValue":null},"a":{"stringValue":"x"}}"#]))
    #expect(counts(all) == ["a": [.string: 2], "b": [.null: 1]])
  }

  @Test(arguments: [(1_000, false), (1_001, true)])
  func `fields beyond the limit are not told apart`(fieldCount: Int, isTruncated: Bool) throws {
    let fields = (0..<fieldCount).map { #""f\#($0)":{"nullValue":null}"# }
    let census = try census(["{\(fields.joined(separator: ","))}"])
    #expect(census.fields.count == FieldCensus.fieldLimit)
    #expect(census.isTruncated == isTruncated)
    var merged = FieldCensus()
    merged.merge(census)
    #expect(merged.isTruncated == isTruncated)
  }

  @Test func `a scan that does not count has no census`() throws {
    var scanner = DocumentScanner(fields: ["a"])
    var bytes = Array(#"[{"readTime":"2026-01-31T08:00:00Z"}]"#.utf8)
    #expect(try scanner.scan(&bytes) { _, _ in }.census == nil)
  }
}
