package import Model

/// The members of an event of RevenueCat about payments, as texts;
/// docs/purchases.md#revenuecat.
package struct RevenueCatEvent: Hashable, Sendable {
  /// The names of the members that are read.
  package static let names = Set(Self.places.keys)

  private static let places: [String: any WritableKeyPath<RevenueCatEvent, String?> & Sendable] = [
    "type": \.type, "id": \.id, "app_user_id": \.appUserId,
    "original_app_user_id": \.originalAppUserId, "aliases": \.aliases,
    "transaction_id": \.transactionId, "original_transaction_id": \.originalTransactionId,
    "product_id": \.productId, "period_type": \.periodType, "purchased_at_ms": \.purchasedAt,
    "expiration_at_ms": \.expirationAt, "grace_period_expiration_at_ms": \.graceEndsAt,
    "event_timestamp_ms": \.timestamp, "environment": \.environment,
    "country_code": \.countryCode, "currency": \.currency,
    "price_in_purchased_currency": \.price, "tax_percentage": \.tax,
    "commission_percentage": \.commission, "takehome_percentage": \.takehome,
    "is_trial_conversion": \.isTrialConversion, "is_family_share": \.isFamilyShare,
    "cancel_reason": \.cancelReason, "store": \.store, "transferred_from": \.transferredFrom,
    "transferred_to": \.transferredTo,
  ]

  private var type, id, appUserId, originalAppUserId, transactionId, originalTransactionId: String?
  /// Lists are JSON.
  private var aliases, transferredFrom, transferredTo: String?
  private var productId, periodType, purchasedAt, expirationAt, graceEndsAt, timestamp: String?
  private var environment, countryCode, currency, price, tax, commission, takehome: String?
  private var isTrialConversion, isFamilyShare, cancelReason, store: String?

  /// An event of texts by the names of its members; others are ignored.
  package init(_ texts: [String: String]) {
    for (name, text) in texts {
      if let place = Self.places[name] { self[keyPath: place] = text }
    }
  }

  /// Reads the event of one line: the body of a webhook, or the event alone.
  init(in bytes: UnsafeBufferPointer<UInt8>) throws(JSONScanner.Fault) {
    var scanner = try JSONScanner(validating: bytes)
    try scanner.members { scanner, key throws(JSONScanner.Fault) in
      switch key {
      case "event":
        try scanner.members { scanner, key throws(JSONScanner.Fault) in try read(key, &scanner) }
      default: try read(key, &scanner)
      }
    }
    try scanner.finish()
  }

  private mutating func read(
    _ key: JSONScanner.Key, _ scanner: inout JSONScanner
  ) throws(JSONScanner.Fault) {
    switch key {
    case "type": type = try scanner.textOrSkip()
    case "id": id = try scanner.textOrSkip()
    case "app_user_id": appUserId = try scanner.textOrSkip()
    case "original_app_user_id": originalAppUserId = try scanner.textOrSkip()
    case "aliases": aliases = try scanner.valueText()
    case "transaction_id": transactionId = try scanner.textOrSkip()
    case "original_transaction_id": originalTransactionId = try scanner.textOrSkip()
    case "product_id": productId = try scanner.textOrSkip()
    case "period_type": periodType = try scanner.textOrSkip()
    case "purchased_at_ms": purchasedAt = try scanner.textOrSkip()
    case "expiration_at_ms": expirationAt = try scanner.textOrSkip()
    case "grace_period_expiration_at_ms": graceEndsAt = try scanner.textOrSkip()
    case "event_timestamp_ms": timestamp = try scanner.textOrSkip()
    case "environment": environment = try scanner.textOrSkip()
    default: try readMoney(key, &scanner)
    }
  }

  private mutating func readMoney(
    _ key: JSONScanner.Key, _ scanner: inout JSONScanner
  ) throws(JSONScanner.Fault) {
    switch key {
    case "country_code": countryCode = try scanner.textOrSkip()
    case "currency": currency = try scanner.textOrSkip()
    case "price_in_purchased_currency": price = try scanner.textOrSkip()
    case "tax_percentage": tax = try scanner.textOrSkip()
    case "commission_percentage": commission = try scanner.textOrSkip()
    case "takehome_percentage": takehome = try scanner.textOrSkip()
    case "is_trial_conversion": isTrialConversion = try scanner.flagText()
    case "is_family_share": isFamilyShare = try scanner.flagText()
    case "cancel_reason": cancelReason = try scanner.textOrSkip()
    case "store": store = try scanner.textOrSkip()
    case "transferred_from": transferredFrom = try scanner.valueText()
    case "transferred_to": transferredTo = try scanner.valueText()
    default: try scanner.skipValue()
    }
  }
}

