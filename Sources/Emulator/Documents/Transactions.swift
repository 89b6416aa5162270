package import Firestore
import Model

/// The point in time that a request reads.
package enum Consistency: Sendable {
  case present
  case past(Timestamp)
  /// The transaction's snapshot: that of its first read or, if it is read-only, of its beginning.
  case transaction(TransactionID)
  /// Begins a transaction with this read.
  case beginning(TransactionMode)
}

package enum TransactionMode: Hashable, Sendable {
  case readWrite
  /// Reads the given time; nil is the transaction's beginning.
  case readOnly(at: Timestamp?)
}

/// The id of a transaction, which clients see as opaque base64.
package struct TransactionID: Hashable, Sendable {
  /// Increases by one with each transaction of the server.
  let number: UInt64

  init(number: UInt64) { self.number = number }

  /// Nil for text that this server never issues.
  init?(_ text: String) {
    let digits = Base64.decode(text).map { String(decoding: $0, as: UTF8.self) }
    guard let number = digits.flatMap({ UInt64($0) }) else { return nil }
    self.number = number
  }

  var text: String { Base64.encode("\(number)".utf8) }
}

/// The open transactions.
///
/// They are optimistic: a commit is aborted when what the transaction read has changed since.
struct Transactions: Sendable {
  struct Transaction: Sendable {
    let database: String
    let mode: TransactionMode
    /// The snapshot that it reads; nil before the first read of one that may write.
    fileprivate(set) var moment: Timestamp?
    /// The documents and queries it has read; empty for a read-only transaction.
    fileprivate(set) var readSet: Set<ReadSetEntry> = []
    fileprivate let begun: Timestamp
    fileprivate var used: Timestamp
  }

  /// Maximum age and idle time in microseconds; `docs/firestore.md#limits`.
  private static let (lifetime, idleness): (Int64, Int64) = (270_000_000, 60_000_000)
  /// Maximum number of open transactions; another one drops the oldest.
  private static let limit = 1000

  private var open: [TransactionID: Transaction] = [:]
  private var issued: ClosedRange<UInt64>?

  /// Begins a transaction; numbers start at the clock's time, which no earlier server has used.
  mutating func begin(
    _ mode: TransactionMode, of database: String, at now: Timestamp
  ) -> TransactionID {
    open = open.filter { !$0.value.isExpired(at: now) }
    if open.count >= Transactions.limit, let oldest = open.keys.min(by: { $0.number < $1.number }) {
      open[oldest] = nil
    }
    let number = issued.map { $0.upperBound + 1 } ?? UInt64(clamping: now.microseconds)
    issued = (issued?.lowerBound ?? number)...number
    let id = TransactionID(number: number)
    let moment: Timestamp? = if case .readOnly(let moment) = mode { moment ?? now } else { nil }
    open[id] = Transaction(database: database, mode: mode, moment: moment, begun: now, used: now)
    return id
  }

  /// The snapshot of the transaction's next read; fixed by its first read at the latest.
  mutating func moment(
    of id: TransactionID, in database: String, at now: Timestamp
  ) throws(RefusedRequest) -> Timestamp {
    var transaction = try transaction(id, of: database, at: now)
    let moment = transaction.moment ?? now
    transaction.moment = moment
    transaction.used = now
    open[id] = transaction
    return moment
  }

  /// Adds to the read set of a transaction that may write.
  mutating func record(_ readSet: Set<ReadSetEntry>, by id: TransactionID) {
    if open[id]?.mode == .readWrite { open[id]?.readSet.formUnion(readSet) }
  }

  /// Ends the transaction; throws unless it is open.
  mutating func close(
    _ id: TransactionID, of database: String, at now: Timestamp
  ) throws(RefusedRequest) -> Transaction {
    let transaction = try transaction(id, of: database, at: now)
    open[id] = nil
    return transaction
  }

  /// Ends the transaction if it is open; throws when it never existed.
  mutating func abandon(_ id: TransactionID) throws(RefusedRequest) {
    try requireIssued(id)
    open[id] = nil
  }

  func requireIssued(_ id: TransactionID) throws(RefusedRequest) {
    guard issued?.contains(id.number) == true else { throw Transactions.unknown }
  }

  static let unknown = RefusedRequest.invalid("Invalid transaction.")

  private func transaction(
    _ id: TransactionID, of database: String, at now: Timestamp
  ) throws(RefusedRequest) -> Transaction {
    try requireIssued(id)
    guard let transaction = open[id], !transaction.isExpired(at: now) else {
      throw .invalid("The referenced transaction has expired or is no longer valid.")
    }
    guard transaction.database == database else { throw Transactions.unknown }
    return transaction
  }
}

extension Transactions.Transaction {
  fileprivate func isExpired(at now: Timestamp) -> Bool {
    now.microseconds - begun.microseconds > Transactions.lifetime
      || now.microseconds - used.microseconds > Transactions.idleness
  }

  /// Whether everything it has read is unchanged.
  func stillHolds(in database: Database, at now: Timestamp) throws(RefusedRequest) -> Bool {
    guard let moment, !readSet.isEmpty, database.history.latest > moment else { return true }
    guard database.history.reaches(moment) else { return false }
    let (then, present) = (
      try DatabaseSnapshot(of: database, at: moment), try DatabaseSnapshot(of: database, at: now)
    )
    for entry in readSet {
      guard try entry.versions(in: then) == entry.versions(in: present) else { return false }
    }
    return true
  }
}
