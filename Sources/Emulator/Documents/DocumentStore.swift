package import Firestore
package import Model
import Synchronization

/// An in-memory store of documents, of any number of projects and databases.
///
/// Every call is atomic. Commit times in microseconds strictly increase, even if the clock does
/// not. The states of the last hour can be read, see `ChangeHistory`.
package final class DocumentStore: Sendable {
  package typealias Clock = @Sendable () -> Timestamp

  package struct AppliedCommit: Sendable {
    /// One per write, in order.
    package var results: [AppliedWrite]
    package var commitTime: Timestamp
  }

  /// What a request has read, with its snapshot's time.
  struct ReadResult<Content> {
    let content: Content
    let readTime: Timestamp
    /// The transaction that the request began; nil for others.
    let begun: TransactionID?
  }

  private let contents: Mutex<StoreContents>
  let clock: Clock
  let rules: EditionRules

  package init(
    clock: @escaping Clock, rules: EditionRules = FirestoreEdition.standard.rules
  ) {
    self.clock = clock
    self.rules = rules
    contents = Mutex(StoreContents(rules: rules))
  }

  /// What all reads so far would be billed: documents, or read units where the edition has them.
  package var billedReadCount: Int { contents.withLock { $0.billedReadCount } }

  /// Runs `body` on the snapshot that the request reads, while the store is locked.
  func read<Content>(
    _ database: String, _ consistency: Consistency,
    _ body: (inout SnapshotReader) throws(RefusedRequest) -> Content
  ) throws(RefusedRequest) -> ReadResult<Content> {
    try contents.withLock { contents throws(RefusedRequest) in
      let now = contents.readTime(clock())
      let (moment, transaction) = try contents.moment(of: consistency, in: database, at: now)
      contents.readNumber += 1
      var reader = SnapshotReader(
        snapshot: try DatabaseSnapshot(of: contents[database], at: moment),
        salt: contents.readNumber)
      let content = try body(&reader)
      contents.billedReadCount += reader.billedReadCount
      if let transaction { contents.transactions.record(reader.readSet, by: transaction) }
      let isNew = if case .beginning = consistency { true } else { false }
      return ReadResult(content: content, readTime: moment, begun: isNew ? transaction : nil)
    }
  }

  /// Applies all writes or none; all names must be of one database.
  ///
  /// Ends the transaction, and throws ABORTED when what it read has changed.
  package func commit(
    _ writes: [StoredWrite], in transaction: TransactionID? = nil, of database: String? = nil
  ) throws(RefusedRequest) -> AppliedCommit {
    let names = try writes.documentNames()
    let database = database ?? names.first?.databaseName ?? ""
    guard names.allSatisfy({ $0.databaseName == database }) else {
      throw .invalid("all writes of a commit must be in the database that it is sent to")
    }
    try WriteSequence.check(writes, to: names)
    return try contents.withLock { contents throws(RefusedRequest) in
      let time = contents.tick(clock())
      if let transaction {
        try contents.end(transaction, of: database, at: time, isWriting: !writes.isEmpty)
      }
      var commit = Commit(time: time, rules: rules)
      var results: [AppliedWrite] = []
      for (write, name) in zip(writes, names) {
        let stored = contents.databases[database]?.document(name)
        results.append(try commit.apply(write, to: name, over: stored))
      }
      for (name, change) in commit.changes.values {
        contents.databases[database, default: Database(rules)].put(change, as: name, at: time)
      }
      return AppliedCommit(results: results, commitTime: time)
    }
  }

  func begin(
    _ mode: TransactionMode, of database: String, retrying earlier: TransactionID? = nil
  ) throws(RefusedRequest) -> TransactionID {
    try contents.withLock { contents throws(RefusedRequest) in
      if let earlier { try contents.transactions.requireIssued(earlier) }
      let now = contents.readTime(clock())
      return try contents.begin(mode, of: database, at: now)
    }
  }

  /// Ends a transaction without writing; has no effect when it has already ended.
  func rollBack(_ transaction: TransactionID) throws(RefusedRequest) {
    try contents.withLock { contents throws(RefusedRequest) in
      try contents.transactions.abandon(transaction)
    }
  }

  /// Stores the documents, replacing those of the same names; all or none.
  package func seed(_ documents: [Document]) throws(RefusedRequest) {
    _ = try commit(documents.map { StoredWrite(Write(.update($0, mask: nil))) })
  }

  /// Deletes all documents of the database of `name`, and its history.
  package func wipe(databaseOf name: ResourceName) {
    contents.withLock { contents in
      guard contents.databases[name.databaseName] != nil else { return }
      contents.databases[name.databaseName] = Database(rules, since: contents.tick(clock()))
    }
  }

  /// All documents of a database, in no order.
  func documents(of database: ResourceName) -> [Document] {
    contents.withLock { contents in
      contents[database.databaseName].collections.values.flatMap { $0.documents.values }
    }
  }

  /// The documents of a collection, sorted by name.
  package func documents(in collection: ResourceName) -> [Document] {
    contents.withLock { contents in
      let database = contents.databases[collection.databaseName]
      return database?.collections[NameKey(collection)].map { Array($0.documents.values) } ?? []
    }
    .sorted { rules.compareNames($0.name, $1.name) < 0 }
  }
}

