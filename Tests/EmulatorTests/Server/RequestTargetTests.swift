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
    ("/a%3Fb%23c", ["a?b#c"], nil),
  ]

  @Test(arguments: paths)
  func `paths are split before they are decoded`(row: (String, [String], String?)) throws {
    let target = try RequestTarget(parsing: row.0)
    #expect(target.path == row.1)
    #expect(target.verb == row.2)
    #expect(target.parameters.isEmpty)
  }

  @Test func `in a query + is a space, and names may repeat`() throws {
    let target = try RequestTarget(parsing: "/x?m=a+b&m=a%2Bb&empty=&flag&q=%3F%26%3D")
    #expect(
      target.parameters.map(\.name) == ["m", "m", "empty", "flag", "q"])
    #expect(target.parameters.map(\.value) == ["a b", "a+b", "", "", "?&="])
  }

  @Test(arguments: ["/%", "/%2", "/%zz", "/%ff", "/%C3", "/x?a=%", "/x?%f=1"])
  func `what is not percent-encoded UTF-8 is refused`(target: String) {
    #expect(throws: RefusedRequest.self) { try RequestTarget(parsing: target) }
  }
}
