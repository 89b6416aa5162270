import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

/// The people who pay by day, from changes of the accounts' claims: docs/money.md.
@Suite struct PayersByDayTests {
  private let folder: TemporaryStore
  private let store: Store

  private static let start = UsageSectionTests.start
  private let context = ReportContext(
    appName: "ChatHub", now: start + .seconds(3 * 86_400), timeZone: "UTC", start: start,
    end: start + .seconds(3 * 86_400))

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private static let columns = "day, lite, plus, pro, monthly"

  /// Facts of the period's days.
  private var days: [DayFacts] {
    (0..<3).map { day in
      let start = Self.start + .seconds(day * 86_400)
      return DayFacts(start: start, end: start + .seconds(86_400))
    }
  }

  private func rows(
    _ changes: [(seconds: Int, from: String?, to: String?)], _ columns: String = Self.columns,
    prices: [Tier: String] = [:]
  ) throws -> [String] {
    try store.write { writer in
      for change in changes {
        try writer.database.execute(
          sql: "INSERT INTO tier_changes (uid, from_tier, to_tier, seen_at) VALUES ('u', ?, ?, ?)",
          arguments: [
            change.from, change.to, (Self.start + .seconds(change.seconds)).microseconds,
          ])
      }
    }
    return try store.rows(of: "money/payers-by-day", columns, context, days: days, prices: prices)
  }

  @Test(arguments: [(86_399, 1), (86_400, 0)])
  func `a change counts at the end of its day`(second: Int, first: Int) throws {
    let found = try rows([(-9, nil, "plus"), (second, "free", "lite")])
    #expect(
      found == ["2026-03-02|\(first)|1|0|-", "2026-03-03|1|1|0|-", "2026-03-04|1|1|0|-"])
  }

  @Test(arguments: [(3 * 86_400 - 1, 2), (3 * 86_400, 1)])
  func `what changed after the newest day counts on no day`(second: Int, last: Int) throws {
    let found = try rows([(0, nil, "lite"), (second, nil, "lite")], "people")
    #expect(found == ["1", "1", "\(last)"])
  }

  @Test func `who leaves, changes or comes back is counted by the tier of then`() throws {
    let found = try rows([
      (-90 * 86_400, nil, "lite"), (-1, "lite", nil), (1, "free", "pro"), (86_400, "pro", "plus"),
      (86_401, "plus", "free"), (2 * 86_400, nil, "lite"), (2 * 86_400, "free", "lite"),
    ])
    #expect(
      found == ["2026-03-02|0|0|1|-", "2026-03-03|0|0|0|-", "2026-03-04|2|0|0|-"])
  }

  @Test(arguments: [(0, 3), (86_399, 3), (86_400, 2), (2 * 86_400, 0)])
  func `days from the first pass on are known, and one alone is no course`(
    first: Int, count: Int
  ) throws {
    #expect(try rows([(first, nil, "lite")]).count == count)
  }

  @Test(
    arguments: [
      ([.lite: "$8/week", .plus: "$10/month"], "79.57"), ([.lite: "$8/week"], "-"),
      ([.lite: "$8/week", .plus: "10 EUR/month"], "-"), ([:], "-"),
    ] as [([Tier: String], String)])
  func `a month is people times prices, where each tier has one of one currency`(
    prices: [Tier: String], monthly: String
  ) throws {
    let changes: [(Int, String?, String?)] = [
      (0, nil, "lite"), (0, nil, "lite"), (0, nil, "plus"),
    ]
    let found = try rows(changes, "monthly", prices: prices)
    #expect(Set(found) == [monthly])
  }

  @Test func `the newest day stands beside the oldest`() throws {
    let found = try rows([(0, nil, "lite"), (86_400, "free", "lite")], "says")
    #expect(
      Set(found) == ["People who paid at the end of the newest day: 2; 2 days before: 1."])
  }

  @Test(
    arguments: [
      ("$1000/month", ": 2, $2,000 a month at least; 2 days before: 1, $1,000."),
      ("1000 CHF/month", ": 2, 2,000 CHF a month at least; 2 days before: 1, 1,000 CHF."),
      ("cheap", ": 2; 2 days before: 1."),
    ])
  func `what they pay stands behind them, where it is known`(price: String, words: String) throws {
    let found = try rows(
      [(0, nil, "lite"), (86_400, "free", "lite")], "says", prices: [.lite: price])
    #expect(Set(found) == ["People who paid at the end of the newest day" + words])
  }

  @Test func `where payments are known the claims say nothing`() throws {
    var payment = Purchase(
      kind: .start, at: Self.start, source: .revenueCat, statedAt: Self.start)
    payment.subscription = "s"
    payment.transaction = "t"
    payment.person = "u"
    payment.price = CurrencyAmount(amount: 700, currency: "USD")
    try store.write { writer in _ = try writer.addPurchases { try $0(PurchaseRows([payment])) } }
    #expect(try rows([(0, nil, "lite")]) == [])
  }
}
