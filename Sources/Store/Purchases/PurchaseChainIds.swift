import Model

/// The subscriptions of an import's rows, as hashes: texts of them all would need much memory.
struct PurchaseChainIds {
  /// Subscriptions whose rows are looked up one by one; of more, all rows are read.
  private static let fewNames = 20_000

  private static let kinds = Dictionary(
    uniqueKeysWithValues: PurchaseKind.allCases.map {
      (PurchaseChains.Row.hash(of: Array($0.rawValue.utf8)), $0)
    })

  /// The columns that `row` reads.
  static let columns = """
    SELECT id, at, price, environment, store, subscription, transaction_id, stated_kind, kind
    """

  private var ids: Set<UInt64> = []
  private var someNames: Set<String> = []

  var isEmpty: Bool { ids.isEmpty }

  /// The subscriptions; nil for more than a few.
  var names: Set<String>? { someNames.count <= Self.fewNames ? someNames : nil }

  mutating func insert(_ page: PurchaseRows) {
    for (row, link) in page.links.enumerated() {
      guard let link, ids.insert(link.chain).inserted, someNames.count <= Self.fewNames,
        let name = page.subscription(ofRow: row)
      else { continue }
      someNames.insert(name)
    }
  }

  /// The row that the statement is at; nil for one of another subscription.
  func row(_ statement: RawStatement) -> PurchaseChains.Row? {
    let chain = PurchaseChains.Row.chain(
      environment: statement.text(column: 3), store: statement.text(column: 4),
      subscription: statement.text(column: 5))
    guard ids.contains(chain),
      let statedKind = Self.kinds[PurchaseChains.Row.hash(of: statement.text(column: 7))]
    else { return nil }
    return PurchaseChains.Row(
      chain: chain, at: Instant(microseconds: statement.integer(column: 1)),
      id: statement.integer(column: 0), statedKind: statedKind,
      kind: Self.kinds[PurchaseChains.Row.hash(of: statement.text(column: 8))],
      transaction: PurchaseChains.Row.hash(of: statement.text(column: 6)),
      price: statement.isNull(column: 2) ? nil : statement.integer(column: 2))
  }
}
