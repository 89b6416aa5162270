import Model

/// Apple's reports of Sales and Trends, as TSV: what a day had in units and money, and nobody's
/// name; docs/purchases.md#apples-reports.
final class AppStoreReport: PurchaseForm {
  /// The reports that are read, with the columns that each needs.
  private enum Layout: CaseIterable {
    case sales, subscriptionEvent, subscriber, subscription

    var source: PurchaseSource {
      switch self {
      case .sales: .sales
      case .subscriptionEvent: .subscriptionEvent
      case .subscriber: .subscriber
      case .subscription: .subscription
      }
    }

    var name: String {
      switch self {
      case .sales: "Sales"
      case .subscriptionEvent: "Subscription Event"
      case .subscriber: "Subscriber"
      case .subscription: "Subscription"
      }
    }

    /// The columns that distinguish the report from the others, in every version.
    var marks: [String] {
      switch self {
      case .sales: ["Product Type Identifier", "Units", "Begin Date"]
      case .subscriptionEvent: ["Event Date", "Event", "Quantity"]
      case .subscriber: ["Event Date", "Subscriber ID", "Units"]
      case .subscription: ["Subscription Name", "Marketing Opt-Ins", "Billing Retry"]
      }
    }

    var needed: [String] {
      switch self {
      case .sales:
        [
          "SKU", "Developer Proceeds", "End Date", "Customer Currency", "Country Code",
          "Currency of Proceeds", "Customer Price", "Subscription",
        ]
      case .subscriptionEvent: ["Subscription Name", "Country", "Subscription Offer Type"]
      case .subscriber:
        [
          "Subscription Name", "Subscription Offer Type", "Customer Price", "Customer Currency",
          "Developer Proceeds", "Proceeds Currency", "Country", "Refund",
        ]
      case .subscription:
        [
          "Customer Price", "Customer Currency", "Developer Proceeds", "Proceeds Currency",
          "Country", "Active Standard Price Subscriptions",
        ]
      }
    }
  }

  let isOpen = false

  private let layout: Layout
  private let places: [String: Int]
  /// Of a report whose rows name no day.
  private let fileDay: Instant?
  private var record = DelimitedRecord(.tab)
  /// How often a line came, by its hash.
  private var repetitions: [UInt64: Int] = [:]

  private static let hash = KeyedHash(low: 1, high: 0)

  /// Nil when the header is that of no such report.
  ///
  /// - Throws: `PurchaseFault` for a version that is retired, or a column that is missing.
  init?(header: [String], path: String) throws(PurchaseFault) {
    let names = Set(header)
    guard let layout = Layout.allCases.first(where: { names.isSuperset(of: $0.marks) }) else {
      return nil
    }
    // Columns that later versions call otherwise.
    guard !names.contains("Introductory Price Type"), !names.contains("Subscription Duration"),
      !names.contains("Promotional Offer Name")
    else {
      throw PurchaseFault(
        "it is a \(layout.name) report of version 1_2 or older, which Apple retired on 2023-03-01; "
          + "download version 1_3")
    }
    for name in layout.needed where !names.contains(name) {
      throw PurchaseFault("the \(layout.name) report has no column \(name)")
    }
    self.layout = layout
    places = Dictionary(zip(header, 0...)) { first, _ in first }
    fileDay = layout == .subscription ? try Self.day(ofFile: path) : nil
  }

  /// The last eight digits of a file's name as a day: `Subscription_80000001_20260131.txt.gz`.
  private static func day(ofFile path: String) throws(PurchaseFault) -> Instant {
    let name = path.split(separator: "/").last ?? ""
    let digits = name.split { !$0.isASCII || !$0.isNumber }.last { $0.utf8.count == 8 }
    guard let digits else {
      throw PurchaseFault(
        "the name of a Subscription report must end with its day, as Apple writes it")
    }
    return try PurchaseTime.day(
      "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))",
      "the day of the file's name")
  }

  func begin(_ line: UnsafeBufferPointer<UInt8>) throws(PurchaseFault) -> [Purchase]? { nil }

  func read(_ line: UnsafeBufferPointer<UInt8>) throws(PurchaseFault) -> [Purchase]? {
    try record.read(line)
    guard record.fields.count == places.count else {
      throw PurchaseFault("it has \(record.fields.count) fields instead of \(places.count)")
    }
    let hash = Self.hash.of(UnsafeRawBufferPointer(line))
    guard var purchase = try purchase() else { return [] }
    // Rows that are the same in all columns are as many sales as there are of them.
    let times = repetitions[hash, default: 0]
    repetitions[hash] = times + 1
    purchase.reportKey = "\(hash) \(times) \(fileDay?.microseconds ?? 0)"
    purchase.store = "app_store"
    return [purchase]
  }

  private func text(_ name: String) -> String? {
    guard let text = record.text(places[name])?.trimmed, !text.isEmpty else { return nil }
    return text
  }

  private func purchase() throws(PurchaseFault) -> Purchase? {
    switch layout {
    case .sales: try sale()
    case .subscriptionEvent: try event()
    case .subscriber: try payment()
    case .subscription: try snapshot()
    }
  }