extension RevenueCatEvent {
  /// What the event says of money; nil for one that says nothing of it.
  package func purchase(from source: PurchaseSource) throws(PurchaseFault) -> Purchase? {
    guard let type, !type.isEmpty else { throw PurchaseFault("it has no type") }
    guard let kind = kind(of: type) else { return nil }
    let saidAt = try PurchaseTime.milliseconds(timestamp, "event_timestamp_ms")
    let boughtAt = try PurchaseTime.milliseconds(purchasedAt, "purchased_at_ms")
    let endsAt = try PurchaseTime.milliseconds(expirationAt, "expiration_at_ms")
    let at = kind.isPayment ? boughtAt : kind == .expiry ? endsAt ?? saidAt : saidAt
    guard let at else {
      throw PurchaseFault("it has no \(kind.isPayment ? "purchased_at_ms" : "event_timestamp_ms")")
    }
    var purchase = Purchase(kind: kind, at: at, source: source, statedAt: saidAt ?? at)
    purchase.eventId = id ?? ""
    purchase.store = Self.storeName(store ?? "")
    purchase.isSandbox = environment == "SANDBOX" || environment?.uppercased() == "SANDBOX"
    guard kind != .transfer else { return try transfer(purchase) }
    guard let transaction = transactionId, !transaction.isEmpty else {
      throw PurchaseFault("it has no transaction_id")
    }
    purchase.transaction = transaction
    purchase.subscription = originalTransactionId.flatMap { $0.isEmpty ? nil : $0 } ?? transaction
    purchase.person = try person()
    purchase.product = productId ?? ""
    purchase.country = countryCode.flatMap { $0.isEmpty ? nil : $0 }
    let graceEnd =
      kind == .billingIssue
      ? try PurchaseTime.milliseconds(graceEndsAt, "grace_period_expiration_at_ms") : nil
    purchase.paidUntil = graceEnd ?? endsAt
    if kind.isPayment || kind == .refund || kind == .refundReversed {
      (purchase.price, purchase.proceeds) = try money()
    }
    return purchase
  }

  private func kind(of type: String) -> PurchaseKind? {
    switch type {
    case "INITIAL_PURCHASE": periodType == "TRIAL" ? .trialStart : .start
    case "RENEWAL": Self.isOn(isTrialConversion) ? .trialConversion : .renewal
    case "NON_RENEWING_PURCHASE": .oneTime
    case "CANCELLATION":
      switch cancelReason {
      case "CUSTOMER_SUPPORT": .refund
      case "BILLING_ERROR": .billingIssue
      default: .cancellation
      }
    case "UNCANCELLATION": .uncancellation
    case "BILLING_ISSUE": .billingIssue
    case "EXPIRATION": .expiry
    case "SUBSCRIPTION_EXTENDED": .extended
    case "REFUND_REVERSED": .refundReversed
    case "TRANSFER": .transfer
    default: nil
    }
  }

  private func transfer(_ bare: Purchase) throws(PurchaseFault) -> Purchase {
    var purchase = bare
    guard !purchase.eventId.isEmpty else { throw PurchaseFault("it has no id") }
    purchase.person = RevenueCatPerson.chosen(
      try Self.texts(ofList: transferredTo, "transferred_to"))
    purchase.previousPerson = RevenueCatPerson.chosen(
      try Self.texts(ofList: transferredFrom, "transferred_from"))
    return purchase
  }

  private func person() throws(PurchaseFault) -> String {
    // Most events name the app's id first, and reading a list costs as much as the rest of a line.
    if let appUserId, RevenueCatPerson.isNamed(appUserId), Self.isList(aliases) { return appUserId }
    return RevenueCatPerson.chosen(
      [appUserId, originalAppUserId].compactMap(\.self)
        + (try Self.texts(ofList: aliases, "aliases")))
  }

