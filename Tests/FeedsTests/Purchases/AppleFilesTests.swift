import Crypto
import Fixtures
import Foundation
import HTTP
import Model
import Testing

@testable import Feeds

/// Apple's reports and signed notifications; docs/purchases.md#apples-reports.
@Suite struct AppleFilesTests {
  private static func read(
    _ text: String, name: String = "", signed: SignedPayloads = SignedPayloads()
  ) throws -> [Purchase] {
    let file = try ExportFile(Array(text.utf8), gzip: false)
    return try withExtendedLifetime(file) {
      let path = name.isEmpty ? file.path : "\(file.path)\(name)"
      if !name.isEmpty {
        try FileManager.default.copyItem(atPath: file.path, toPath: path)
      }
      defer { if !name.isEmpty { unlink(path) } }
      let reader = try PurchaseReader(path: path, signed: signed)
      var all: [Purchase] = []
      while let page = try reader.nextPage() { all += page }
      return all
    }
  }

  private static func problem(_ text: String, name: String = "") -> String {
    do {
      _ = try read(text, name: name)
      return ""
    } catch {
      return "\(error)"
    }
  }

  private static func table(_ columns: [String], _ rows: [[String: String]]) -> String {
    ([columns.joined(separator: "\t")]
      + rows.map { row in columns.map { row[$0] ?? "" }.joined(separator: "\t") })
      .joined(separator: "\n") + "\n"
  }

  private static func summary(_ purchase: Purchase) -> String {
    let amounts = [purchase.price, purchase.proceeds].map { amount in
      amount.map { "\($0.amount) \($0.currency)" } ?? "-"
    }
    return "\(purchase.kind.rawValue) \(purchase.units) \(amounts.joined(separator: " "))"
  }

  private static let sales = [
    "Provider", "SKU", "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date",
    "End Date", "Customer Currency", "Country Code", "Currency of Proceeds", "Customer Price",
    "Subscription",
  ]

  private static func sale(_ changes: [String: String]) -> [String: String] {
    [
      "Provider": "APPLE", "SKU": "p", "Product Type Identifier": "IAY", "Units": "3",
      "Developer Proceeds": "6.99", "Begin Date": "01/31/2026", "End Date": "01/31/2026",
      "Customer Currency": "EUR", "Country Code": "DE", "Currency of Proceeds": "USD",
      "Customer Price": "9.99", "Subscription": "New",
    ].merging(changes) { $1 }
  }

  @Test(arguments: [
    ([:], "start 3 2997 EUR 2097 USD"),
    (["Subscription": "Renewal"], "renewal 3 2997 EUR 2097 USD"),
    (["Subscription": " "], "one_time 3 2997 EUR 2097 USD"),
    (["Units": "-1", "Customer Price": "-9.99"], "refund -1 -999 EUR -699 USD"),
    (["Units": "-1"], "refund -1 -999 EUR -699 USD"),
    (["Units": "1", "Customer Price": "-9.99"], "refund -1 -999 EUR -699 USD"),
    (["Units": "3.00"], "start 3 2997 EUR 2097 USD"),
  ])
  func `a row of sales has the money of all its units`(changes: [String: String], expected: String)
    throws
  {
    let rows = try Self.read(Self.table(Self.sales, [Self.sale(changes)]))
    #expect(rows.map(Self.summary) == [expected])
    #expect(rows[0].at == Instant(unixSeconds: 1_769_817_600) && rows[0].country == "DE")
    #expect(rows[0].person.isEmpty && rows[0].subscription.isEmpty && rows[0].source == .sales)
  }

  @Test func `free downloads are no money, and equal rows are as many sales`() throws {
    let free = Self.sale(["Subscription": "", "Customer Price": "0", "Developer Proceeds": "0"])
    let text = Self.table(
      Self.sales, [free, Self.sale([:]), Self.sale([:]), Self.sale(["SKU": "q"])])
    let rows = try Self.read(text)
    #expect(rows.count == 3 && Set(rows.map(\.id)).count == 3)
    #expect(try Self.read(text).map(\.id) == rows.map(\.id))
  }

  @Test(arguments: [
    (["End Date": "02/06/2026"], "more than one day"), (["Units": ""], "Units is no whole number"),
    (["Units": "1.50"], "Units is no whole number"), (["Units": "1."], "Units is no whole number"),
    (["Units": "-9223372036854775808"], "Units is no whole number"),
    (["Begin Date": "2026-31-01"], "Begin Date is no day"),
    (["Customer Price": "9,99"], "Customer Price or its currency is no amount"),
  ])
  func `a row that cannot be read is refused`(changes: [String: String], reason: String) {
    let text = Self.table(Self.sales, [Self.sale([:]), Self.sale(changes)])
    #expect(Self.problem(text).contains("line 3: ") && Self.problem(text).contains(reason))
  }

