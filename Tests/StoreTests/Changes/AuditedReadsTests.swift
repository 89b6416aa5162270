import Model
import StoreTesting
import Testing

@testable import Store

/// The reads of imported audit logs.
@Suite struct AuditedReadsTests {
  private let folder: TemporaryStore
  private let store: Store
  private let cutoff = Instant(unixSeconds: 1_000_000)

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func read(_ id: Int64, at: Instant? = nil) -> AuditedRead {
    AuditedRead(
      id: id, at: at ?? cutoff, collection: "c", method: "RunQuery", caller: "a@b",
      tags: ["app=firetally", "job=j"], documentCount: id == 1 ? nil : 7)
  }

  @Test func `an entry counts once, whatever is imported with it`() throws {
    #expect(try store.write { try $0.add([read(1), read(2)]) } == 2)
    #expect(try store.write { try $0.add([read(2), read(3), read(3)]) } == 1)
    #expect(try store.write { try $0.add([]) } == 0)
    #expect(
      try folder.texts(
        "SELECT id || ' ' || tags || ' ' || job || ' ' || ifnull(documents, '-') FROM audit_reads")
        == (1...3).map { "\($0) app=firetally, job=j j \($0 == 1 ? "-" : "7")" })
  }

  @Test func `reads of before the bound go with the runs, and one at it stays`() throws {
    let times = [cutoff - .microseconds(1), cutoff, cutoff + .microseconds(1)]
    try store.write { writer in
      _ = try writer.add(times.enumerated().map { read(Int64($0 + 1), at: $1) })
      _ = try writer.removeRuns(before: cutoff)
    }
    #expect(try folder.texts("SELECT id FROM audit_reads ORDER BY id") == ["2", "3"])
  }
}
