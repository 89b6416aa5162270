import Testing

@testable import Firestore

@Suite struct ValuePathTests {
  @Test(arguments: [
    "a", "a.b", "tags[0]", "lines[0].sku", "a[0][12].b", "`a[0]`.b", "`x.y`[3]", "a[999999]",
  ])
  func `a path is read and written alike`(text: String) throws {
    #expect(try ValuePath(parsing: text).description == text)
  }

  @Test func `names and indexes are told apart`() throws {
    #expect(
      try ValuePath(parsing: "`a[0]`.b[10]").steps == [.field("a[0]"), .field("b"), .element(10)])
    #expect(try ValuePath(parsing: "a.b[0].c").selection == FieldPath(segments: ["a", "b"]))
  }

  @Test(arguments: [
    "", "[0]", "a[", "a[]", "a[-1]", "a[01]", "a[1", "a[0]b", "a[0].", "a[1234567]", "a.[0]",
    "a[x]", "a]",
  ])
  func `what is no path is refused`(text: String) {
    #expect(throws: WireError.self) { try ValuePath(parsing: text) }
  }
}