  private func row(_ kind: PurchaseKind, at day: Instant, units: Int) -> Purchase {
    var row = Purchase(kind: kind, at: day, source: layout.source, statedAt: day)
    row.product = text("SKU") ?? text("Subscription Name") ?? ""
    row.country = text("Country Code") ?? text("Country")
    row.units = units
    return row
  }

  private func sale() throws(PurchaseFault) -> Purchase? {
    let day = try PurchaseTime.day(text("Begin Date") ?? "", "Begin Date")
    guard try PurchaseTime.day(text("End Date") ?? "", "End Date") == day else {
      throw PurchaseFault("it is of more than one day; download daily reports")
    }
    let units = try number("Units")
    let price = try amount("Customer Price", text("Customer Currency"))
    let isBack = units < 0 || (price?.amount ?? 0) < 0
    let kind: PurchaseKind
    switch text("Subscription") {
    case _ where isBack: kind = .refund
    case "New": kind = .start
    case "Renewal": kind = .renewal
    default:
      // Free downloads and updates are no money.
      guard let price, price.amount != 0 else { return nil }
      kind = .oneTime
    }
    var row = row(kind, at: day, units: isBack ? -abs(units) : units)
    row.price = price?.times(row.units)
    row.proceeds = try amount("Developer Proceeds", text("Currency of Proceeds"))?.times(row.units)
    return row
  }

  private func payment() throws(PurchaseFault) -> Purchase? {
    let day = try PurchaseTime.day(text("Event Date") ?? "", "Event Date")
    let units = try number("Units")
    let price = try amount("Customer Price", text("Customer Currency"))
    let isBack = text("Refund") == "Yes" || units < 0 || (price?.amount ?? 0) < 0
    let isTrial = text("Subscription Offer Type") == "Free Trial"
    var row = row(
      isBack ? .refund : isTrial ? .trialStart : .renewal, at: day,
      units: isBack ? -abs(units) : units)
    row.eventId = text("Subscriber ID") ?? ""
    row.price = price?.times(row.units)
    row.proceeds = try amount("Developer Proceeds", text("Proceeds Currency"))?.times(row.units)
    return row
  }

  private func snapshot() throws(PurchaseFault) -> Purchase? {
    guard let fileDay else { return nil }
    let units = try number("Active Standard Price Subscriptions")
    guard units != 0 else { return nil }
    var row = row(.active, at: fileDay, units: units)
    row.price = try amount("Customer Price", text("Customer Currency"))?.times(units)
    row.proceeds = try amount("Developer Proceeds", text("Proceeds Currency"))?.times(units)
    return row
  }

  private func event() throws(PurchaseFault) -> Purchase? {
    let day = try PurchaseTime.day(text("Event Date") ?? "", "Event Date")
    let isTrial = text("Subscription Offer Type") == "Free Trial"
    guard let name = text("Event") else { throw PurchaseFault("Event is empty") }
    guard let kind = Self.kind(of: name, isTrial: isTrial) else { return nil }
    let count = try number("Quantity")
    return row(kind, at: day, units: kind == .refund ? -abs(count) : count)
  }

  /// The kinds of Apple's event names; nil for events without a payment or the end of one.
  private static func kind(of name: String, isTrial: Bool) -> PurchaseKind? {
    switch name {
    case "Refund": .refund
    case _ where name.hasPrefix("Cancel"): .cancellation
    case _ where name.hasPrefix("Billing Retry from"), _ where name.hasPrefix("Grace Period from"):
      .billingIssue
    case _ where name.hasSuffix("from Billing Retry"),
      _ where name.hasSuffix("from Grace Period"),
      _ where name.hasSuffix("from Billing Grace Period"):
      .recovery
    case "Paid Subscription from Introductory Offer": .trialConversion
    case "Subscribe", "Opt-In",
      _ where name.hasPrefix("Start "),
      _ where name.hasPrefix("Reactivate"):
      isTrial ? .trialStart : .start
    case _ where name.hasPrefix("Renew") && !name.hasPrefix("Renewal Extension"),
      _ where name.hasPrefix("Paid Subscription from"):
      .renewal
    default: nil
    }
  }

  /// A whole number of 32 bits; Apple types counts as decimals, so it may have a fraction of zeros.
  private func number(_ name: String) throws(PurchaseFault) -> Int {
    let parts = (text(name) ?? "").split(separator: ".", omittingEmptySubsequences: false)
    let isWhole =
      parts.count == 1
      || parts.count == 2 && !parts[1].isEmpty && parts[1].utf8.allSatisfy { $0 == 0x30 }
    guard isWhole, let value = Int32(parts[0]) else {
      throw PurchaseFault("\(name) is no whole number")
    }
    return Int(value)
  }

  private func amount(_ name: String, _ currency: String?) throws(PurchaseFault) -> CurrencyAmount?
  {
    guard let written = text(name), let currency else { return nil }
    guard let amount = CurrencyAmount(decimal: written.utf8, currency: currency) else {
      throw PurchaseFault("\(name) or its currency is no amount of money")
    }
    return amount
  }
}

extension CurrencyAmount {
  /// The amount of one unit, of all; negative for units that came back.
  fileprivate func times(_ units: Int) -> CurrencyAmount {
    let (product, isBeyond) = Int64(clamping: amount.magnitude)
      .multipliedReportingOverflow(by: Int64(units))
    return CurrencyAmount(amount: isBeyond ? .max : product, currency: currency)
  }
}
