import Fixtures
import Model
import Store
import StoreTesting
import Testing

@testable import Jobs

/// What was acknowledged stays in the database: docs/findings.md#acknowledge.
@Suite struct AcknowledgementsTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func acknowledge(_ id: String, until: String? = nil, after seconds: Int = 0) throws {
    try store.write {
      try $0.acknowledge(
        Acknowledgement(id: id, at: .morning + .seconds(seconds), until: until))
    }
  }

  private func stored() throws -> [Acknowledgement] {
    try store.read { try $0.acknowledgements() }
  }

  @Test func `they are kept by id, and a second one replaces the first`() throws {
    #expect(try stored() == [])
    try acknowledge("b")
    try acknowledge("a", until: "2026-12-01")
    try acknowledge("b", until: "2026-12-02", after: 5)
    #expect(
      try stored() == [
        Acknowledgement(id: "a", at: .morning, until: "2026-12-01"),
        Acknowledgement(id: "b", at: .morning + .seconds(5), until: "2026-12-02"),
      ])
  }

  @Test func `one is taken back, and of one that is not there nothing is`() throws {
    try acknowledge("a")
    #expect(try store.write { try $0.takeBackAcknowledgement(of: "b") } == false)
    #expect(try stored().map(\.id) == ["a"])
    #expect(try store.write { try $0.takeBackAcknowledgement(of: "a") })
    #expect(try stored() == [])
    #expect(try store.write { try $0.takeBackAcknowledgement(of: "a") } == false)
  }

  @Test(
    arguments: [
      (nil, true, true), (nil, false, false), ("2026-12-01", true, true),
      ("2026-12-01", false, true), ("2026-11-30", true, false), ("2026-11-29", false, false),
    ] as [(String?, Bool, Bool)])
  func `on 30 November one is kept until its day, or while its finding is open`(
    until: String?, isOpen: Bool, isKept: Bool
  ) throws {
    try acknowledge("a", until: until)
    try acknowledge("other")
    let open: Set<String> = isOpen ? ["a", "other"] : ["other"]
    try store.write { try $0.endAcknowledgements(open: open, on: "2026-11-30") }
    #expect(try stored().map(\.id) == (isKept ? ["a", "other"] : ["other"]))
  }
}
