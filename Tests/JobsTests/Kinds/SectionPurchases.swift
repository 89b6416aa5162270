import Fixtures
import Model

/// Payments of a workspace whose sections are tested.
enum SectionPurchases {
  /// Trials, payments in two currencies, refunds and billing issues of forty days before `now`.
  static func rows(before now: Instant) -> [Purchase] {
    (0..<36).flatMap { number -> [Purchase] in
      let begin = now - .seconds((38 - number) * 86_400)
      let user = number % 4 == 3 ? "" : number % 2 == 0 ? "p\(number)" : "u\(number % 24)"
      func row(
        _ kind: PurchaseKind, _ transaction: Int, at: Instant, days: Int, price: Int64?
      ) -> Purchase {
        var row = Purchase(
          kind: kind, at: at, source: number % 3 == 0 ? .revenueCatExport : .revenueCat,
          statedAt: at)
        row.subscription = "s\(number)"
        row.transaction = "t\(number)-\(transaction)"
        row.person = user
        row.product = "com.example.lite"
        row.store = "app_store"
        row.country = number % 5 == 0 ? "DE" : "US"
        row.isSandbox = number == 35
        row.paidUntil = at + .seconds(days * 86_400)
        let currency = number % 5 == 0 ? "EUR" : "USD"
        row.price = price.map { CurrencyAmount(amount: $0, currency: currency) }
        row.proceeds = row.price?.without(billionths: 300_000_000)
        return row
      }
      guard number % 6 == 0 else {
        let weeks = (38 - number) / 7 + 1
        let paid = (0..<weeks).map { week in
          row(
            week == 0 ? .start : .renewal, week, at: begin + .seconds(week * 7 * 86_400), days: 7,
            price: 299)
        }
        switch number % 6 {
        case 1:
          return [
            paid[0], row(.billingIssue, 0, at: begin + .seconds(605_000), days: 7, price: nil),
          ]
        case 2:
          return [paid[0], row(.refund, 0, at: begin + .seconds(86_400), days: 7, price: -299)]
        default: return paid
        }
      }
      let trial = row(.trialStart, 0, at: begin, days: 3, price: 0)
      let paid = row(.renewal, 1, at: begin + .seconds(3 * 86_400), days: 30, price: 999)
      return number % 12 == 0 ? [trial, paid] : [trial]
    }
  }
}
