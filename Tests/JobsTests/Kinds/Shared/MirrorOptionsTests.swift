import Firestore
import JobsTesting
import Model
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Workspace

struct MirrorOptionsTests {
  private func read(_ keys: String, maxDocuments: String = "all") throws -> MirrorOptions? {
    let text = "kind: sync-users\nmax_documents: \(maxDocuments)\n\(keys)\n"
    let jobs = try JobFiles.jobs(in: [SourceFile(path: "jobs/a.yml", text: text)])
    guard let options = jobs.first?.definition as? SyncUsersOptions else { return nil }
    return options.mirror
  }

  private func problems(_ keys: String, maxDocuments: String = "all") throws -> [String] {
    do {
      _ = try read(keys, maxDocuments: maxDocuments)
      return []
    } catch let error as ConfigurationError {
      return error.problems.map(\.description)
    }
  }

  private func field(_ name: String) -> FieldPath { FieldPath(segments: [name]) }

  @Test func `nothing is deleted unless a job says so`() throws {
    #expect(try read("") == MirrorOptions())
    #expect(MirrorOptions().deletes == .never)
    #expect(MirrorOptions().incremental == nil)
    #expect(!MirrorOptions().needsAll)
  }

  @Test func `every key is read`() throws {
    #expect(
      try read(
        """
        incremental: {field: updated_at, overlap: 90s}
        deletes: sweep
        max_delete: 500
        partitions: 4
        """)
        == MirrorOptions(
          incremental: .init(field: field("updated_at"), overlap: .seconds(90)), deletes: .sweep,
          maxDelete: .rows(500), partitions: 4))
    #expect(
      try read("incremental: {field: '`last change`'}\ndeletes: drift\nmax_delete: 25%")
        == MirrorOptions(
          incremental: .init(field: field("last change"), overlap: .seconds(300)),
          deletes: .drift, maxDelete: .percent(25)))
  }

  @Test(arguments: [
    "deletes: drift", "deletes: sweep", "incremental: {field: a}", "partitions: 2",
  ])
  func `a part of a collection has neither deletes nor increments nor partitions`(
    keys: String
  ) throws {
    #expect(try problems(keys).isEmpty)
    let found = try problems(keys, maxDocuments: "250")
    #expect(found.count == 1)
    #expect(found.first?.contains("needs 'max_documents: all': ") == true)
  }

  @Test func `the values that change nothing go with a part, too`() throws {
    #expect(
      try problems("deletes: never\nmax_delete: 1\npartitions: 1", maxDocuments: "250").isEmpty)
  }

  @Test(arguments: [
    ("incremental: updated_at", "must be a mapping"),
    ("incremental: {overlap: 5m}", "incremental.field: is missing"),
    ("incremental: {field: a, overlap: 0s}", "must be a time from 1s to 30d"),
    ("incremental: {field: a, overlap: 31d}", "must be a time from 1s to 30d"),
    ("incremental: {field: a, overlap: 5}", "must be a time from 1s to 30d"),
    ("incremental: {field: meta.a}", "must be a field of the document itself"),
    ("incremental: {field: 'a b'}", "incremental.field: "),
    ("incremental: {field: a, feild: b}", "Did you mean 'field'?"),
    ("deletes: always", "must be one of never, drift, sweep"),
    ("deletes: true", "deletes: "),
    ("max_delete: -1", "must be a number of rows or a share of them"),
    ("max_delete: 101%", "must be a number of rows or a share of them"),
    ("max_delete: 1.5", "must be a number of rows or a share of them"),
    ("max_delete: all", "must be a number of rows or a share of them"),
    ("partitions: 0", "must be an integer from 1 to 128"),
    ("partitions: 129", "must be an integer from 1 to 128"),
  ])
  func `what is wrong is named`(keys: String, message: String) throws {
    let found = try problems(keys)
    #expect(found.count == 1)
    #expect(found.first?.contains(message) == true, "\(found)")
  }

  @Test func `an overlap is as long as the longest`() throws {
    #expect(
      try read("incremental: {field: a, overlap: 30d}")?.incremental?.overlap
        == MirrorOptions.longestOverlap)
  }

  @Test func `partitions are as many as there are at most`() throws {
    #expect(try read("partitions: 128")?.partitions == MirrorOptions.partitionCounts.upperBound)
  }
}
