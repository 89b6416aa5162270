import GRDB
package import Model

/// What an import of purchases changed.
package struct PurchaseCounts: Hashable, Sendable {
  package var inserted = 0
  package var updated = 0
  package var unchanged = 0

  package init() {}
}

extension Readable {
  package func purchasesCount() throws -> Int {
    try reader.count("SELECT count(*) FROM purchases")
  }
}

extension Writer {
  /// Stores the pages that `body` hands over, and then what the rows of their subscriptions make of
  /// each other; docs/purchases.md#one-event-once.
  ///
  /// Whatever the order in which rows arrive, and however often, the same rows are stored.
  package func addPurchases(
    _ body: (_ add: ([Purchase]) throws -> Void) throws -> Void
  ) throws -> PurchaseCounts {
    var counts = PurchaseCounts()
    let before = try purchasesCount()
    let changes = database.totalChangesCount
    let insertion = try PurchaseInsertion(database)
    var subscriptions: Set<String> = []
    var handed = 0
    try body { page in
      handed += page.count
      // In the order of the table, which costs the least.
      for (id, purchase) in page.map({ ($0.id, $0) }).sorted(by: { $0.0 < $1.0 }) {
        try insertion.insert(purchase, id: id)
        if !purchase.source.isReport { subscriptions.insert(purchase.subscription) }
      }
    }
    let changed = database.totalChangesCount - changes
    counts.inserted = try purchasesCount() - before
    counts.updated = changed - counts.inserted
    counts.unchanged = handed - changed
    subscriptions.remove("")
    if changed > 0 { try derivePurchaseKinds(of: subscriptions) }
    return counts
  }

  /// Subscriptions whose rows are looked up one by one; of more, all rows are read.
  private static let fewSubscriptions = 20_000

  /// Makes trial conversions, recoveries and partial refunds of what sources call renewals and
  /// refunds, by the other rows of each subscription.
  private func derivePurchaseKinds(of subscriptions: Set<String>) throws {
    guard !subscriptions.isEmpty else { return }
    let isFew = subscriptions.count <= Self.fewSubscriptions
    let list = isFew ? try StoredJSON.text(of: subscriptions.sorted()) : "[]"
    let isMeant = isFew ? "IN (SELECT value FROM json_each(?1))" : "<> '' AND ?1 = '[]'"
    let kinds = PaymentRelation.payments
    let before = "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
    try run(
      """
      UPDATE purchases SET kind = derived.kind FROM (
          SELECT id, kind AS old, CASE
              WHEN stated_kind IN ('renewal', 'recovery') AND trial_at = paid_at
                  THEN 'trial_conversion'
              WHEN stated_kind = 'renewal' AND issue_at >= paid_at THEN 'recovery'
              ELSE stated_kind END AS kind
          FROM (
              SELECT id, kind, stated_kind,
                  max(iif(stated_kind = 'trial_start', at, NULL)) OVER before AS trial_at,
                  max(iif(stated_kind = 'billing_issue', at, NULL)) OVER before AS issue_at,
                  max(iif(stated_kind = 'billing_issue', NULL, at)) OVER before AS paid_at
              FROM purchases
              WHERE subscription \(isMeant) AND stated_kind IN ('billing_issue', \(kinds))
              WINDOW before AS (PARTITION BY store, environment, subscription
                  ORDER BY at, stated_kind <> 'billing_issue', id \(before))
          )
      ) AS derived
      WHERE derived.id = purchases.id AND derived.kind <> derived.old
      """, [list])
    try run(
      """
      UPDATE purchases SET kind = derived.kind FROM (
          SELECT refund.id, refund.kind AS old,
              iif(max(ifnull(paid.price, 0)) > -refund.price, 'partial_refund', 'refund') AS kind
          FROM purchases AS refund LEFT JOIN purchases AS paid
              ON paid.subscription = refund.subscription AND paid.store = refund.store
                  AND paid.environment = refund.environment
                  AND paid.transaction_id = refund.transaction_id
                  AND paid.stated_kind IN (\(kinds))
          WHERE refund.subscription \(isMeant) AND refund.stated_kind = 'refund'
              AND refund.price IS NOT NULL
          GROUP BY refund.id
      ) AS derived
      WHERE derived.id = purchases.id AND derived.kind <> derived.old
      """, [list])
  }
}

/// The statement that stores a purchase, unless a stored row says more of the same event.
private struct PurchaseInsertion {
  private let statement: RawStatement

  private static let columns = [
    "id", "event_id", "person", "previous_person", "subscription", "transaction_id", "product",
    "kind", "stated_kind", "at", "paid_until", "currency", "price", "proceeds_currency", "proceeds",
    "units", "store", "country", "environment", "source", "stated_at",
  ]

  /// What a row says, as a value that SQLite compares: the largest one stays, so that the order in
  /// which rows arrive does not matter.
  private static func saying(_ row: String) -> String {
    let ranks = PurchaseSource.allCases.map { "WHEN '\($0.rawValue)' THEN \($0.rank)" }
    let compared = columns.filter { !["id", "kind", "stated_at"].contains($0) }
    return "(CASE \(row).source \(ranks.joined(separator: " ")) END, \(row).stated_at, "
      + compared.map { "ifnull(\(row).\($0), '')" }.joined(separator: ", ") + ")"
  }

  init(_ database: Database) throws {
    let names = Self.columns.joined(separator: ", ")
    let changes = Self.columns.dropFirst().map { "\($0) = excluded.\($0)" }
    statement = try RawStatement(
      database,
      sql: """
        INSERT INTO purchases (\(names)) VALUES (\(databaseQuestionMarks(count: Self.columns.count)))
        ON CONFLICT (id) DO UPDATE SET \(changes.joined(separator: ", "))
        WHERE \(Self.saying("excluded")) > \(Self.saying("purchases"))
        """)
  }

  func insert(_ purchase: Purchase, id: Int64) throws {
    try statement.run(
      with: id, purchase.eventId, purchase.person, purchase.previousPerson, purchase.subscription,
      purchase.transaction, purchase.product, purchase.kind.rawValue, purchase.kind.rawValue,
      purchase.at.microseconds, purchase.paidUntil?.microseconds, purchase.price?.currency,
      purchase.price?.amount, purchase.proceeds?.currency, purchase.proceeds?.amount,
      purchase.units, purchase.store, purchase.country,
      purchase.isSandbox ? "sandbox" : "production", purchase.source.rawValue,
      purchase.statedAt.microseconds)
  }
}
