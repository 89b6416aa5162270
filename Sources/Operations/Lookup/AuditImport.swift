import Feeds
import Model
package import Store

/// An import of an audit log's reads of one database: docs/readers.md#the-audit-log.
package struct AuditImport: Sendable {
  package struct Counts: Hashable, Sendable {
    package var added = 0
    /// Entries that an earlier import added.
    package var known = 0
    /// Entries about other databases, and entries that are not reads.
    package var others = 0
    package var rejected = 0
    /// The first other database, `projects/P/databases/D`; nil without one.
    package var otherDatabase: String?
    /// The reason for the first rejection, such as `line 3: no methodName`.
    package var firstProblem: String?
  }

  /// The number of entries in one transaction.
  private static let pageSize = 10_000

  private let store: Store
  private let database: String
  private let project: String?

  /// - Parameters:
  ///   - store: the workspace's database.
  ///   - database: the id of the Firestore database whose reads count.
  ///   - project: its project; nil for any.
  package init(store: Store, database: String, project: String?) {
    self.store = store
    self.database = database
    self.project = project
  }

  /// - Throws: `FeedError` for a truncated file; its earlier entries are stored.
  package func run(_ path: String) throws -> Counts {
    let log = try AuditLog(path: path)
    var counts = Counts()
    var page: [AuditedRead] = []
    func storePage() throws {
      try Task.checkCancellation()
      let added = try store.write { [page] in try $0.add(page) }
      counts.added += added
      counts.known += page.count - added
      page.removeAll(keepingCapacity: true)
    }
    do {
      while let record = try log.next() {
        switch record {
        case .read(let read, let name) where isOurs(name): page.append(read)
        case .read(_, let name):
          counts.others += 1
          counts.otherDatabase = counts.otherDatabase ?? name
        case .other: counts.others += 1
        case .rejected(let number, let reason):
          counts.rejected += 1
          counts.firstProblem = counts.firstProblem ?? "line \(number): \(reason)"
        }
        if page.count == Self.pageSize { try storePage() }
      }
    } catch let error as FeedError {
      try storePage()
      throw error
    }
    try storePage()
    return counts
  }

  private func isOurs(_ name: String) -> Bool {
    guard let project else { return name.hasSuffix("/databases/\(database)") }
    return name == "projects/\(project)/databases/\(database)"
  }
}
