import Model
import Testing

struct ClosestNameTests {
  @Test(arguments: [
    ("page_sizes", "page_size"), ("pagesize", "page_size"), ("Page_Size", "page_size"),
    ("fiedls", "fields"), ("collectoin", "collection"), ("page_size", "page_size"),
  ])
  func `a typing error finds the name that was meant`(typed: String, meant: String) {
    let names = ["collection", "page_size", "max_documents", "fields"]
    #expect(ClosestName.closest(to: typed, among: names) == meant)
  }

  @Test(arguments: ["colour", "", "x", "documents"])
  func `a name that is far from all finds none`(typed: String) {
    #expect(ClosestName.closest(to: typed, among: ["page_size", "fields"]) == nil)
  }

  @Test(arguments: [("abc", true), ("abx", true), ("axx", false)])
  func `three letters may hold one error, not two`(typed: String, isNear: Bool) {
    #expect((ClosestName.closest(to: typed, among: ["abc"]) != nil) == isNear)
  }

  @Test(arguments: [("=", "=="), ("b", nil), ("<", "<")] as [(String, String?)])
  func `one letter that is wrong finds none, one that is missing does`(
    typed: String, meant: String?
  ) {
    #expect(ClosestName.closest(to: typed, among: ["==", "!=", "<"]) == meant)
  }

  @Test func `of two equally near names the first wins`() {
    #expect(ClosestName.closest(to: "cat", among: ["bat", "rat"]) == "bat")
  }

  @Test func `all near names come by their distance, equals in their order`() {
    let names = ["Dominica", "Domenica", "Jamaica", "Domenico", "Dominique"]
    #expect(
      ClosestName.near(to: "domenica", among: names)
        == ["Domenica", "Dominica", "Domenico"])
  }

  @Test func `nothing is near among no names`() {
    #expect(ClosestName.closest(to: "cat", among: []) == nil)
    #expect(ClosestName.hint(for: "cat", among: []) == "")
  }
}
