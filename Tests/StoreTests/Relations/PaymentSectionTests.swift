import Model
import StoreTesting
import Testing

@testable import Store

/// What the money page says of payments; docs/money.md#payments.
@Suite struct PaymentSectionTests {
  private let folder: TemporaryStore
  private let store: Store
  /// 2026-03-15T00:00:00Z.
  private static let now = Instant(unixSeconds: 1_773_532_800)

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private static func day(_ number: Double) -> Instant {
    now + .seconds(Int64(number * 86_400))
  }

  /// Days before and after now.
  private static func row(
    _ kind: PurchaseKind, _ transaction: String, _ day: Double, until: Double? = nil,
    price: Int64? = nil, _ currency: String = "USD", of subscription: String = "s",
    person: String = "u", sandbox: Bool = false
  ) -> Purchase {
    let at = Self.day(day)
    var purchase = Purchase(kind: kind, at: at, source: .revenueCat, statedAt: at)
    purchase.subscription = subscription
    purchase.transaction = transaction
    purchase.eventId = "e\(transaction)"
    purchase.person = person
    purchase.store = "app_store"
    purchase.product = "p"
    purchase.isSandbox = sandbox
    purchase.paidUntil = until.map(Self.day)
    purchase.price = price.map { CurrencyAmount(amount: $0, currency: currency) }
    return purchase
  }

  private func rows(_ section: String, _ columns: String, _ rows: [Purchase]) throws -> [String] {
    try store.write { writer in _ = try writer.addPurchases { try $0(PurchaseRows(rows)) } }
    let context = ReportContext(
      appName: "ChatHub", now: Self.now, timeZone: "UTC", start: Self.day(-14), end: Self.now)
    return try store.rows(of: "money/\(section)", columns, context)
  }

