import Testing

@testable import Workspace

struct ConfigurationKeyTests {
  private let keys = [
    ConfigurationKey(
      "app",
      .object([
        ConfigurationKey("name", .text),
        ConfigurationKey("id", .object([ConfigurationKey("x", .text)])),
      ])),
    ConfigurationKey("settings", .object([ConfigurationKey("*", .boolean)])),
    ConfigurationKey("hook", .hook),
  ]

  @Test func `the names are those of the mapping itself`() {
    #expect(keys.names == ["app", "settings", "hook"])
  }

  @Test func `a star is no name`() {
    #expect(keys[1].form.keys?.names == [])
  }

  @Test func `the paths go down to the keys of sections, each after its section`() {
    #expect(
      keys.paths == ["app", "app.name", "app.id", "app.id.x", "settings", "settings.*", "hook"])
  }
}
