import Firestore

/// The transactions that are open.
///
/// They lock nothing: what one has read must still be so when it commits, else it is aborted.
struct Transactions: Sendable {
  struct Transaction: Sendable {
    let database: String
    let mode: TransactionMode
    /// The moment that its reads see; nil before the first of one that also writes.
    fileprivate(set) var moment: Timestamp?
    /// What it has seen; empty when it only reads.
    fileprivate(set) var sights: Set<Sight> = []
    fileprivate let begun: Timestamp
    fileprivate var used: Timestamp
  }

  /// How long one may stay open, and how long without a request; `docs/firestore.md#limits`.
  private static let (lifetime, idleness): (Int64, Int64) = (270_000_000, 60_000_000)
  /// Those open at a time at most; beyond it the oldest one is forgotten.
  private static let limit = 1000

  private var open: [TransactionID: Transaction] = [:]
  private var issued: ClosedRange<UInt64>?

  /// Numbers follow the clock's at the first one, so that no earlier server gave them out.
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
    let moment: Timestamp? =
      if case .readOnly(let moment) = mode { moment ?? now } else { nil }
    open[id] = Transaction(
      database: database, mode: mode, moment: moment, begun: now, used: now)
    return id
  }

  /// The moment that the transaction's next read sees; the first read settles it at the latest.
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

  mutating func note(_ sights: Set<Sight>, by id: TransactionID) {
    if open[id]?.mode == .readWrite { open[id]?.sights.formUnion(sights) }
  }

  /// Ends the transaction, which must be open.
  mutating func close(
    _ id: TransactionID, of database: String, at now: Timestamp
  ) throws(RefusedRequest) -> Transaction {
    let transaction = try transaction(id, of: database, at: now)
    open[id] = nil
    return transaction
  }

  /// Ends the transaction if it is open; throws when there never was one of that id.
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

  /// Whether all that it has seen is so in the present, too.
  func stillHolds(in database: Database, at now: Timestamp) throws(RefusedRequest) -> Bool {
    guard let moment, !sights.isEmpty, database.history.latest > moment else { return true }
    guard database.history.reaches(moment) else { return false }
    let (then, present) = (try View(of: database, at: moment), try View(of: database, at: now))
    for sight in sights {
      guard try sight.versions(in: then) == sight.versions(in: present) else { return false }
    }
    return true
  }
}