  @Test func `terms are brought to a month, by currency, and only what is paid now counts`() throws
  {
    let found = try rows(
      "paying", "product, people, price, monthly, monthly_currency",
      [
        Self.row(.start, "m", -10, until: 20, price: 999, of: "m", person: "a"),
        Self.row(.start, "y", -100, until: 265, price: 11_988, of: "y", person: "b"),
        Self.row(.start, "w", -1, until: 6, price: 700, "JPY", of: "w", person: "c"),
        Self.row(.start, "q", -1, until: 29, price: 3_100, "KWD", of: "q", person: "d"),
        // Over, given back, free, once, of a test, and later than now.
        Self.row(.start, "o", -31, until: -0.0001, price: 999, of: "o", person: "e"),
        Self.row(.start, "r", -3, until: 27, price: 999, of: "r", person: "f"),
        Self.row(.refund, "r", -1, until: 27, price: -999, of: "r", person: "f"),
        Self.row(.trialStart, "t", -1, until: 6, price: 0, of: "t", person: "g"),
        Self.row(.oneTime, "c", -1, price: 199, of: "c", person: "h"),
        Self.row(.start, "x", -1, until: 29, price: 999, of: "x", person: "i", sandbox: true),
        Self.row(.start, "n", 0.001, until: 30, price: 999, of: "n", person: "j"),
      ])
    #expect(
      found == [
        "p|2|-|19.98|USD", "p|1|700.0|3043.75|JPY", "p|1|3.1|3.1|KWD", "All in USD|2|-|19.98|USD",
        "All in JPY|1|-|3043.75|JPY", "All in KWD|1|-|3.1|KWD",
      ])
  }

  @Test func `a month begins with what was paid, and ends with new, back and churned`() throws {
    // Now is 15 March: February are the days -42 to -14.
    let found = try rows(
      "payments", "month, recurring, active, new, back, churned_part, churned_whole, renewals",
      [
        // Paid on throughout.
        Self.row(.start, "a1", -60, until: -30, price: 1_000, of: "a", person: "a"),
        Self.row(.renewal, "a2", -30, until: 0.5, price: 1_000, of: "a", person: "a"),
        // Stopped in February.
        Self.row(.start, "b1", -60, until: -30, price: 1_000, of: "b", person: "b"),
        // Came back in March.
        Self.row(.start, "c1", -80, until: -50, price: 1_000, of: "c", person: "c"),
        Self.row(.renewal, "c2", -10, until: 20, price: 1_000, of: "c", person: "c"),
        // New in March.
        Self.row(.start, "d1", -5, until: 25, price: 1_000, of: "d", person: "d"),
      ])
    #expect(
      found.prefix(2) == ["2026-03|30.0|3|1|1|0|1|1", "2026-02|10.0|1|0|0|1|2|1"])
  }

  @Test func `an extension, a transfer and a refund that is taken back are heard`() throws {
    var moved = Self.row(.transfer, "", -2, of: "", person: "v")
    moved.previousPerson = "u"
    moved.eventId = "moved"
    let found = try rows(
      "payers", "month, people",
      [
        Self.row(.start, "t1", -20, until: -5, price: 999),
        Self.row(.extended, "t1", -6, until: 5),
        Self.row(.refund, "t1", -4, until: -5, price: -999),
        Self.row(.refundReversed, "t1", -3, until: -5, price: 999), moved,
      ])
    #expect(found == ["2026-02|1"])
    let context = ReportContext(
      appName: "ChatHub", now: Self.now, timeZone: "UTC", start: Self.day(-14), end: Self.now)
    #expect(
      try store.rows(of: "money/paying", "people, monthly", context) == ["1|20.27", "1|20.27"])
    #expect(
      try store.rows(of: "money/lifetime", "people, value", context) == ["1|9.99"])
  }

  /// The relation itself, by transaction.
  private func payments(_ columns: String, _ rows: [Purchase]) throws -> [String] {
    _ = try self.rows("received", "month", rows)
    let context = ReportContext(
      appName: "ChatHub", now: Self.now, timeZone: "UTC", start: Self.day(-14), end: Self.now)
    return try store.rows(
      selecting: "SELECT \(columns) FROM payment ORDER BY subscription", context)
  }

  @Test func `a subscription is with the last person of its transfers, there and back`() throws {
    func transfer(_ from: String, _ to: String, _ day: Double) -> Purchase {
      var row = Self.row(.transfer, "", day, of: "", person: to)
      row.previousPerson = from
      row.eventId = "\(from)\(to)"
      return row
    }
    let found = try payments(
      "subscription, user_id",
      [
        Self.row(.start, "1", -9, until: 20, price: 999, of: "1", person: "a"),
        transfer("a", "b", -9), transfer("b", "a", -8),
        Self.row(.start, "2", -9, until: 20, price: 999, of: "2", person: "c"),
        transfer("c", "d", -8), transfer("d", "e", -7), transfer("e", "f", -8.5),
        // A renewal names another one after the transfers.
        Self.row(.start, "3", -9, until: -4, price: 999, of: "3", person: "g"),
        transfer("g", "h", -8),
        Self.row(.renewal, "3b", -4, until: 20, price: 9, of: "3", person: "g"),
        // Before the purchase.
        Self.row(.start, "4", -9, until: 20, price: 999, of: "4", person: "k"),
        transfer("k", "l", -9.001),
        // There and back at one moment ends.
        Self.row(.start, "5", -9, until: 20, price: 999, of: "5", person: "m"),
        transfer("m", "n", -5), transfer("n", "m", -5),
        // At the moment of the purchase, and a second one when nothing is left to move.
        Self.row(.start, "6", -9, until: 20, price: 999, of: "6", person: "o"),
        transfer("o", "p", -9), transfer("o", "q", -8), transfer("q", "z", -7),
        // One before the purchase leaves the next one.
        Self.row(.start, "7", -9, until: 20, price: 999, of: "7", person: "r"),
        transfer("r", "s", -10), transfer("r", "t", -8),
      ])
    #expect(found == ["1|a", "2|e", "3|g", "3|g", "4|k", "5|n", "6|p", "7|t"])
  }

  @Test func `a refund without a price takes all back, and one in part does not`() throws {
    let found = try payments(
      "subscription, refunded, (until - at) / 86400000000",
      [
        Self.row(.start, "1", -9, until: 20, price: 999, of: "1"),
        Self.row(.refund, "1", -5, until: 20, of: "1"),
        Self.row(.start, "2", -9, until: 20, price: 999, of: "2"),
        Self.row(.refund, "2", -5, until: 20, price: -998, of: "2"),
        Self.row(.start, "3", -9, until: 20, of: "3"),
        Self.row(.refund, "3", -5, until: 20, of: "3"),
        Self.row(.start, "4", -9, until: 20, price: 999, of: "4"),
        Self.row(.start, "5", -9, until: 20, of: "5"),
        Self.row(.refund, "5", -5, until: 20, price: -1, of: "5"),
      ])
    #expect(found == ["1|999|4", "2|998|29", "3|0|4", "4|0|29", "5|1|4"])
  }

  @Test func `the store's end of a subscription counts where it comes before the paid one`()
    throws
  {
    let found = try payments(
      "subscription, (until - at) / 86400000000, (paid_until - at) / 86400000000",
      [
        Self.row(.start, "1", -9, until: 20, price: 999, of: "1"),
        Self.row(.expiry, "1", -5, until: -5, of: "1"),
        Self.row(.start, "2", -9, until: -2, price: 999, of: "2"),
        Self.row(.expiry, "2", -2, until: -2, of: "2"),
        Self.row(.start, "3", -9, until: 20, price: 999, of: "3"),
        Self.row(.expiry, "other", -5, until: -5, of: "3"),
        Self.row(.start, "4", -9, until: 20, price: 999, of: "4"),
        Self.row(.expiry, "4", -10, until: -10, of: "4"),
        Self.row(.oneTime, "5", -9, price: 999, of: "5"),
      ])
    #expect(found == ["1|4|29", "2|7|7", "3|29|29", "4|0|29", "5|-|-"])
  }

  @Test func `money of a month is that of its payments, less its refunds`() throws {
    let found = try rows(
      "received", "month, payments, paid, refunds, refunded, paid_currency",
      [
        Self.row(.start, "t1", -20, until: 10, price: 999),
        Self.row(.refund, "t1", -2, until: 10, price: -400),
        Self.row(.oneTime, "t2", -20, price: 150, "JPY", of: "x"),
        Self.row(.trialStart, "t3", -1, until: 6, price: 0, of: "y"),
      ])
    #expect(
      found == [
        "2026-03|0|0.0|1|4.0|USD", "2026-02|1|150.0|0|0.0|JPY", "2026-02|1|9.99|0|0.0|USD",
      ])
  }

  @Test func `a trial counts once it is over, or paid`() throws {
    let found = try rows(
      "trials", "month, trials, running, converted_part, converted_whole",
      [
        Self.row(.trialStart, "a", -10, until: -3, price: 0, of: "a"),
        Self.row(.trialStart, "b", -10, until: -3, price: 0, of: "b"),
        Self.row(.renewal, "b2", -3, until: 27, price: 999, of: "b"),
        Self.row(.trialStart, "c", -7, until: 0, price: 0, of: "c"),
        Self.row(.trialStart, "d", -7, until: 0.0001, price: 0, of: "d"),
      ])
    #expect(found == ["2026-03|4|1|1|3"])
  }

  private func account(_ uid: String, _ tier: String?, other: Bool = false) throws {
    let tier = tier.map { "'\($0)'" } ?? "NULL"
    try folder.execute(
      """
      INSERT INTO auth_users (uid, email_verified, providers, disabled, factors, tier,
        names_other_tier, synced_at, pass)
      VALUES ('\(uid)', 0, '[]', 0, 0, \(tier), \(other ? 1 : 0), \(Self.now.microseconds), 1)
      """)
  }

  @Test func `who is entitled and has not paid for a day is listed`() throws {
    for (uid, tier) in [
      ("never", "lite"), ("over", "plus"), ("just", "pro"), ("paid", "lite"), ("trial", "lite"),
      ("grace", "lite"), ("back", "lite"), ("free", "free"), ("ever", "pro"), ("pass", "pro"),
      ("gift", "lite"), ("once", "lite"), ("ended", "lite"), ("heir", "lite"),
    ] { try account(uid, tier) }
    try account("none", nil)
    var moved = Self.row(.transfer, "", -3, of: "", person: "heir")
    moved.previousPerson = "old"
    moved.eventId = "moved"
    let found = try rows(
      "not-paid", "user_id, in_all, tier",
      [
        Self.row(.start, "o", -31, until: -1.0001, price: 999, of: "o", person: "over"),
        Self.row(.start, "j", -31, until: -1, price: 999, of: "j", person: "just"),
        Self.row(.start, "p", -1, until: 29, price: 999, of: "p", person: "paid"),
        Self.row(.trialStart, "t", -1, until: 6, price: 0, of: "t", person: "trial"),
        Self.row(.start, "g", -40, until: -10, price: 999, of: "g", person: "grace"),
        Self.row(.billingIssue, "g", -10, until: 6, of: "g", person: "grace"),
        Self.row(.start, "b", -9, until: 21, price: 999, of: "b", person: "back"),
        Self.row(.refund, "b", -8, until: 21, price: -999, of: "b", person: "back"),
        // For ever, a year's pass, a gift; a pass that is over, and a subscription ended at once.
        Self.row(.oneTime, "e", -60, price: 9_999, of: "e", person: "ever"),
        Self.row(.oneTime, "y", -30, until: 335, price: 4_999, of: "y", person: "pass"),
        Self.row(.oneTime, "f", -5, until: 25, price: 0, of: "f", person: "gift"),
        Self.row(.oneTime, "w", -9, until: -2, price: 99, of: "w", person: "once"),
        Self.row(.start, "d", -9, until: 20, price: 999, of: "d", person: "ended"),
        Self.row(.expiry, "d", -5, until: -5, of: "d", person: "ended"),
        // A grace period of somebody whose subscription moved.
        Self.row(.start, "h", -40, until: -10, price: 999, of: "h", person: "old"),
        Self.row(.billingIssue, "h", -10, until: 6, of: "h", person: "old"), moved,
      ])
    #expect(
      found == ["over|5|Plus", "once|5|Lite", "ended|5|Lite", "back|5|Lite", "never|5|Lite"])
  }

  @Test func `who pays and is not entitled is listed, an hour after the payment`() throws {
    for (uid, tier) in [
      ("in", "lite"), ("late", nil), ("soon", nil), ("gone", nil), ("trial", nil),
    ]
      as [(String, String?)]
    { try account(uid, tier) }
    try account("odd", nil, other: true)
    let found = try rows(
      "not-entitled", "user_id, in_all",
      [
        Self.row(.start, "i", -1, until: 29, price: 999, of: "i", person: "in"),
        Self.row(.start, "l", -1.0 / 24 - 0.0001, until: 29, price: 999, of: "l", person: "late"),
        Self.row(.start, "s", -1.0 / 24, until: 29, price: 999, of: "s", person: "soon"),
        Self.row(.start, "g", -31, until: -1, price: 999, of: "g", person: "gone"),
        Self.row(.trialStart, "t", -1, until: 6, price: 0, of: "t", person: "trial"),
        Self.row(.start, "o", -1, until: 29, price: 999, of: "o", person: "odd"),
      ])
    #expect(found == ["late|1"])
  }

  @Test func `a billing issue is open until a payment comes after it, and for sixty days`() throws {
    let found = try rows(
      "unrecovered", "user_id, in_all, payers",
      [
        Self.row(.start, "a", -40, until: -10, price: 999, of: "a", person: "a"),
        Self.row(.billingIssue, "a", -10, until: -10, of: "a", person: "a"),
        Self.row(.start, "b", -40, until: -10, price: 999, of: "b", person: "b"),
        Self.row(.billingIssue, "b", -10, until: -10, of: "b", person: "b"),
        Self.row(.renewal, "b2", -9, until: 21, price: 999, of: "b", person: "b"),
        Self.row(.start, "c", -91, until: -61, price: 999, of: "c", person: "c"),
        Self.row(.billingIssue, "c", -60.0001, until: -60, of: "c", person: "c"),
      ])
    #expect(found == ["a|1|2"])
  }

  @Test func `renewals that fall and refunds that double are worse`() throws {
    func terms(_ count: Int, ending day: Double, renewed: Int, refunded: Int) -> [Purchase] {
      (0..<count).flatMap { number -> [Purchase] in
        let name = "\(day)-\(number)"
        var rows = [
          Self.row(.start, "a\(name)", day - 7, until: day, price: 999, of: name, person: name)
        ]
        if number < renewed {
          rows.append(
            Self.row(.renewal, "b\(name)", day, until: day + 7, price: 999, of: name, person: name))
        }
        if number < refunded {
          rows.append(
            Self.row(.refund, "a\(name)", day - 6.5, until: day, price: -1, of: name, person: name))
        }
        return rows
      }
    }
    let found = try rows(
      "payment-changes", "measure, before_part, before_whole, now_part, now_whole, is_worse",
      terms(100, ending: -40, renewed: 80, refunded: 2)
        + terms(100, ending: -12, renewed: 40, refunded: 9))
    #expect(found == ["Renewed|80|180|40|140|1", "Refunded|2|180|9|140|1"])
  }

  @Test func `without a payment every section is empty`() throws {
    try account("a", "lite")
    for section in [
      "paying", "payments", "received", "trials", "payers", "lifetime", "limit-payers",
      "price-received", "not-paid", "not-entitled", "unrecovered", "payment-changes",
      "purchase-sources",
    ] {
      #expect(try rows(section, "*", []) == [], "\(section)")
    }
  }

  @Test func `smallest units in SQL are those of the program`() throws {
    var rows: [Purchase] = []
    for (number, currency) in (CurrencyAmount.unusualDigits.values.flatMap(\.self) + ["USD"])
      .sorted().enumerated()
    {
      rows.append(
        Self.row(.oneTime, "\(number)", -1, price: 10_000, currency, of: "\(number)"))
    }
    let found = try self.rows("received", "paid_currency, paid", rows)
    let expected = rows.compactMap(\.price).map { price in
      let unit = (0..<CurrencyAmount.digits(of: price.currency)).reduce(1) { all, _ in all * 10 }
      return "\(price.currency)|\(Double(10_000 / unit))"
    }
    #expect(found.sorted() == expected.sorted())
  }
}
