import Firestore

/// The state of a `DocumentStore`.
struct StoreContents: Sendable {
  /// Keyed by `projects/{project}/databases/{database}`.
  var databases: [String: Database] = [:]
  var transactions = Transactions()
  private var latest = Timestamp(microseconds: 0)

  /// The time of a read, which no later write gets.
  mutating func settle(_ now: Timestamp) -> Timestamp {
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
    guard try transaction.stillHolds(in: databases[database] ?? Database(), at: now) else {
      throw RefusedRequest(
        .aborted, "Too much contention on these documents. Please try again.")
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
