/// Rows of the table `purchases`, and the part that each has in its subscription.
///
/// They are encoded where a file is read, beside the thread that stores them.
package struct PurchaseRows: Sendable {
  /// The columns of the table, in its order.
  package static let columns = [
    "id", "event_id", "person", "previous_person", "subscription", "transaction_id", "product",
    "kind", "stated_kind", "at", "paid_until", "currency", "price", "proceeds_currency", "proceeds",
    "units", "store", "country", "environment", "source", "stated_at",
  ]

  /// The places of the two that are read again.
  private static let (idColumn, subscriptionColumn) = (0, 4)

  package private(set) var table = TableRows(width: columns.count)
  /// For each row its part in the subscription; nil for a row of a report, or of no subscription.
  package private(set) var links: [PurchaseChains.Row?] = []

  package init() {}

  package init(_ purchases: some Sequence<Purchase>) {
    for purchase in purchases { append(purchase) }
  }

  package var count: Int { table.count }

  package func id(ofRow row: Int) -> Int64? {
    if case .integer(let id) = table[row, Self.idColumn] { id } else { nil }
  }

  package func subscription(ofRow row: Int) -> String? {
    guard case .text(let range) = table[row, Self.subscriptionColumn] else { return nil }
    return String(decoding: table.bytes[range], as: UTF8.self)
  }

  package mutating func append(_ purchase: Purchase) {
    table.append(purchase.id)
    table.append(text: purchase.eventId)
    table.append(text: purchase.person)
    append(text: purchase.previousPerson)
    table.append(text: purchase.subscription)
    table.append(text: purchase.transaction)
    table.append(text: purchase.product)
    table.append(text: purchase.kind.rawValue)
    table.append(text: purchase.kind.rawValue)
    table.append(purchase.at.microseconds)
    table.append(purchase.paidUntil?.microseconds)
    append(text: purchase.price?.currency)
    table.append(purchase.price?.amount)
    append(text: purchase.proceeds?.currency)
    table.append(purchase.proceeds?.amount)
    table.append(Int64(purchase.units))
    table.append(text: purchase.store)
    append(text: purchase.country)
    table.append(text: purchase.environment)
    table.append(text: purchase.source.rawValue)
    table.append(purchase.statedAt.microseconds)
    links.append(PurchaseChains.Row(purchase))
  }

  /// Appends a row of another page.
  package mutating func append(_ page: PurchaseRows, row: Int) {
    page.table.bytes.withUnsafeBytes { bytes in
      for column in 0..<table.width { table.append(page.table[row, column], from: bytes) }
    }
    links.append(page.links[row])
  }

  private mutating func append(text: String?) {
    guard let text else { return table.append(nil) }
    table.append(text: text)
  }
}

extension Purchase {
  fileprivate var environment: String { isSandbox ? "sandbox" : "production" }
}

extension PurchaseChains.Row {
  /// Nil for a row of a report, or of no subscription.
  fileprivate init?(_ purchase: Purchase) {
    guard !purchase.source.isReport, !purchase.subscription.isEmpty else { return nil }
    let chain = Self.chain(
      environment: purchase.environment.utf8, store: purchase.store.utf8,
      subscription: purchase.subscription.utf8)
    self.init(
      chain: chain, at: purchase.at, id: purchase.id, statedKind: purchase.kind,
      kind: purchase.kind, transaction: Self.hash(of: Array(purchase.transaction.utf8)),
      price: purchase.price?.amount)
  }
}
