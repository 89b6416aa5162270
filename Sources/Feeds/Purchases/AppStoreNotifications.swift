import Model

/// App Store Server Notifications, version 2, as lines of signed payloads;
/// docs/purchases.md#signed-notifications.
final class AppStoreNotifications: PurchaseForm {
  let isOpen = false
  private let signed: SignedPayloads

  init(_ signed: SignedPayloads) { self.signed = signed }

  func begin(_ line: UnsafeBufferPointer<UInt8>) throws(PurchaseFault) -> [Purchase]? {
    try read(line)
  }

  func read(_ line: UnsafeBufferPointer<UInt8>) throws(PurchaseFault) -> [Purchase]? {
    let text = try Self.signedText(of: line)
    let notification = try SignedFields(try signed.payload(of: text))
    guard let type = notification["notificationType"] else {
      throw PurchaseFault("the notification has no notificationType")
    }
    guard let signedTransaction = notification["signedTransactionInfo"],
      let kind = Self.kind(of: type, notification["subtype"])
    else { return [] }
    let transaction = try SignedFields(try signed.payload(of: signedTransaction))
    var graceEnd: String?
    if kind == .billingIssue, let renewal = notification["signedRenewalInfo"] {
      graceEnd = try SignedFields(try signed.payload(of: renewal))["gracePeriodExpiresDate"]
    }
    return [try Self.purchase(kind, notification, transaction, graceEnd: graceEnd)]
  }

  /// The text of `{"signedPayload": "…"}`, or the line itself.
  private static func signedText(
    of line: UnsafeBufferPointer<UInt8>
  ) throws(PurchaseFault) -> String {
    guard line.first == UInt8(ascii: "{") else { return String(decoding: line, as: UTF8.self) }
    let fields = try SignedFields(Array(line))
    guard let text = fields["signedPayload"] else {
      throw PurchaseFault("it has no signedPayload")
    }
    return text
  }

  /// Nil for a notification that says nothing of money.
  private static func kind(of type: String, _ subtype: String?) -> PurchaseKind? {
    switch (type, subtype) {
    case ("SUBSCRIBED", "RESUBSCRIBE"), ("OFFER_REDEEMED", "RESUBSCRIBE"),
      ("OFFER_REDEEMED", "UPGRADE"), ("DID_CHANGE_RENEWAL_PREF", "UPGRADE"):
      .renewal
    case ("SUBSCRIBED", _), ("OFFER_REDEEMED", "INITIAL_BUY"): .start
    case ("DID_RENEW", "BILLING_RECOVERY"): .recovery
    case ("DID_RENEW", _): .renewal
    case ("ONE_TIME_CHARGE", _): .oneTime
    case ("REFUND", _): .refund
    case ("REFUND_REVERSED", _): .refundReversed
    case ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"): .cancellation
    case ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED"): .uncancellation
    case ("DID_FAIL_TO_RENEW", _): .billingIssue
    case ("EXPIRED", _): .expiry
    case ("PRICE_INCREASE", _): .priceIncrease
    case ("RENEWAL_EXTENDED", _): .extended
    default: nil
    }
  }

  private static func purchase(
    _ stated: PurchaseKind, _ notification: SignedFields, _ transaction: SignedFields,
    graceEnd: String?
  ) throws(PurchaseFault) -> Purchase {
    func time(_ name: String) throws(PurchaseFault) -> Instant? {
      try PurchaseTime.milliseconds(transaction[name], name)
    }
    let isTrial = transaction["offerDiscountType"] == "FREE_TRIAL"
    let kind = isTrial && (stated == .start || stated == .renewal) ? .trialStart : stated
    let saidAt = try PurchaseTime.milliseconds(notification["signedDate"], "signedDate")
    let endsAt = try time("expiresDate")
    let at: Instant?
    switch kind {
    case _ where kind.isPayment: at = try time("purchaseDate")
    case .refund: at = try time("revocationDate") ?? saidAt
    case .expiry: at = endsAt
    default: at = saidAt
    }
    guard let at, let saidAt else { throw PurchaseFault("a transaction lacks a date") }
    guard let id = transaction["transactionId"], !id.isEmpty else {
      throw PurchaseFault("a transaction has no transactionId")
    }
    var purchase = Purchase(kind: kind, at: at, source: .notification, statedAt: saidAt)
    purchase.eventId = notification["notificationUUID"] ?? ""
    purchase.person = transaction["appAccountToken"] ?? ""
    purchase.subscription = transaction["originalTransactionId"] ?? id
    purchase.transaction = id
    purchase.product = transaction["productId"] ?? ""
    purchase.store = "app_store"
    purchase.country = transaction["storefront"].flatMap(StorefrontCountry.code)
    purchase.isSandbox = transaction["environment"] != "Production"
    purchase.units = transaction["quantity"].flatMap { Int($0) } ?? 1
    purchase.paidUntil =
      try PurchaseTime.milliseconds(graceEnd, "gracePeriodExpiresDate") ?? endsAt
    if kind.isPayment || kind == .refund || kind == .refundReversed {
      purchase.price = try price(of: transaction, kind)
    }
    return purchase
  }

  private static func price(
    of transaction: SignedFields, _ kind: PurchaseKind
  ) throws(PurchaseFault) -> CurrencyAmount? {
    guard let text = transaction["price"], let currency = transaction["currency"] else {
      return nil
    }
    guard let thousandths = Int64(text), thousandths.magnitude < 1_000_000_000_000_000,
      var price = CurrencyAmount(thousandths: thousandths, currency: currency)
    else { throw PurchaseFault("price or currency of a transaction is no amount of money") }
    if transaction["inAppOwnershipType"] == "FAMILY_SHARED" { price.amount = 0 }
    guard kind == .refund else { return price }
    if transaction["revocationType"] == "REFUND_PRORATED" {
      // Thousandths of a percent.
      guard let share = transaction["revocationPercentage"].flatMap({ Int64($0) }),
        (0...100_000).contains(share),
        let back = price.without(billionths: 1_000_000_000 - share * 10_000)
      else { throw PurchaseFault("revocationPercentage is no share from 0 to 100000") }
      price = back
    }
    price.amount = -price.amount
    return price
  }
}