extension [StoredWrite] {
  /// The names of the written documents; throws for other names.
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

struct StoreContents: Sendable {
  /// Keyed by `projects/{project}/databases/{database}`.
  var databases: [String: Database] = [:]
  var transactions = Transactions()
  var billedReadCount = 0
  /// Counts reads, so that no two have the same.
  var readNumber: UInt64 = 0
  private let rules: EditionRules
  private var latest = Timestamp(microseconds: 0)

  init(rules: EditionRules) { self.rules = rules }

  subscript(name: String) -> Database { databases[name] ?? Database(rules) }

  /// The time of a read, which no later write gets.
  mutating func readTime(_ now: Timestamp) -> Timestamp {
    latest = max(now, latest)
    return latest
  }

  /// The time of a write, later than all times before.
  mutating func tick(_ now: Timestamp) -> Timestamp {
    latest = max(now, Timestamp(microseconds: latest.microseconds + 1))
    return latest
  }

  /// The time to read at, and the read's transaction if it has one.
  mutating func moment(
    of consistency: Consistency, in database: String, at now: Timestamp
  ) throws(RefusedRequest) -> (Timestamp, TransactionID?) {
    switch consistency {
    case .present: return (now, nil)
    case .past(let moment):
      try StoreContents.check(moment, at: now)
      return (moment, nil)
    case .transaction(let id):
      return (try transactions.moment(of: id, in: database, at: now), id)
    case .beginning(let mode):
      let id = try begin(mode, of: database, at: now)
      return (try transactions.moment(of: id, in: database, at: now), id)
    }
  }

  mutating func begin(
    _ mode: TransactionMode, of database: String, at now: Timestamp
  ) throws(RefusedRequest) -> TransactionID {
    if case .readOnly(let moment?) = mode { try StoreContents.check(moment, at: now) }
    return transactions.begin(mode, of: database, at: now)
  }

  /// Ends the transaction; throws when it may not write or what it read has changed.
  mutating func end(
    _ id: TransactionID, of database: String, at now: Timestamp, isWriting: Bool
  ) throws(RefusedRequest) {
    let transaction = try transactions.close(id, of: database, at: now)
    guard transaction.mode == .readWrite else {
      guard !isWriting else {
        throw .invalid("Cannot modify entities in a read-only transaction.")
      }
      return
    }
    guard try transaction.stillHolds(in: self[database], at: now) else {
      throw RefusedRequest(.aborted, "Too much contention on these documents. Please try again.")
    }
  }

  /// Throws for a read time in the future or over an hour ago.
  private static func check(_ moment: Timestamp, at now: Timestamp) throws(RefusedRequest) {
    guard moment <= now else {
      throw .invalid("The requested 'read_time' cannot be in the future.")
    }
    guard now.microseconds - moment.microseconds <= ChangeHistory.microseconds else {
      throw DatabaseSnapshot.tooOld
    }
  }
}
