import Firestore
import JobsTesting
import Testing

@testable import Jobs
@testable import Workspace

/// `docs/firestore.md#indexes`.
@Suite struct IndexFileTests {
  private static func jobs(_ text: String) throws -> [Job] {
    try JobFiles.jobs(in: [SourceFile(path: "jobs/copy.yml", text: text)])
  }

  private static func entries(_ text: String, _ list: String) throws -> [String] {
    let json = try JSON(parsing: Array(IndexFile.text(of: jobs(text), onOneLine: true).utf8))
    guard case .object(let lists) = json, case .array(let entries)? = lists[list] else { return [] }
    return entries.map { String(decoding: $0.serialized(), as: UTF8.self) }
  }

  @Test func `users need an index for each set of criteria but the empty one`() throws {
    #expect(try Self.entries("kind: sync-users", "indexes").count == 23)
    #expect(try Self.entries("kind: sync-users\ncity_field: city", "indexes").count == 15)
    #expect(try Self.entries("kind: sync-users", "fieldOverrides").isEmpty)
  }

  @Test func `near users alone need one index for each field of the city`() throws {
    let order = #"{"fieldPath":"last_time_seen","order":"DESCENDING"}],"queryScope":"COLLECTION"}"#
    func near(_ text: String) throws -> [String] {
      try Self.entries(text, "indexes").filter { entry in
        entry.hasSuffix("city\",\"order\":\"ASCENDING\"},\(order)")
          && entry.matches(of: /fieldPath/).count == 2
      }
    }
    #expect(try near("kind: sync-users").count == 2)
    #expect(
      try near("kind: sync-users\ncity_field: home_city") == [
        #"{"collectionGroup":"Users","fields":[{"fieldPath":"home_city","order":"ASCENDING"},"#
          + order
      ])
  }

  @Test func `a collection's conditions, orders and changes are in the file`() throws {
    let text = """
      kind: sync-collection
      collection: Orders
      where: [{field: status, op: "==", value: paid}]
      """
    #expect(try Self.entries(text, "indexes").isEmpty)
    #expect(
      try Self.entries(text + "\norder_by: total desc", "indexes") == [
        #"{"collectionGroup":"Orders","fields":[{"fieldPath":"status","order":"ASCENDING"},"#
          + #"{"fieldPath":"total","order":"DESCENDING"}],"queryScope":"COLLECTION"}"#
      ])
    #expect(
      try Self.entries(text + "\nincremental: {field: at}", "indexes") == [
        #"{"collectionGroup":"Orders","fields":[{"fieldPath":"status","order":"ASCENDING"},"#
          + #"{"fieldPath":"at","order":"ASCENDING"}],"queryScope":"COLLECTION"}"#
      ])
  }

  @Test func `a field of a group has one override with all of its indexes`() throws {
    let jobs =
      try Self.jobs("kind: sync-collection\ncollection_group: Items\norder_by: at desc")
      + Self.jobs("kind: sync-collection\ncollection_group: Items\ntable: b\norder_by: at")
    let file = IndexFile.text(of: jobs, onOneLine: true)
    #expect(file.matches(of: /"fieldPath":"at"/).count == 1)
    #expect(file.matches(of: /"queryScope":"COLLECTION_GROUP"/).count == 2)
    #expect(file.matches(of: /"queryScope":"COLLECTION"/).count == 3)
  }

  @Test func `jobs without queries need no index, and the file is one all the same`() throws {
    let jobs = try Self.jobs("kind: maintain")
    #expect(
      IndexFile.text(of: jobs, onOneLine: false) == """
        {
          "indexes": [],
          "fieldOverrides": []
        }
        """)
  }
}
