import Testing

@testable import Jobs

struct KeyTableTests {
  private let table = KeyTable(["app", "app.name", "app.id.x", "settings", "settings.*", "apple"])

  @Test func `the top level holds the paths without a dot`() {
    #expect(table.keys(under: "") == ["app", "settings", "apple"])
  }

  @Test func `a section holds its own keys, not those deeper or of a longer name`() {
    #expect(table.keys(under: "app") == ["name"])
  }

  @Test func `a star is no key`() {
    #expect(table.keys(under: "settings").isEmpty)
  }
}
