import HTTP
import Testing

@Suite struct PercentEncodingTests {
  /// A text, as a segment of a path, and as a value of a query.
  @Test(arguments: [
    ("", "", ""), ("aZ09-._~", "aZ09-._~", "aZ09-._~"), ("a b", "a%20b", "a%20b"),
    ("a\0b", "a%00b", "a%00b"), ("(x)&=+", "(x)%26%3D%2B", "%28x%29%26%3D%2B"),
    ("/?#%:", "%2F%3F%23%25%3A", "%2F%3F%23%25%3A"), ("é", "%C3%A9", "%C3%A9"),
    ("\u{FEFF}x", "%EF%BB%BFx", "%EF%BB%BFx"),
  ])
  func `all but unreserved bytes are encoded`(text: String, path: String, query: String) {
    #expect(PercentEncoding.path(text) == path)
    #expect(PercentEncoding.query(text) == query)
  }

  @Test func `a text of any length is encoded, such as the token of a page`() {
    #expect(PercentEncoding.query(String(repeating: "a", count: 9_000_000)).utf8.count == 9_000_000)
  }
}
