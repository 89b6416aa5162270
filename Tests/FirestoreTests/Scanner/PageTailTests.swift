import Fixtures
import Foundation
import Testing

@testable import Firestore

/// The end of a page, read before the rest of it.
@Suite struct PageTailTests {
  private static let root = "projects/demo/databases/(default)/documents"

  private static func element(_ id: String, _ fields: String = "") -> String {
    #"{"document":{"name":"\#(root)/C/\#(id)","fields":{\#(fields)}},"#
      + #""readTime":"2026-01-31T08:00:00Z"}"#
  }

  private static func tail(_ text: String) -> PageTail? { PageTail(of: Array(text.utf8)) }

  private static func lastName(_ text: String) throws -> String? {
    guard let tail = tail(text) else { return nil }
    var bytes = tail.answer
    var scanner = DocumentScanner(fields: [])
    return try scanner.scan(&bytes) { _, _ in }.lastName
  }

  @Test(arguments: [1, 2, 3, 50])
  func `the last document of a page is read alone, and all are counted`(count: Int) throws {
    let elements = (1...count).map { Self.element("\($0)") }
    for page in [
      "[\(elements.joined(separator: ","))]", "[\(elements.joined(separator: ",\n"))\n]",
    ] {
      #expect(Self.tail(page)?.documentCount == count)
      #expect(try Self.lastName(page) == "\(Self.root)/C/\(count)")
    }
  }

  @Test
  func `white space between the parts is no obstacle while it is the same in all elements`() throws
  {
    func element(_ id: String) -> String {
      "{\n  \"document\": {\n    \"name\": \"\(Self.root)/C/\(id)\"\n  }\n}"
    }
    #expect(Self.tail("[\(element("a")),\n\(element("b"))]")?.documentCount == 2)
    #expect(try Self.lastName("[\(element("a")),\n\(element("b"))]") == "\(Self.root)/C/b")
    #expect(Self.tail("[\(Self.element("a")),\n\(element("b"))]")?.documentCount == 1)
  }

  @Test(arguments: [
    #"{"document":{"createTime":"2026-01-31T08:00:00Z","name":"projects/a/ID"}}"#,
    #"{"document":{"fields":{"a":{"nullValue":null}},"name":"ID"}}"#,
    #"{"document":{"name":"other/ID"},"readTime":"2026-01-31T08:00:00Z"}"#,
    #"{"document":{"name":"projects/ID"}}"#,
  ])
  func `the keys of a document may come in any order, and its name be any`(element: String) throws {
    let page = ["a", "b", "c"].map { element.replacingOccurrences(of: "ID", with: $0) }
    let text = "[\(page.joined(separator: ","))]"
    #expect(Self.tail(text)?.documentCount == 3)
    #expect(try Self.lastName(text)?.hasSuffix("c") == true)
  }

  @Test func `an element without a document at the end belongs to the tail`() throws {
    let page = #"[\#(Self.element("a")),\#(Self.element("b")),{"done":true}]"#
    #expect(Self.tail(page)?.documentCount == 2)
    #expect(try Self.lastName(page) == "\(Self.root)/C/b")
  }

  @Test func `texts and references that look like a document are none`() throws {
    let quoted =
      #""x":{"stringValue":"{\"document\":{\"name\":\"\#(Self.root)/"}"#
    let reference = #""y":{"referenceValue":"\#(Self.root)/C/other"}"#
    let page = "[\(Self.element("a", quoted)),\(Self.element("b", quoted + "," + reference))]"
    #expect(Self.tail(page)?.documentCount == 2)
    #expect(try Self.lastName(page) == "\(Self.root)/C/b")
  }

  @Test(arguments: 1...20)
  func `documents are counted wherever parts of their heads stand between them`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let head = Array(#"{"document":{"name":"\#(Self.root)/"#)
    let elements = (1...100).map { id in
      let text = (0..<Int.random(in: 0..<9, using: &random)).map { _ in
        let start = Int.random(in: 0..<head.count, using: &random)
        let part = String(head[start..<Int.random(in: start...head.count, using: &random)])
        return part.replacingOccurrences(of: "\"", with: "\\\"")
      }
      return Self.element("\(id)", #""x":{"stringValue":"\#(text.joined())"}"#)
    }
    #expect(Self.tail("[\(elements.joined(separator: ","))]")?.documentCount == 100)
  }

  @Test(arguments: [
    "", "[", "[]", "[{}]", #"[{"readTime":"2026-01-31T08:00:00Z"}]"#, #"{"error":{"code":500}}"#,
    #"[{"document"#, #"[{"document":{}}]"#, #"[{"document":{"na"#,
    #"[{"transaction":"","document":{"name":"projects/demo/databases/d/documents/C/a"}}]"#,
  ])
  func `what is no page of documents has no tail`(page: String) {
    #expect(Self.tail(page) == nil)
  }

  @Test func `a page cut at any byte gives no tail, or one that does not scan`() {
    let page = Array("[\(Self.element("a")),\(Self.element("b"))]".utf8)
    for length in 0..<page.count {
      guard let tail = PageTail(of: Array(page.prefix(length))) else { continue }
      var bytes = tail.answer
      var scanner = DocumentScanner(fields: [])
      #expect(throws: JSONError.self) { _ = try scanner.scan(&bytes) { _, _ in } }
    }
  }
}
