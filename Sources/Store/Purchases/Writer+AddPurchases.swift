import GRDB
package import Model

/// What an import of purchases changed.
package struct PurchaseCounts: Hashable, Sendable {
  package var inserted = 0
  package var updated = 0
  package var unchanged = 0

  package init() {}
}

extension Writer {
  /// Stores the pages that `body` hands over, and then what the rows of their subscriptions make of
  /// each other; docs/purchases.md#one-event-once.
  ///
  /// Whatever the order in which rows arrive, and however often, the same rows are stored.
  package func addPurchases(
    _ body: (_ add: (PurchaseRows) throws -> Void) throws -> Void
  ) throws -> PurchaseCounts {
    var addition = try PurchaseAddition(database)
    try body { try addition.add($0) }
    return try addition.finish()
  }
}

/// An import of purchases within a transaction.
private struct PurchaseAddition {
  private let database: Database
  private let insertion: PurchaseInsertion
  /// The subscriptions of the rows.
  private var chainIds = PurchaseChainIds()
  /// The parts of the rows in their subscriptions, if the table was empty: without repetitions they
  /// are all that it has.
  private var chains = PurchaseChains()
  private let rowCount: Int
  private let earlierChanges: Int
  private var handedCount = 0
  /// The ids of the stored rows, while their index is left out.
  private var ids: PurchaseIds?
  /// The statements that build the dropped indexes again, by name.
  private var dropped: [String: String] = [:]

  private static let chainIndex = "purchases_subscription"

  init(_ database: Database) throws {
    self.database = database
    insertion = try PurchaseInsertion(database)
    rowCount = try Self.rowCount(database)
    earlierChanges = database.totalChangesCount
  }

  private static func rowCount(_ database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM purchases") ?? 0
  }

  private var changeCount: Int { database.totalChangesCount - earlierChanges }

  mutating func add(_ page: PurchaseRows) throws {
    handedCount += page.count
    chainIds.insert(page)
    if rowCount == 0 {
      for case let link? in page.links { chains.add(link) }
    }
    try store(page)
    if dropped.isEmpty,
      TableIndexes.isWorthDropping(addedRows: changeCount, presentRows: rowCount)
    {
      try dropIndex(Self.chainIndex)
      guard PurchaseIds.fit(rowCount + changeCount) else { return }
      try dropIndex(PurchaseIds.index)
      ids = try PurchaseIds(database)
    }
  }

  private mutating func store(_ page: PurchaseRows) throws {
    guard let new = ids?.newRows(of: page) else { return try insertion.insert(page) }
    try insertion.insert(new, areNew: true)
    if ids?.isFull == true { try storeRepeats() }
  }

  /// Builds the index of ids, and stores the rows that waited for it.
  private mutating func storeRepeats() throws {
    guard let repeats = ids?.repeats else { return }
    ids = nil
    try buildIndex(PurchaseIds.index)
    try insertion.insert(repeats)
  }

  private mutating func dropIndex(_ name: String) throws {
    dropped[name] = try String.fetchOne(
      database, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [name])
    try TableIndexes.drop(name, in: database)
  }

  private func buildIndex(_ name: String) throws {
    if let statement = dropped[name] { try TableIndexes.build(statement, in: database) }
  }

  mutating func finish() throws -> PurchaseCounts {
    try storeRepeats()
    var counts = PurchaseCounts()
    let changed = changeCount
    counts.inserted = try Self.rowCount(database) - rowCount
    counts.updated = changed - counts.inserted
    counts.unchanged = handedCount - changed
    if changed > 0 { try deriveKinds(areAllNew: counts.inserted == handedCount) }
    try buildIndex(Self.chainIndex)
    return counts
  }

  /// Makes trial conversions, recoveries and partial refunds of what sources call renewals and
  /// refunds, by the other rows of each subscription.
  private mutating func deriveKinds(areAllNew: Bool) throws {
    guard !chainIds.isEmpty else { return }
    if rowCount > 0 || !areAllNew { try readChains() }
    let update = try RawStatement(database, sql: "UPDATE purchases SET kind = ? WHERE id = ?")
    for change in chains.changes() { try update.run(with: change.kind.rawValue, change.id) }
  }

  /// Reads the stored rows of the subscriptions.
  private mutating func readChains() throws {
    chains = PurchaseChains()
    let names = dropped.isEmpty ? chainIds.names : nil
    let isMeant = names == nil ? "<> ''" : "IN (SELECT value FROM json_each(?))"
    let rows = try RawStatement(
      database, sql: "\(PurchaseChainIds.columns) FROM purchases WHERE subscription \(isMeant)")
    defer { rows.reset() }
    if let names { try rows.bind(copyOf: try StoredJSON.text(of: names.sorted()), at: 1) }
    while try rows.step() {
      if let row = chainIds.row(rows) { chains.add(row) }
    }
  }
}