  /// Whether JSON is a list, or there is none.
  private static func isList(_ json: String?) -> Bool {
    json.map { $0.utf8.first == UInt8(ascii: "[") } ?? true
  }

  private func money() throws(PurchaseFault) -> (CurrencyAmount?, CurrencyAmount?) {
    guard let price, !price.isEmpty, let currency else { return (nil, nil) }
    guard let amount = CurrencyAmount(decimal: price.utf8, currency: currency) else {
      throw PurchaseFault("price_in_purchased_currency or currency is no amount of money")
    }
    // Nobody paid for what a family shares.
    if Self.isOn(isFamilyShare) {
      let nothing = CurrencyAmount(amount: 0, currency: currency)
      return (nothing, nothing)
    }
    let share = try RevenueCatShare.taken(tax: tax, commission: commission, takehome: takehome)
    return (amount, share.flatMap { amount.without(billionths: $0) })
  }
}

/// The person behind RevenueCat's ids of one customer.
enum RevenueCatPerson {
  private static let anonymous = "$RCAnonymousID:"

  /// The first id that the app gave, else the first one; empty without ids.
  static func chosen(_ ids: [String]) -> String {
    let ids = ids.filter { !$0.isEmpty }
    return ids.first(where: isNamed) ?? ids.first ?? ""
  }

  /// Whether the app gave the id.
  static func isNamed(_ id: String) -> Bool {
    !id.isEmpty && !id.utf8.starts(with: anonymous.utf8)
  }
}

/// What stores take of a price by RevenueCat's estimate.
enum RevenueCatShare {
  /// In billionths of the price; nil when nothing says it.
  static func taken(
    tax: String?, commission: String?, takehome: String?
  ) throws(PurchaseFault) -> Int64? {
    if let commission = try share(commission, "commission_percentage") {
      return commission + (try share(tax, "tax_percentage") ?? 0)
    }
    return try share(takehome, "takehome_percentage").map { 1_000_000_000 - $0 }
  }

  private static func share(_ text: String?, _ name: String) throws(PurchaseFault) -> Int64? {
    guard let text, !text.isEmpty else { return nil }
    let share = CurrencyAmount.scaled(text.utf8, digits: 9)
    guard let share, (0...1_000_000_000).contains(share) else {
      throw PurchaseFault("\(name) is no share from 0 to 1")
    }
    return share
  }
}

extension RevenueCatEvent {
  /// Whether a text says yes, as versions of RevenueCat's exports, JSON and SQLite write it.
  static func isOn(_ text: String?) -> Bool {
    guard let text else { return false }
    return text == "true" || text == "t" || text == "1" || text == "TRUE" || text == "True"
  }

  /// The name of a store in lower case; the App Store of Macs has the same transactions as the
  /// other.
  static func storeName(_ name: String) -> String {
    switch name {
    case "APP_STORE", "app_store": "app_store"
    case "PLAY_STORE", "play_store": "play_store"
    default:
      switch name.lowercased() {
      case "mac_app_store": "app_store"
      case let name: name
      }
    }
  }

  /// The texts of a JSON list.
  private static func texts(ofList json: String?, _ name: String) throws(PurchaseFault) -> [String]
  {
    guard let json, !json.isEmpty, json != "null" else { return [] }
    do throws(JSONScanner.Fault) {
      return try JSONScanner.read(Array(json.utf8)) { scanner throws(JSONScanner.Fault) in
        var texts: [String] = []
        try scanner.elements { scanner throws(JSONScanner.Fault) in
          if let text = try scanner.textOrSkip() { texts.append(text) }
        }
        return texts
      }
    } catch {
      throw PurchaseFault("\(name) is no JSON list of texts")
    }
  }
}

extension JSONScanner {
  /// `true`, `false`, or a number or text as it is written; nil for any other value.
  fileprivate mutating func flagText() throws(Fault) -> String? {
    switch peek() {
    case UInt8(ascii: "t"), UInt8(ascii: "f"): try boolean() ? "true" : "false"
    default: try textOrSkip()
    }
  }

  /// The JSON of the next value, as it is written.
  fileprivate mutating func valueText() throws(Fault) -> String {
    String(decoding: try valueBytes(), as: UTF8.self)
  }
}
