/// What the rows of each subscription make of each other; docs/purchases.md#kinds.
package struct PurchaseChains: Sendable {
  /// A payment, billing issue or refund as it is stored.
  package struct Row: Hashable, Sendable {
    /// The same for the rows of one subscription, of one store and environment.
    package var chain: UInt64
    package var at: Instant
    /// Orders rows of one time.
    package var id: Int64
    package var statedKind: PurchaseKind
    /// Nil for one that is not known.
    package var kind: PurchaseKind?
    /// The same for the rows of one transaction.
    package var transaction: UInt64
    /// In the smallest unit of its currency.
    package var price: Int64?

    package init(
      chain: UInt64, at: Instant, id: Int64, statedKind: PurchaseKind, kind: PurchaseKind?,
      transaction: UInt64, price: Int64?
    ) {
      (self.chain, self.at, self.id) = (chain, at, id)
      (self.statedKind, self.kind) = (statedKind, kind)
      (self.transaction, self.price) = (transaction, price)
    }

    /// It only distinguishes rows, so it need not be secret.
    private static let keyedHash = KeyedHash(low: 1, high: 0)

    package static func hash(of bytes: [UInt8]) -> UInt64 { keyedHash.of(bytes) }

    package static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 { keyedHash.of(bytes) }

    /// The hash that the rows of one subscription share.
    package static func chain(
      environment: some Sequence<UInt8>, store: some Sequence<UInt8>,
      subscription: some Sequence<UInt8>
    ) -> UInt64 {
      var key: [UInt8] = []
      key.reserveCapacity(64)
      key.append(contentsOf: environment)
      key.append(0)
      key.append(contentsOf: store)
      key.append(0)
      key.append(contentsOf: subscription)
      return hash(of: key)
    }

    private var isIssue: Bool { statedKind == .billingIssue }

    /// By subscription and time; a billing issue comes before a payment of the same time.
    fileprivate static func areInOrder(_ left: Row, _ right: Row) -> Bool {
      if left.chain != right.chain { return left.chain < right.chain }
      if left.at != right.at { return left.at < right.at }
      if left.isIssue != right.isIssue { return left.isIssue }
      return left.id < right.id
    }
  }

  /// A row's kind that differs from the stored one.
  package struct Change: Hashable, Sendable {
    package let id: Int64
    package let kind: PurchaseKind
  }

  /// Whether rows of a kind have a part in what rows make of each other.
  private static func concerns(_ kind: PurchaseKind) -> Bool {
    kind.isPayment || kind == .billingIssue || kind == .refund
  }

  private var rows: [Row] = []

  package init() {}

  /// Adds a row, unless its kind has no part in what rows make of each other.
  package mutating func add(_ row: Row) {
    if Self.concerns(row.statedKind) { rows.append(row) }
  }

  /// The rows whose kind has to change, in the order of their ids.
  package mutating func changes() -> [Change] {
    rows.sort(by: Row.areInOrder)
    var changes: [Change] = []
    var first = 0
    while first < rows.count {
      let chain = rows[first].chain
      let end = rows[first...].firstIndex { $0.chain != chain } ?? rows.count
      Self.addChanges(of: rows[first..<end], to: &changes)
      first = end
    }
    return changes.sorted { $0.id < $1.id }
  }

  private static func addChanges(of chain: ArraySlice<Row>, to changes: inout [Change]) {
    var trialAt: Instant?
    var issueAt: Instant?
    var paidAt: Instant?
    var prices: [UInt64: Int64]?
    for row in chain {
      var kind: PurchaseKind? = row.statedKind
      switch row.statedKind {
      case .renewal, .recovery:
        if let paidAt, trialAt == paidAt {
          kind = .trialConversion
        } else if let paidAt, let issueAt, issueAt >= paidAt {
          kind = .recovery
        }
        paidAt = row.at
      case .billingIssue: issueAt = row.at
      case .refund:
        if prices == nil { prices = highestPrices(in: chain) }
        kind = row.price.map { refunded in
          (prices?[row.transaction] ?? 0) > 0 &- refunded ? .partialRefund : .refund
        }
      default:
        if row.statedKind == .trialStart { trialAt = row.at }
        paidAt = row.at
      }
      if let kind, kind != row.kind { changes.append(Change(id: row.id, kind: kind)) }
    }
  }

  /// The highest price of the payments of each transaction.
  private static func highestPrices(in chain: ArraySlice<Row>) -> [UInt64: Int64] {
    var prices: [UInt64: Int64] = [:]
    for row in chain where row.statedKind.isPayment {
      let price = row.price ?? 0
      prices[row.transaction] = max(prices[row.transaction] ?? price, price)
    }
    return prices
  }
}
