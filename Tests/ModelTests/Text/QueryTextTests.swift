import Testing

@testable import Model

struct QueryTextTests {
  @Test func `names are bare or in quotes, and neither in texts nor in comments`() {
    let sql = """
      /* one */ SELECT two, "three", `four`, [five], 'six', :seven, a."b c" -- eight
      FROM nine WHERE ten>11; ten; /**/'' [] é
      """
    #expect(
      QueryText(sql).names == [
        "SELECT", "two", "three", "four", "five", "a", "b c", "FROM", "nine", "WHERE",
        "ten", "11", "", "é",
      ])
  }

  @Test(arguments: ["", " ;", "-- a", "/* a", "'a", "?1 :a @b $c #d", "("])
  func `what has no name has none`(sql: String) {
    #expect(QueryText(sql).names == [])
  }

  @Test(arguments: ["\"a", "[a", "`a`", "a", "1 + a", "a;"])
  func `a name is among the names where it has a place`(sql: String) {
    let text = QueryText(sql)
    for name in text.names { #expect(text.offset(ofName: name) != nil, "\(name)") }
    #expect(text.names.contains("a") == (text.offset(ofName: "a") != nil))
    #expect(text.offset(ofName: "b") == nil)
  }
}
