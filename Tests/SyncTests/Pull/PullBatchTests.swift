import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Testing

@testable import Sync

@Suite struct PullBatchTests {
  private static let page = """
    [{"document":{"name":"projects/demo/databases/(default)/documents/Users/user-1","fields":{\
    "User_id":{"stringValue":"user-1"},"User_name":{"stringValue":"Anna"},\
    "last_time_seen":{"timestampValue":"2026-01-31T07:59:20Z"}},\
    "updateTime":"2026-01-31T07:00:00Z"},"readTime":"2026-01-31T08:00:00Z"}]
    """

  @Test
  func `the rows of a page go through a batch and back to the buffers without a copy`() throws {
    let buffers = RowBuffers()
    let mapping = SyncUsersMapping(fields: .app, ownUserId: nil, now: .morning)
    var page = PullPage(buffers.next(width: mapping.width), limit: 2)
    var bytes = Array(Self.page.utf8)
    _ = try page.scan(&bytes, by: mapping)
    #expect(page.mapped.rows.count == 1)
    let memory = page.mapped.rows.bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    var batch = PullBatch(
      after: PagedQuery(
        query: SyncUsersQuery.everyone(in: "Users"), pageSize: 2, maxDocuments: nil,
        cursor: PullCursor()))
    try batch.append(consume page, of: 0)
    #expect(batch.documentCount == 1 && batch.paged.next == nil)
    buffers.recycle(&batch.rows)
    var rows = buffers.next(width: mapping.width)
    #expect(rows.isEmpty)
    rows.append(text: "user-2")
    #expect(rows.bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == memory)
  }

  @Test func `freed buffers are not used again`() {
    let buffers = RowBuffers()
    var rows = TableRows(width: 1)
    rows.append(text: String(repeating: "a", count: 10_000))
    var pages = [rows]
    buffers.recycle(&pages)
    buffers.removeAll()
    #expect(buffers.next(width: 1).bytes.capacity == 0)
  }
}
