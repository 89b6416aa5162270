package import Firestore
import Synchronization

/// Documents in memory, of any number of projects and databases.
///
/// Every call is one atomic step. Times are microseconds and never repeat or go back, whatever the
/// clock does. The states of the last hour can be read, too, see `History`.
package final class DocumentStore: Sendable {
  package typealias Clock = @Sendable () -> Timestamp

  package struct CommitResult: Sendable {
    /// One per write, in their order.
    package var results: [WriteResult]
    package var commitTime: Timestamp
  }

  /// What a request has read, with the moment it is true for.
  struct Reading<Content> {
    let content: Content
    let readTime: Timestamp
    /// Nil unless the request was to begin one.
    let begun: TransactionID?
  }

  private let contents = Mutex(StoreContents())
  let clock: Clock

  package init(clock: @escaping Clock) {
    self.clock = clock
  }

  /// Lets `body` look at the moment that the request means; nothing happens meanwhile.
  func read<Content>(
    _ database: String, _ consistency: Consistency,
    _ body: (inout Reader) throws(RefusedRequest) -> Content
  ) throws(RefusedRequest) -> Reading<Content> {
    try contents.withLock { contents throws(RefusedRequest) in
      let now = contents.settle(clock())
      let (moment, transaction) = try contents.moment(of: consistency, in: database, at: now)
      var reader = Reader(try View(of: contents.databases[database] ?? Database(), at: moment))
      let content = try body(&reader)
      if let transaction { contents.transactions.note(reader.sights, by: transaction) }
      let isNew = if case .beginning = consistency { true } else { false }
      return Reading(content: content, readTime: moment, begun: isNew ? transaction : nil)
    }
  }

  /// Applies all writes or none; names must lie in one database.
  ///
  /// A transaction ends by it, and refuses the writes when what it has read is so no longer.
  package func commit(
    _ writes: [StoredWrite], in transaction: TransactionID? = nil, of database: String? = nil
  ) throws(RefusedRequest) -> CommitResult {
    let names = try writes.documentNames()
    let database = database ?? names.first?.databaseName ?? ""
    guard names.allSatisfy({ $0.databaseName == database }) else {
      throw .invalid("all writes of a commit must be in the database that it is sent to")
    }
    return try contents.withLock { contents throws(RefusedRequest) in
      let time = contents.tick(clock())
      if let transaction {
        try contents.end(transaction, of: database, at: time, isWriting: !writes.isEmpty)
      }
      var commit = Commit(at: time)
      var results: [WriteResult] = []
      for (write, name) in zip(writes, names) {
        let stored = contents.databases[database]?.document(name)
        results.append(try commit.apply(write, to: name, over: stored))
      }
      for (name, change) in commit.changes.values {
        contents.databases[database, default: Database()].put(change, as: name, at: time)
      }
      return CommitResult(results: results, commitTime: time)
    }
  }

  func begin(
    _ mode: TransactionMode, of database: String, retrying earlier: TransactionID? = nil
  ) throws(RefusedRequest) -> TransactionID {
    try contents.withLock { contents throws(RefusedRequest) in
      if let earlier { try contents.transactions.requireIssued(earlier) }
      let now = contents.settle(clock())
      return try contents.begin(mode, of: database, at: now)
    }
  }

  /// Ends a transaction without writing; one that has ended already is no error.
  func rollBack(_ transaction: TransactionID) throws(RefusedRequest) {
    try contents.withLock { contents throws(RefusedRequest) in
      try contents.transactions.abandon(transaction)
    }
  }

  /// Stores the documents as they are, over what had their names; all of them or none.
  package func seed(_ documents: [Document]) throws(RefusedRequest) {
    _ = try commit(documents.map { StoredWrite(Write(.update($0, mask: nil))) })
  }

  /// Forgets everything in the database that `name` lies in, its history too.
  package func wipe(databaseOf name: ResourceName) {
    contents.withLock { contents in
      guard contents.databases[name.databaseName] != nil else { return }
      contents.databases[name.databaseName] = Database(since: contents.tick(clock()))
    }
  }

  /// The documents of a collection, by name; empty when there is none.
  package func documents(in collection: ResourceName) -> [Document] {
    contents.withLock { contents in
      let database = contents.databases[collection.databaseName]
      return database?.collections[NameKey(collection)].map { Array($0.documents.values) } ?? []
    }
    .sorted { NameOrder.compare($0.name, $1.name) < 0 }
  }
}

extension [StoredWrite] {
  /// The names of what is written, each of a document.
  func documentNames() throws(RefusedRequest) -> [ResourceName] {
    var names: [ResourceName] = []
    for write in self {
      let name = try ResourceName(requested: write.name)
      try name.requireDocument()
      names.append(name)
    }
    return names
  }
}
