import Emulator
import Testing

@Suite struct RequestTargetTests {
  static let paths: [(String, [String], String?)] = [
    ("/v1/a/b", ["v1", "a", "b"], nil), ("/", [""], nil), ("/a%20b", ["a b"], nil),
    ("/a%2Bb+c", ["a+b+c"], nil), ("/100%25", ["100%"], nil),
    ("/%28default%29", ["(default)"], nil),
    ("/%F0%9F%98%80", ["😀"], nil), ("/a%2fb/c", ["a/b", "c"], nil), ("/a%3Ab", ["a:b"], nil),
    ("/docs:runQuery", ["docs"], "runQuery"), ("/a%3Ab:commit", ["a:b"], "commit"),
    ("/a:b:commit", ["a:b"], "commit"), ("/a:b/c", ["a:b", "c"], nil),
    ("/a%3Fb%23c", ["a?b#c"], nil), ("/%EF%BB%BFx", ["\u{FEFF}x"], nil), ("/a%00b", ["a\0b"], nil),
  ]

  @Test(arguments: paths)
  func `paths are split before they are decoded`(row: (String, [String], String?)) throws {
    let target = try RequestTarget(parsing: row.0)
    #expect(target.path.map { Array($0.utf8) } == row.1.map { Array($0.utf8) })
    #expect(target.verb == row.2)
    #expect(target.parameters.isEmpty)
  }

  @Test func `in a query + is a space, and names may repeat`() throws {
    let target = try RequestTarget(parsing: "/x?m=a+b&m=a%2Bb&empty=&flag&q=%3F%26%3D&b=%EF%BB%BFa")
    #expect(
      target.parameters.map(\.name) == ["m", "m", "empty", "flag", "q", "b"])
    #expect(target.parameters.map(\.value) == ["a b", "a+b", "", "", "?&=", "\u{FEFF}a"])
    #expect(target.parameters.last?.value.utf8.count == 4)
  }

  @Test(arguments: [
    ("/%", false), ("/%2", false), ("/%zz", false), ("/%ff", true), ("/%C3", true),
    ("/%C0%AF", true), ("/x?a=%", false), ("/x?%f=1", false),
  ])
  func `what is not percent-encoded UTF-8 is refused`(target: String, hasDigits: Bool) throws {
    let refused = try #require(throws: RefusedRequest.self) { try RequestTarget(parsing: target) }
    #expect(refused.message.contains("two hexadecimal digits") != hasDigits)
    #expect(refused.message.contains("is not UTF-8") == hasDigits)
  }
}