  @Test func `a row that is cut is refused`() {
    let text = Self.table(Self.sales, [Self.sale([:])])
    #expect(
      Self.problem(String(text.dropLast(8))).contains("line 2: it has 11 fields instead of 12"))
  }

  private static let subscriber = [
    "Event Date", "App Name", "Subscription Name", "Standard Subscription Duration",
    "Subscription Offer Type", "Customer Price", "Customer Currency", "Developer Proceeds",
    "Proceeds Currency", "Country", "Subscriber ID", "Refund", "Purchase Date", "Units",
  ]

  @Test(arguments: [
    (["Customer Price": "9.99"], "renewal 1 999 USD 699 USD"),
    (
      ["Customer Price": "0", "Subscription Offer Type": "Free Trial"],
      "trial_start 1 0 USD 699 USD"
    ),
    (["Customer Price": "-9.99", "Refund": "Yes"], "refund -1 -999 USD -699 USD"),
  ])
  func `a subscriber's row is a payment, a trial or a refund`(
    changes: [String: String], expected: String
  ) throws {
    let row = [
      "Event Date": "2026-01-31", "Subscription Name": "p", "Customer Currency": "USD",
      "Developer Proceeds": "6.99", "Proceeds Currency": "USD", "Country": "US",
      "Subscriber ID": "17", "Units": "1",
    ].merging(changes) { $1 }
    let rows = try Self.read(Self.table(Self.subscriber, [row]))
    #expect(rows.map(Self.summary) == [expected] && rows[0].eventId == "17")
  }

  @Test(arguments: ["Introductory Price Type", "Promotional Offer Name"])
  func `a retired version is refused by its name`(column: String) {
    let old = Self.subscriber.map { $0 == "Subscription Offer Type" ? column : $0 }
    let problem = Self.problem(Self.table(old, []))
    #expect(problem.contains("Subscriber report of version 1_2 or older"))
  }

  @Test(arguments: [
    ("Subscribe", "", "start 2"), ("Start Introductory Offer", "Free Trial", "trial_start 2"),
    ("Start Introductory Offer", "Pay Up Front", "start 2"),
    ("Paid Subscription from Introductory Offer", "", "trial_conversion 2"),
    ("Renew", "", "renewal 2"), ("Renewal from Billing Retry", "", "recovery 2"),
    ("Billing Retry from Paid Subscription", "", "billing_issue 2"),
    ("Cancel", "", "cancellation 2"), ("Canceled from Billing Retry", "", "cancellation 2"),
    ("Refund", "", "refund -2"), ("Reactivate", "", "start 2"), ("Upgrade", "", ""),
    ("Renewal Extension", "", ""),
  ])
  func `Apple's events are units of a kind`(event: String, offer: String, expected: String) throws {
    let columns = [
      "Event Date", "Event", "Subscription Name", "Subscription Offer Type", "Country", "Quantity",
    ]
    let row = [
      "Event Date": "2026-01-31", "Event": event, "Subscription Name": "p",
      "Subscription Offer Type": offer, "Country": "US", "Quantity": "2",
    ]
    let rows = try Self.read(Self.table(columns, [row]))
    #expect(rows.map { "\($0.kind.rawValue) \($0.units)" } == (expected.isEmpty ? [] : [expected]))
  }

  @Test func `a Subscription report is of the day in its file's name`() throws {
    let columns = [
      "Subscription Name", "Customer Price", "Customer Currency", "Developer Proceeds",
      "Proceeds Currency", "Country", "Active Standard Price Subscriptions", "Marketing Opt-Ins",
      "Billing Retry",
    ]
    let row = [
      "Subscription Name": "p", "Customer Price": "9.99", "Customer Currency": "USD",
      "Developer Proceeds": "6.99", "Proceeds Currency": "USD", "Country": "US",
      "Active Standard Price Subscriptions": "12",
    ]
    let text = Self.table(columns, [row])
    let rows = try Self.read(text, name: "Subscription_80000001_20260131.txt")
    #expect(rows.map(Self.summary) == ["active 12 11988 USD 8388 USD"])
    #expect(rows[0].at == Instant(unixSeconds: 1_769_817_600))
    #expect(Self.problem(text, name: "none.txt").contains("must end with its day"))
    #expect(Self.problem(text, name: "_20261331.txt").contains("is no day"))
  }

  // Signed notifications.

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  private static func signed(
    _ payload: String, certificates: [String] = SignedChain.certificates,
    key: String = SignedChain.key, algorithm: String = "ES256"
  ) throws -> String {
    let list = certificates.map { "\"\($0)\"" }.joined(separator: ",")
    let header = #"{"alg":"\#(algorithm)","x5c":[\#(list)]}"#
    let bytes = "\(text(header.utf8)).\(text(payload.utf8))"
    let signature = try #require(ECKey(pem: key)?.signature(of: bytes.utf8))
    return "\(bytes).\(text(signature))"
  }

  private static func trusted() throws -> SignedPayloads {
    let root = try #require(Data(base64Encoded: SignedChain.certificates[2]))
    return SignedPayloads(roots: [try #require(CertificateChain.digest(ofFile: Array(root)))])
  }

  private static func notification(
    _ type: String, _ subtype: String? = nil, more: String = "", renewal: String? = nil
  ) throws -> String {
    let transaction = try signed(
      """
      {"transactionId":"t2","originalTransactionId":"t1","productId":"p",\
      "purchaseDate":1770000000000,"expiresDate":1772600000000,"quantity":1,\
      "appAccountToken":"u1","environment":"Production","storefront":"DEU","price":9990,\
      "currency":"EUR","signedDate":1770000000500\(more)}
      """)
    let info = try renewal.map { #","signedRenewalInfo":"\#(try signed($0))""# } ?? ""
    let payload = try signed(
      """
      {"notificationType":"\(type)"\(subtype.map { #","subtype":"\#($0)""# } ?? ""),\
      "notificationUUID":"n","signedDate":1770000001000,\
      "data":{"environment":"Production","signedTransactionInfo":"\(transaction)"\(info)}}
      """)
    return #"{"signedPayload":"\#(payload)"}"#
  }

  @Test(
    arguments: [
      ("SUBSCRIBED", "INITIAL_BUY", "", "start 1770000000000 999"),
      ("SUBSCRIBED", "RESUBSCRIBE", "", "renewal 1770000000000 999"),
      (
        "SUBSCRIBED", "INITIAL_BUY", #","offerDiscountType":"FREE_TRIAL""#,
        "trial_start 1770000000000 999"
      ),
      ("DID_RENEW", nil, "", "renewal 1770000000000 999"),
      ("DID_RENEW", "BILLING_RECOVERY", "", "recovery 1770000000000 999"),
      ("ONE_TIME_CHARGE", nil, "", "one_time 1770000000000 999"),
      ("REFUND", nil, #","revocationDate":1770000000700"#, "refund 1770000000700 -999"),
      (
        "REFUND", nil,
        #","revocationDate":1770000000700,"revocationType":"REFUND_PRORATED","revocationPercentage":40000"#,
        "refund 1770000000700 -400"
      ),
      ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", "", "cancellation 1770000001000 -"),
      ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", "", "uncancellation 1770000001000 -"),
      ("DID_FAIL_TO_RENEW", nil, "", "billing_issue 1770000001000 -"),
      ("EXPIRED", "VOLUNTARY", "", "expiry 1772600000000 -"),
      ("PRICE_INCREASE", "PENDING", "", "price_increase 1770000001000 -"),
      ("DID_RENEW", nil, #","inAppOwnershipType":"FAMILY_SHARED""#, "renewal 1770000000000 0"),
      ("CONSUMPTION_REQUEST", nil, "", ""),
    ] as [(String, String?, String, String)])
  func `a notification says what its transaction came to`(
    type: String, subtype: String?, more: String, expected: String
  ) throws {
    let rows = try Self.read(
      try Self.notification(type, subtype, more: more), signed: try Self.trusted())
    #expect(
      rows.map { row in
        "\(row.kind.rawValue) \(row.at.microseconds / 1_000) "
          + (row.price.map { "\($0.amount)" } ?? "-")
      } == (expected.isEmpty ? [] : [expected]))
    for row in rows {
      #expect(row.person == "u1" && row.subscription == "t1" && row.transaction == "t2")
      #expect(row.country == "DE" && !row.isSandbox && row.statedAt.microseconds % 1_000_000 == 0)
    }
  }

  @Test func `the end of a grace period is that of the renewal`() throws {
    let text = try Self.notification(
      "DID_FAIL_TO_RENEW", "GRACE_PERIOD",
      renewal: #"{"gracePeriodExpiresDate":1772900000000,"signedDate":1770000000000}"#)
    let row = try #require(try Self.read(text, signed: try Self.trusted()).first)
    #expect(row.paidUntil == Instant(unixSeconds: 1_772_900_000))
  }

  @Test func `a signed text alone is a notification, and Apple's root alone is trusted`() throws {
    let text = try Self.notification("DID_RENEW")
    let alone = String(text.dropFirst(#"{"signedPayload":""#.count).dropLast(2))
    #expect(try Self.read("\(alone)\n\(alone)", signed: try Self.trusted()).count == 2)
    #expect(Self.problem(text).contains("line 1: a payload is signed under a root that is not"))
  }

  @Test func `what is not signed so is refused`() throws {
    let date = #"{"notificationType":"TEST","signedDate":1770000000000}"#
    let bare = SignedChain.withoutMarks + [SignedChain.certificates[2]]
    let good = try Self.signed(date)
    let parts = good.split(separator: ".")
    let cases = [
      (try Self.signed("{}"), "no signedDate"), (try Self.signed("x"), "cannot be read"),
      (try Self.signed(date, algorithm: "none"), "names no ES256"),
      (try Self.signed(date, certificates: Array(SignedChain.certificates.prefix(2))), "names no"),
      (try Self.signed(date, certificates: bare, key: SignedChain.withoutMarksKey), "do not lead"),
      (try Self.signed(date, key: SignedChain.withoutMarksKey), "signature of a payload is wrong"),
      (
        try Self.signed(date.replacing("1770000000000", with: "1600000000000")),
        "do not lead to the root"
      ),
      ("\(parts[0]).\(parts[1])", "three parts"), ("\(parts[0]).\(parts[1]).=", "three parts"),
      ("\(parts[0]).\(parts[1]).AAAA", "signature of a payload is wrong"),
    ]
    #expect(try Self.read(good, signed: try Self.trusted()).isEmpty)
    for (text, reason) in cases {
      do {
        _ = try Self.read(#"{"signedPayload":"\#(text)"}"#, signed: try Self.trusted())
        Issue.record("\(reason): it was read")
      } catch {
        #expect("\(error)".contains(reason), "\(error)")
      }
    }
  }

  // App Store Connect.

  @Test func `a token names the key, is good for ten minutes, and is signed by ES256`() throws {
    let access = try #require(
      AppStoreConnectAccess(keyId: "K1", issuerId: "i-2", vendor: "8", pem: SignedChain.key))
    let token = try #require(access.token(now: Instant(unixSeconds: 1_770_000_000)))
    let parts = token.split(separator: ".").map(String.init)
    func text(_ part: String) throws -> String {
      String(decoding: try #require(Base64.decodeFromURL(part.utf8)), as: UTF8.self)
    }
    #expect(try text(parts[0]) == #"{"alg":"ES256","kid":"K1","typ":"JWT"}"#)
    #expect(
      try text(parts[1])
        == #"{"iss":"i-2","iat":1770000000,"exp":1770000600,"aud":"appstoreconnect-v1"}"#)
    let certificates = try SignedChain.certificates.map { text in
      Array(try #require(Data(base64Encoded: text)))
    }
    let chain = try #require(CertificateChain(der: certificates))
    let signature = try #require(Base64.decodeFromURL(parts[2].utf8))
    #expect(
      Array("\(parts[0]).\(parts[1])".utf8).withUnsafeBytes { chain.verifies(signature, of: $0) })
    #expect(AppStoreConnectAccess(keyId: "", issuerId: "", vendor: "", pem: "x") == nil)
  }

  @Test(
    arguments: [
      ([0x1F, 0x8B, 8, 0], true), ([0x1F, 0x8B], true), ([0x1F], false), ([], false),
      (Array("<html></html>".utf8), false),
    ] as [([UInt8], Bool)])
  func `an answer that is not a gzip file is asked for again`(body: [UInt8], isReport: Bool)
    async throws
  {
    let server = try ScriptedServer(answers: [.response(200, body: body)])
    let access = try #require(
      AppStoreConnectAccess(keyId: "K1", issuerId: "i-2", vendor: "8", pem: SignedChain.key))
    let client = AppStoreConnectClient(http: HTTPClient(), baseURL: server.url, access: access)
    switch try await client.report(.sales, of: "2026-01-31", now: .morning) {
    case .report(let bytes): #expect(isReport && bytes == body)
    case .later(let error): #expect(!isReport && "\(error)".contains("it is not a gzip file"))
    case .none: Issue.record("a day without a report")
    }
  }

  @Test(arguments: [
    (AppStoreConnectReport.sales, "SALES", "SUMMARY", "1_0"),
    (.subscriber, "SUBSCRIBER", "DETAILED", "1_3"),
    (.subscriptionEvent, "SUBSCRIPTION_EVENT", "SUMMARY", "1_3"),
    (.subscription, "SUBSCRIPTION", "SUMMARY", "1_3"),
  ])
  func `a report is asked for by Apple's words`(
    report: AppStoreConnectReport, type: String, subtype: String, version: String
  ) {
    #expect(
      report.path(vendor: "8", day: "2026-01-31")
        == "v1/salesReports?filter%5Bfrequency%5D=DAILY&filter%5BreportType%5D=\(type)"
        + "&filter%5BreportSubType%5D=\(subtype)&filter%5Bversion%5D=\(version)"
        + "&filter%5BvendorNumber%5D=8&filter%5BreportDate%5D=2026-01-31")
    #expect(
      report.fileName(vendor: "8", day: "2026-01-31") == "\(report.rawValue)_8_20260131.txt.gz")
  }
}
