import Model

/// The subscriptions of an import's rows, as hashes: texts of them all would need much memory.
struct PurchaseChainIds {
  /// Subscriptions whose rows are looked up one by one; of more, all rows are read.
  private static let fewNames = 20_000

  /// It only distinguishes rows, so it need not be secret.
  private static let hash = KeyedHash(low: 1, high: 0)
  private static let kinds = Dictionary(
    uniqueKeysWithValues: PurchaseKind.allCases.map { (hash.of(Array($0.rawValue.utf8)), $0) })

  /// The columns that `row` reads.
  static let columns = """
    SELECT id, at, price, environment, store, subscription, transaction_id, stated_kind, kind
    """

  private var ids: Set<UInt64> = []
  private var someNames: Set<String> = []

  var isEmpty: Bool { ids.isEmpty }

  /// The subscriptions; nil for more than a few.
  var names: Set<String>? { someNames.count <= Self.fewNames ? someNames : nil }

  private static func id(
    _ environment: some Sequence<UInt8>, _ store: some Sequence<UInt8>,
    _ subscription: some Sequence<UInt8>
  ) -> UInt64 {
    var key: [UInt8] = []
    key.reserveCapacity(64)
    key.append(contentsOf: environment)
    key.append(0)
    key.append(contentsOf: store)
    key.append(0)
    key.append(contentsOf: subscription)
    return hash.of(key)
  }

  mutating func insert(_ purchase: Purchase) {
    guard !purchase.source.isReport, !purchase.subscription.isEmpty else { return }
    let id = Self.id(
      purchase.environment.utf8, purchase.store.utf8, purchase.subscription.utf8)
    if ids.insert(id).inserted, someNames.count <= Self.fewNames {
      someNames.insert(purchase.subscription)
    }
  }

  /// The row that the statement is at; nil for one of another subscription, or without a part in
  /// what its rows make of each other.
  func row(_ statement: RawStatement) -> PurchaseChains.Row? {
    guard let statedKind = Self.kinds[Self.hash.of(statement.text(column: 7))],
      PurchaseChains.concerns(statedKind)
    else { return nil }
    let chain = Self.id(
      statement.text(column: 3), statement.text(column: 4), statement.text(column: 5))
    guard ids.contains(chain) else { return nil }
    return PurchaseChains.Row(
      chain: chain, at: Instant(microseconds: statement.integer(column: 1)),
      id: statement.integer(column: 0), statedKind: statedKind,
      kind: Self.kinds[Self.hash.of(statement.text(column: 8))],
      transaction: Self.hash.of(statement.text(column: 6)),
      price: statement.isNull(column: 2) ? nil : statement.integer(column: 2))
  }
}
