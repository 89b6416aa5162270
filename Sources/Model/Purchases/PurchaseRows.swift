/// Rows of the table `purchases`, without a Swift string for each cell.
///
/// They are encoded where a file is read, beside the thread that stores them.
package struct PurchaseRows: Sendable {
  /// The columns of texts, in the order of each row's cells.
  package static let textColumns = [
    "event_id", "person", "previous_person", "subscription", "transaction_id", "product", "kind",
    "stated_kind", "currency", "proceeds_currency", "store", "country", "environment", "source",
  ]

  /// A text as a range of `bytes`; a negative count is NULL.
  package struct Cell: Hashable, Sendable {
    package let start: Int32
    package let count: Int32

    fileprivate static let null = Cell(start: 0, count: -1)
  }

  /// What a row holds besides its texts.
  package struct Row: Hashable, Sendable {
    package let id: Int64
    package let at: Instant
    package let paidUntil: Instant?
    package let price: Int64?
    package let proceeds: Int64?
    package let units: Int
    package let statedAt: Instant
    /// Its part in the subscription; nil for a row of a report, or of no subscription.
    package let link: PurchaseChains.Row?
  }

  /// The bytes that the cells point into, UTF-8.
  package private(set) var bytes: [UInt8] = []
  package private(set) var rows: [Row] = []
  private var cells: [Cell] = []

  package init() {}

  package init(_ purchases: some Sequence<Purchase>) {
    for purchase in purchases { append(purchase) }
  }

  package var count: Int { rows.count }
  package var isEmpty: Bool { rows.isEmpty }

  /// The cells of a row, one for each of `textColumns`.
  package func cells(ofRow row: Int) -> ArraySlice<Cell> {
    cells[row * Self.textColumns.count..<(row + 1) * Self.textColumns.count]
  }

  /// The subscription of a row.
  package func subscription(ofRow row: Int) -> String {
    let cell = cells[row * Self.textColumns.count + Self.subscriptionPlace]
    return String(decoding: bytes[Int(cell.start)..<Int(cell.start + cell.count)], as: UTF8.self)
  }

  private static let subscriptionPlace = 3

  package mutating func append(_ purchase: Purchase) {
    rows.append(
      Row(
        id: purchase.id, at: purchase.at, paidUntil: purchase.paidUntil,
        price: purchase.price?.amount, proceeds: purchase.proceeds?.amount, units: purchase.units,
        statedAt: purchase.statedAt, link: PurchaseChains.Row(purchase)))
    put(purchase.eventId)
    put(purchase.person)
    put(purchase.previousPerson)
    put(purchase.subscription)
    put(purchase.transaction)
    put(purchase.product)
    put(purchase.kind.rawValue)
    cells.append(cells[cells.count - 1])
    put(purchase.price?.currency)
    put(purchase.proceeds?.currency)
    put(purchase.store)
    put(purchase.country)
    put(purchase.environment)
    put(purchase.source.rawValue)
  }

  /// Appends a row of another page.
  package mutating func append(_ page: PurchaseRows, row: Int) {
    rows.append(page.rows[row])
    for cell in page.cells(ofRow: row) {
      guard cell.count >= 0 else {
        cells.append(.null)
        continue
      }
      let start = bytes.count
      bytes.append(contentsOf: page.bytes[Int(cell.start)..<Int(cell.start + cell.count)])
      cells.append(Cell(start: Int32(start), count: cell.count))
    }
  }

  private mutating func put(_ text: String?) {
    guard let text else { return cells.append(.null) }
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    cells.append(Cell(start: Int32(start), count: Int32(bytes.count - start)))
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
