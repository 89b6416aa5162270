import Model
import Testing

@testable import Feeds

/// What files of purchases say; docs/purchases.md#files.
@Suite struct PurchaseReaderTests {
  private static func read(
    _ text: String, gzip: Bool = false
  ) throws -> (purchases: [Purchase], others: Int) {
    let file = try ExportFile(Array(text.utf8), gzip: gzip)
    return try withExtendedLifetime(file) {
      let reader = try PurchaseReader(path: file.path)
      var all: [Purchase] = []
      while let page = try reader.nextPage() { all += page }
      return (all, reader.otherCount)
    }
  }

  /// The end of the error about a file, behind its path.
  private static func problem(_ text: String) -> String? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return "\(error)".split(separator: "read: ").last.map(String.init)
    }
  }

  private static func one(_ text: String) throws -> Purchase {
    try #require(try read(text).purchases.first)
  }

  private static func summary(_ purchase: Purchase) -> String {
    let money = purchase.price.map { "\($0.amount) \($0.currency)" } ?? "-"
    let proceeds = purchase.proceeds.map { "\($0.amount)" } ?? "-"
    return "\(purchase.kind.rawValue) \(purchase.person) \(purchase.at.microseconds / 1_000) "
      + "\((purchase.paidUntil?.microseconds).map { "\($0 / 1_000)" } ?? "-") \(money) \(proceeds)"
  }

  @Test(arguments: [
    (RevenueCatSamples.initialPurchase, "start 1234567890 1658726374000 1659331174000 499 USD 349"),
    (RevenueCatSamples.renewal, "renewal 1234567890 1658755132000 1659359932000 799 EUR 559"),
    (RevenueCatSamples.cancellation, "cancellation user_1234 1601337615995 1602022566000 - -"),
    (RevenueCatSamples.uncancellation, "uncancellation 1234567890 1663982135337 1665235092000 - -"),
    (RevenueCatSamples.nonRenewingPurchase, "one_time 1234567890 1658726519000 - 3299 CAD 2804"),
    (
      RevenueCatSamples.billingIssue,
      "billing_issue $RCAnonymousID:12345678-1234-1234-1234-123456789123 1601337601013 "
        + "1601319047000 - -"
    ),
    (RevenueCatSamples.refund, "refund user_1234 1601337615995 1601336705000 -999 USD -589"),
    (RevenueCatSamples.trialStarted, "trial_start 1234567890 1658726358573 1658992117958 0 PHP 0"),
    (RevenueCatSamples.trialCancelled, "cancellation 1234567890 1658726482659 1658984549000 - -"),
    (RevenueCatSamples.expiration, "expiry 1234567890 1697451423000 1697451423000 - -"),
    (RevenueCatSamples.subscriptionExtended, "extended 1234567890 1697451462232 1697451423000 - -"),
    (
      RevenueCatSamples.refundReversed,
      "refund_reversed 1234567890 1697451462232 1697451423000 500 USD 344"
    ),
    (
      RevenueCatSamples.transfer,
      "transfer 4BEDB450-8EF2-11E9-B475-0800200C9A66 78789789798798 - - -"
    ),
  ])
  func `a published sample says its kind, person, times and money`(
    sample: String, expected: String
  ) throws {
    #expect(Self.summary(try Self.one(sample)) == expected)
  }

  @Test(arguments: [
    RevenueCatSamples.subscriptionPaused, RevenueCatSamples.productChange,
    RevenueCatSamples.temporaryGrant, RevenueCatSamples.virtualCurrency,
  ])
  func `a sample that says nothing of paid money is counted and left out`(sample: String) throws {
    let found = try Self.read(sample)
    #expect(found.purchases.isEmpty && found.others == 1)
  }

  @Test func `a transfer says from whom, and what it is about is its event`() throws {
    let transfer = try Self.one(RevenueCatSamples.transfer)
    #expect(transfer.previousPerson == "00005A1C-6091-4F81-BE77-F0A83A271AB6")
    #expect(transfer.transaction.isEmpty && transfer.subscription.isEmpty)
    #expect(transfer.id != (try Self.one(RevenueCatSamples.refund)).id)
  }

  @Test func `a list, lines, gzip and an event alone say the same`() throws {
    let body = RevenueCatSamples.initialPurchase
    let alone = String(
      body.dropFirst(#"{"event":"#.count).dropLast(#","api_version":"1.0"}"#.count))
    let expected = try Self.one(body)
    for text in ["[\(body)]", "\n\(body)\n", alone, "\u{FEFF}\(body)"] {
      #expect(try Self.read(text).purchases == [expected])
    }
    #expect(try Self.read(body, gzip: true).purchases == [expected])
  }

  @Test(arguments: [
    (
      #""price_in_purchased_currency":4.99"#, #""price_in_purchased_currency":"x""#,
      "amount of money"
    ),
    (#""currency":"USD""#, #""currency":"usd""#, "amount of money"),
    (#""tax_percentage":0.0"#, #""tax_percentage":1.1"#, "tax_percentage is no share"),
    (#""purchased_at_ms":1658726374000"#, #""purchased_at_ms":"soon""#, "is no time"),
    (#""purchased_at_ms":1658726374000"#, #""purchased_at_ms":253402300800000"#, "is no time"),
    (#""purchased_at_ms":1658726374000"#, #""purchased_at_ms":null"#, "no purchased_at_ms"),
    (#""transaction_id":"123456789012345""#, #""transaction_id":null"#, "no transaction_id"),
    (#""type":"INITIAL_PURCHASE""#, #""type":null"#, "it has no type"),
    (#""api_version":"1.0"}"#, #""api_version":"1.0""#, "the line ends inside the record"),
  ])
  func `an event that cannot be read ends the file, with its line`(
    old: String, new: String, reason: String
  ) throws {
    let body = RevenueCatSamples.initialPurchase
    let wrong = body.replacing(old, with: new)
    #expect(wrong != body)
    let problem = try #require(Self.problem("\(body)\n\n\(wrong)\n\(body)\n"))
    #expect(problem.hasPrefix("line 3: ") && problem.contains(reason))
  }

  @Test func `a file of another form is refused, and one without lines is empty`() throws {
    #expect(Self.problem("a,b\n1,2\n")?.contains("line 1: it begins no file") == true)
    #expect(try Self.read("").purchases.isEmpty)
    #expect(try Self.read("\n \n").purchases.isEmpty)
  }

  // The export.

  private static let columns = [
    "rc_original_app_user_id", "rc_last_seen_app_user_id_alias", "country", "product_identifier",
    "start_time", "end_time", "grace_period_end_time", "store", "is_auto_renewable",
    "is_trial_period", "is_sandbox", "tax_percentage", "commission_percentage",
    "store_transaction_id", "original_store_transaction_id", "refunded_at",
    "unsubscribe_detected_at", "billing_issues_detected_at", "purchased_currency",
    "price_in_purchased_currency", "purchase_price_in_purchased_currency", "renewal_number",
    "is_trial_conversion", "ownership_type", "updated_at",
  ]

  private static func export(_ changes: [String: String]) -> String {
    var values = [
      "rc_original_app_user_id": "$RCAnonymousID:1", "rc_last_seen_app_user_id_alias": "u1",
      "country": "DE", "product_identifier": "p", "start_time": "2026-01-31 08:00:00",
      "end_time": "2026-02-28 08:00:00", "store": "app_store", "is_auto_renewable": "true",
      "is_trial_period": "false", "is_sandbox": "false", "tax_percentage": "0.1",
      "commission_percentage": "0.3", "store_transaction_id": "t2",
      "original_store_transaction_id": "t1", "purchased_currency": "EUR",
      "price_in_purchased_currency": "9.99", "purchase_price_in_purchased_currency": "9.99",
      "renewal_number": "2", "is_trial_conversion": "false", "ownership_type": "PURCHASED",
      "updated_at": "2026-02-01 00:00:00.5",
    ]
    values.merge(changes) { $1 }
    let row = columns.map { values[$0] ?? "" }.joined(separator: ",")
    return "\(columns.joined(separator: ","))\n\(row)\n"
  }

  @Test(arguments: [
    ([:], ["renewal 999 599"]), (["renewal_number": "1"], ["start 999 599"]),
    (["renewal_number": ""], ["renewal 999 599"]),
    (["renewal_number": "", "store_transaction_id": "t1"], ["start 999 599"]),
    (["is_trial_conversion": "t"], ["trial_conversion 999 599"]),
    (
      [
        "is_trial_period": "true", "price_in_purchased_currency": "",
        "purchase_price_in_purchased_currency": "",
      ], ["trial_start 0 0"]
    ),
    (["is_auto_renewable": "false"], ["one_time 999 599"]),
    (["ownership_type": "FAMILY_SHARED"], ["renewal 0 0"]),
    (
      ["refunded_at": "2026-02-02 00:00:00", "price_in_purchased_currency": "0"],
      ["renewal 999 599", "refund -999 -599"]
    ),
    (
      ["refunded_at": "2026-02-02 00:00:00", "price_in_purchased_currency": "5.99"],
      ["renewal 999 599", "refund -400 -240"]
    ),
    (
      [
        "unsubscribe_detected_at": "2026-02-02 00:00:00",
        "billing_issues_detected_at": "2026-02-28 09:00:00",
        "grace_period_end_time": "2026-03-02 08:00:00",
      ], ["renewal 999 599", "cancellation - -", "billing_issue - -"]
    ),
  ])
  func `a row of the export says what became of its transaction`(
    changes: [String: String], expected: [String]
  ) throws {
    let found = try Self.read(Self.export(changes)).purchases
    #expect(
      found.map { purchase in
        let amounts = [purchase.price, purchase.proceeds].map { $0.map { "\($0.amount)" } ?? "-" }
        return "\(purchase.kind.rawValue) \(amounts.joined(separator: " "))"
      } == expected)
    #expect(found.allSatisfy { $0.person == "u1" && $0.subscription == "t1" })
    #expect(found[0].statedAt == Instant(microseconds: 1_769_904_000_500_000))
  }

  @Test func `a field with quotes, commas and a line end is one field`() throws {
    let odd = Self.export(["product_identifier": "\"a, \"\"b\"\"\nc\""])
    #expect(try Self.one(odd).product == "a, \"b\"\nc")
    let cut = String(odd.prefix(odd.count - 60))
    #expect(Self.problem(cut)?.contains("line 3: it has") == true)
    let open = Self.export(["updated_at": "\"2026"])
    #expect(Self.problem(open)?.contains("ends inside a quoted field") == true)
    let behind = Self.export(["country": "\"DE\"x"])
    #expect(Self.problem(behind)?.contains("line 2: something follows a closing quote") == true)
  }

  @Test func `an export without a needed column is refused by its name`() throws {
    let text = Self.export([:]).replacing("start_time", with: "begin")
    #expect(Self.problem(text)?.contains("no column start_time") == true)
  }

  @Test func `an event and the export's row of one transaction are one event`() throws {
    var event = try Self.one(RevenueCatSamples.renewal)
    var row = try Self.one(Self.export(["store_transaction_id": "123456789012345"]))
    #expect(event.id == row.id)
    event.isSandbox = true
    #expect(event.id != row.id)
    row.kind = .refund
    #expect(event.id != row.id)
  }
}
