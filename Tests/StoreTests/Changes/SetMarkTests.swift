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
}
