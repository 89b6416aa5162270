import Model

/// The rows of RevenueCat's scheduled export of transactions, as CSV; docs/purchases.md#exports.
///
/// A row is a transaction with all that became of it, so that it says up to four things.
struct RevenueCatExport {
  /// The places of the columns, by their raw values.
  private let places: [Int?]
  private let count: Int

  private static let required: [Column] = [.transaction, .product, .startTime, .store, .isSandbox]

  /// - Throws: `PurchaseFault` when a column is missing that is needed.
  init(header: [String]) throws(PurchaseFault) {
    let found = Dictionary(zip(header, 0...)) { first, _ in first }
    places = Column.allCases.map { found[$0.name] }
    count = found.count
    for column in Self.required where places[column.rawValue] == nil {
      throw PurchaseFault("the export has no column \(column.name)")
    }
  }

  /// A column that is read.
  enum Column: Int, CaseIterable {
    case originalUser
    case lastUser
    case country
    case product
    case startTime
    case endTime
    case graceEnd
    case store
    case isAutoRenewable
    case isTrial
    case isSandbox
    case takehome
    case tax
    case commission
    case transaction
    case originalTransaction
    case refundedAt
    case unsubscribedAt
    case billingIssueAt
    case currency
    case price
    case purchasePrice
    case renewalNumber
    case isTrialConversion
    case ownership
    case updatedAt

    var name: String {
      switch self {
      case .originalUser: "rc_original_app_user_id"
      case .lastUser: "rc_last_seen_app_user_id_alias"
      case .country: "country"
      case .product: "product_identifier"
      case .startTime: "start_time"
      case .endTime: "end_time"
      case .graceEnd: "grace_period_end_time"
      case .store: "store"
      case .isAutoRenewable: "is_auto_renewable"
      case .isTrial: "is_trial_period"
      case .isSandbox: "is_sandbox"
      case .takehome: "takehome_percentage"
      case .tax: "tax_percentage"
      case .commission: "commission_percentage"
      case .transaction: "store_transaction_id"
      case .originalTransaction: "original_store_transaction_id"
      case .refundedAt: "refunded_at"
      case .unsubscribedAt: "unsubscribe_detected_at"
      case .billingIssueAt: "billing_issues_detected_at"
      case .currency: "purchased_currency"
      case .price: "price_in_purchased_currency"
      case .purchasePrice: "purchase_price_in_purchased_currency"
      case .renewalNumber: "renewal_number"
      case .isTrialConversion: "is_trial_conversion"
      case .ownership: "ownership_type"
      case .updatedAt: "updated_at"
      }
    }
  }

  /// Whether a header is that of such an export.
  static func isHeader(_ names: [String]) -> Bool { names.contains(Column.transaction.name) }

  func purchases(_ record: DelimitedRecord) throws(PurchaseFault) -> [Purchase] {
    guard record.fields.count == count else {
      throw PurchaseFault("it has \(record.fields.count) fields instead of \(count)")
    }
    func text(_ column: Column) -> String? { record.text(places[column.rawValue]) }
    func time(_ column: Column) throws(PurchaseFault) -> Instant? {
      try PurchaseTime.text(text(column), column.name)
    }
    guard let transaction = text(.transaction) else {
      throw PurchaseFault("store_transaction_id is empty")
    }
    guard let at = try time(.startTime) else { throw PurchaseFault("start_time is empty") }
    let statedAt = try time(.updatedAt) ?? at
    let original = text(.originalTransaction) ?? transaction
    let end = try time(.endTime)
    let kind = kind(text, isFirst: transaction == original)
    var bare = Purchase(kind: kind, at: at, source: .revenueCatExport, statedAt: statedAt)
    bare.transaction = transaction
    bare.subscription = original
    bare.person = RevenueCatPerson.chosen(
      [text(.lastUser), text(.originalUser)].compactMap(\.self))
    bare.product = text(.product) ?? ""
    bare.store = RevenueCatEvent.storeName(text(.store) ?? "")
    bare.country = text(.country)
    bare.isSandbox = RevenueCatEvent.isOn(text(.isSandbox))
    bare.paidUntil = end
    let money = try ExportedMoney(text, isTrial: kind == .trialStart)
    var payment = bare
    (payment.price, payment.proceeds) = (money.price, money.proceeds)
    var purchases = [payment]
    if let refundedAt = try time(.refundedAt) {
      purchases.append(bare.saying(.refund, at: refundedAt, until: end))
      (purchases[1].price, purchases[1].proceeds) = (money.refund, money.refundProceeds)
    }
    if let leftAt = try time(.unsubscribedAt) {
      purchases.append(bare.saying(.cancellation, at: leftAt, until: end))
    }
    if let failedAt = try time(.billingIssueAt) {
      let graceEnd = try time(.graceEnd)
      purchases.append(bare.saying(.billingIssue, at: failedAt, until: graceEnd ?? end))
    }
    return purchases
  }

  private func kind(_ text: (Column) -> String?, isFirst: Bool) -> PurchaseKind {
    if let renews = text(.isAutoRenewable), !RevenueCatEvent.isOn(renews) { return .oneTime }
    if RevenueCatEvent.isOn(text(.isTrial)) { return .trialStart }
    if RevenueCatEvent.isOn(text(.isTrialConversion)) { return .trialConversion }
    return (text(.renewalNumber).map { $0 == "1" } ?? isFirst) ? .start : .renewal
  }
}

extension Purchase {
  /// What else became of the transaction.
  fileprivate func saying(_ kind: PurchaseKind, at: Instant, until: Instant?) -> Purchase {
    var other = self
    other.kind = kind
    other.at = at
    other.paidUntil = until
    return other
  }
}

/// What a row of the export says of amounts.
private struct ExportedMoney {
  var price: CurrencyAmount?
  var proceeds: CurrencyAmount?
  var refund: CurrencyAmount?
  var refundProceeds: CurrencyAmount?

  init(_ text: (RevenueCatExport.Column) -> String?, isTrial: Bool) throws(PurchaseFault) {
    guard let currency = text(.currency) else { return }
    func amount(_ column: RevenueCatExport.Column) throws(PurchaseFault) -> CurrencyAmount? {
      guard let written = text(column) else { return nil }
      guard let amount = CurrencyAmount(decimal: written.utf8, currency: currency) else {
        throw PurchaseFault("\(column.name) or purchased_currency is no amount of money")
      }
      return amount
    }
    let left = try amount(.price)
    let isRefunded = text(.refundedAt) != nil
    // Versions before 4 have no gross price, and a net price that a refund has changed.
    price = try amount(.purchasePrice) ?? (isRefunded ? nil : left)
    if text(.ownership) == "FAMILY_SHARED" { price?.amount = 0 }
    if isTrial { price = price ?? CurrencyAmount(amount: 0, currency: currency) }
    let share = try RevenueCatShare.taken(
      tax: text(.tax), commission: text(.commission),
      takehome: text(.takehome))
    if isRefunded, let gross = price {
      let kept = left.map { $0.amount < gross.amount ? max(0, $0.amount) : 0 } ?? 0
      refund = CurrencyAmount(amount: kept - gross.amount, currency: currency)
    }
    guard let share else { return }
    proceeds = price?.without(billionths: share)
    refundProceeds = refund?.without(billionths: share)
  }
}
