import StoreTesting
import Testing

@testable import Store

@Suite struct SetMarkTests {
  @Test func `a mark is what was last set under its name, until it is forgotten`() throws {
    let (folder, store) = try TemporaryStore.opened()
    defer { withExtendedLifetime(folder) {} }
    #expect(try store.read { try $0.metadata(named: "etag") } == nil)
    try store.write { try $0.setMetadata("one", named: "etag") }
    try store.write { try $0.setMetadata("two; DROP TABLE marks", named: "etag") }
    #expect(try store.read { try $0.metadata(named: "etag") } == "two; DROP TABLE marks")
    #expect(try store.read { try $0.metadata(named: "other") } == nil)
    try store.write { try $0.setMetadata(nil, named: "etag") }
    #expect(try store.read { try $0.metadata(named: "etag") } == nil)
  }
}
