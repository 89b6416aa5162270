import Model

/// The rows of RevenueCat's scheduled export of transactions, as CSV; docs/purchases.md#exports.
///
/// A row is a transaction with all that became of it, so that it says up to four things.
struct RevenueCatExport {
  private let places: [String: Int]

  static let required = [
    "store_transaction_id", "product_identifier", "start_time", "store", "is_sandbox",
  ]

  /// - Throws: `PurchaseFault` when a column is missing that is needed.
  init(header: [String]) throws(PurchaseFault) {
    places = Dictionary(zip(header, 0...)) { first, _ in first }
    for name in Self.required where places[name] == nil {
      throw PurchaseFault("the export has no column \(name)")
    }
  }

  /// Whether a header is that of such an export.
  static func isHeader(_ names: [String]) -> Bool { names.contains("store_transaction_id") }

  func purchases(_ record: DelimitedRecord) throws(PurchaseFault) -> [Purchase] {
    guard record.fields.count == places.count else {
      throw PurchaseFault("it has \(record.fields.count) fields instead of \(places.count)")
    }
    func text(_ name: String) -> String? { record.text(places[name]) }
    func time(_ name: String) throws(PurchaseFault) -> Instant? {
      try PurchaseTime.text(text(name), name)
    }
    guard let transaction = text("store_transaction_id") else {
      throw PurchaseFault("store_transaction_id is empty")
    }
    guard let at = try time("start_time") else { throw PurchaseFault("start_time is empty") }
    let statedAt = try time("updated_at") ?? at
    let original = text("original_store_transaction_id") ?? transaction
    let end = try time("end_time")
    let kind = kind(text, isFirst: transaction == original)
    var bare = Purchase(kind: kind, at: at, source: .revenueCatExport, statedAt: statedAt)
    bare.transaction = transaction
    bare.subscription = original
    bare.person = RevenueCatPerson.chosen(
      [text("rc_last_seen_app_user_id_alias"), text("rc_original_app_user_id")]
        .compactMap(\.self))
    bare.product = text("product_identifier") ?? ""
    bare.store = RevenueCatEvent.storeName(text("store") ?? "")
    bare.country = text("country")
    bare.isSandbox = RevenueCatEvent.isOn(text("is_sandbox"))
    bare.paidUntil = kind == .oneTime ? nil : end
    let money = try ExportedMoney(text, isTrial: kind == .trialStart)
    var payment = bare
    (payment.price, payment.proceeds) = (money.price, money.proceeds)
    var purchases = [payment]
    if let refundedAt = try time("refunded_at") {
      purchases.append(bare.saying(.refund, at: refundedAt, until: end))
      (purchases[1].price, purchases[1].proceeds) = (money.refund, money.refundProceeds)
    }
    if let leftAt = try time("unsubscribe_detected_at") {
      purchases.append(bare.saying(.cancellation, at: leftAt, until: end))
    }
    if let failedAt = try time("billing_issues_detected_at") {
      let graceEnd = try time("grace_period_end_time")
      purchases.append(bare.saying(.billingIssue, at: failedAt, until: graceEnd ?? end))
    }
    return purchases
  }

  private func kind(_ text: (String) -> String?, isFirst: Bool) -> PurchaseKind {
    if let renews = text("is_auto_renewable"), !RevenueCatEvent.isOn(renews) { return .oneTime }
    if RevenueCatEvent.isOn(text("is_trial_period")) { return .trialStart }
    if RevenueCatEvent.isOn(text("is_trial_conversion")) { return .trialConversion }
    return (text("renewal_number").map { $0 == "1" } ?? isFirst) ? .start : .renewal
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

  init(_ text: (String) -> String?, isTrial: Bool) throws(PurchaseFault) {
    guard let currency = text("purchased_currency") else { return }
    func amount(_ name: String) throws(PurchaseFault) -> CurrencyAmount? {
      guard let written = text(name) else { return nil }
      guard let amount = CurrencyAmount(decimal: written.utf8, currency: currency) else {
        throw PurchaseFault("\(name) or purchased_currency is no amount of money")
      }
      return amount
    }
    let left = try amount("price_in_purchased_currency")
    let isRefunded = text("refunded_at") != nil
    // Versions before 4 have no gross price, and a net price that a refund has changed.
    price = try amount("purchase_price_in_purchased_currency") ?? (isRefunded ? nil : left)
    if text("ownership_type") == "FAMILY_SHARED" { price?.amount = 0 }
    if isTrial { price = price ?? CurrencyAmount(amount: 0, currency: currency) }
    let share = try RevenueCatShare.taken(
      tax: text("tax_percentage"), commission: text("commission_percentage"),
      takehome: text("takehome_percentage"))
    if isRefunded, let gross = price {
      let kept = left.map { $0.amount < gross.amount ? max(0, $0.amount) : 0 } ?? 0
      refund = CurrencyAmount(amount: kept - gross.amount, currency: currency)
    }
    guard let share else { return }
    proceeds = price?.without(billionths: share)
    refundProceeds = refund?.without(billionths: share)
  }
}
