import StoreTesting
import Testing

@testable import Store

@Suite struct SetMarkTests {
  @Test func `a mark is what was last set under its name, until it is forgotten`() throws {
    let (folder, store) = try TemporaryStore.opened()
    defer { withExtendedLifetime(folder) {} }
    #expect(try store.read { try $0.mark(named: "etag") } == nil)
    try store.write { try $0.setMark("one", named: "etag") }
    try store.write { try $0.setMark("two; DROP TABLE marks", named: "etag") }
    #expect(try store.read { try $0.mark(named: "etag") } == "two; DROP TABLE marks")
    #expect(try store.read { try $0.mark(named: "other") } == nil)
    try store.write { try $0.setMark(nil, named: "etag") }
    #expect(try store.read { try $0.mark(named: "etag") } == nil)
  }

  @Test func `what loads remember goes with them, and nothing else`() throws {
    let (folder, store) = try TemporaryStore.opened()
    defer { withExtendedLifetime(folder) {} }
    let gone: [MarkName] = [
      .settingsETag, .unexplained(in: "OnlineUsers"), .gather(of: "orders"),
      .gather(of: "orders", plan: "7f"),
    ]
    let kept: [MarkName] = ["erasure-key", "remote-config etag of old", "all unexplained in x"]
    try store.write { writer in
      for name in gone + kept { try writer.setMark("1", named: name) }
      try writer.forgetLoads()
    }
    let left = try store.read { reader in
      try (gone + kept).filter { try reader.mark(named: $0) == "1" }
    }
    #expect(left == kept)
  }

  @Test func `names are those that earlier programs stored`() {
    #expect(MarkName.settingsETag.text == "remote-config etag")
    #expect(MarkName.unexplained(in: "t").text == "unexplained in t")
    #expect(MarkName.gather(of: "j").text == "gather of j")
    #expect(MarkName.gather(of: "j", plan: "7f").text == "gather of j, plan 7f")
  }
}
