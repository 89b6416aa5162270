/// A statement about money by a store, or by a service that reads the store for the app;
/// docs/purchases.md#columns.
package struct Purchase: Hashable, Sendable {
  /// The source's own id of the event; empty when it has none.
  package var eventId = ""
  /// The app's id of the person; empty when nobody is named.
  package var person = ""
  /// The person who had it before a transfer.
  package var previousPerson: String?
  /// The store's first transaction of the subscription; empty in a report.
  package var subscription = ""
  /// The store's transaction that it is about; empty in a report.
  package var transaction = ""
  package var product = ""
  /// What the source calls it: what the subscription's other rows make of it is stored beside it.
  package var kind: PurchaseKind
  package var at: Instant
  /// The end of what is paid, or given; nil for what has none.
  package var paidUntil: Instant?
  /// Of all units together; negative for a refund.
  package var price: CurrencyAmount?
  package var proceeds: CurrencyAmount?
  package var units = 1
  package var store = ""
  /// Two capitals (ISO 3166-1); nil when it is not known.
  package var country: String?
  package var isSandbox = false
  package var source: PurchaseSource
  /// When the source said so: of two sayings of one source the later one counts.
  package var statedAt: Instant
  /// Distinguishes a row of a report from others; nil when the transaction does.
  package var reportKey: String?

  package init(kind: PurchaseKind, at: Instant, source: PurchaseSource, statedAt: Instant) {
    self.kind = kind
    self.at = at
    self.source = source
    self.statedAt = statedAt
  }

  /// It only distinguishes rows, so it need not be secret.
  private static let hash = KeyedHash(low: 0, high: 0)

  /// The same for all sources of one event: a hash of the store's transaction and of what happened
  /// to it.
  package var id: Int64 {
    var key: [UInt8] = []
    key.reserveCapacity(96)
    key.append(isSandbox ? 1 : 0)
    func append(_ name: String) {
      key.append(contentsOf: name.utf8)
      key.append(0)
    }
    append(reportKey == nil ? kind.event : source.rawValue)
    if reportKey == nil { append(store) }
    append(reportKey ?? subject)
    return Int64(bitPattern: Self.hash.of(key))
  }

  /// What it is about: a transaction, else an event.
  private var subject: String { transaction.isEmpty ? eventId : transaction }
}

/// What became of a transaction; docs/purchases.md#kinds.
package enum PurchaseKind: String, CaseIterable, Hashable, Sendable {
  case start
  case trialStart = "trial_start"
  case trialConversion = "trial_conversion"
  case renewal
  /// A payment after a billing issue.
  case recovery
  case oneTime = "one_time"
  case refund
  case partialRefund = "partial_refund"
  case refundReversed = "refund_reversed"
  case cancellation
  case uncancellation
  case billingIssue = "billing_issue"
  case expiry
  case priceIncrease = "price_increase"
  case extended
  case transfer
  /// How many subscriptions a report counted on its day.
  case active

  /// Those that begin a paid or free period, or pay once.
  package static let payments: [PurchaseKind] = [
    .start, .trialStart, .trialConversion, .renewal, .recovery, .oneTime,
  ]

  package var isPayment: Bool { Self.payments.contains(self) }

  /// A word that is the same for the kinds that one transaction has in turn, by the source.
  fileprivate var event: String {
    switch self {
    case _ where isPayment: "payment"
    case .partialRefund: Self.refund.rawValue
    default: rawValue
    }
  }
}

/// The source; the first is the most detailed, and wins when several have one event.
package enum PurchaseSource: String, CaseIterable, Hashable, Sendable {
  case revenueCat = "revenuecat"
  /// The documents of RevenueCat's extension for Firebase.
  case firestore
  case revenueCatExport = "revenuecat-export"
  case notification = "app-store-notification"
  case sales = "app-store-sales"
  case subscriber = "app-store-subscriber"
  case subscriptionEvent = "app-store-subscription-event"
  case subscription = "app-store-subscription"

  /// Whether it counts units of a day instead of naming transactions.
  package var isReport: Bool {
    switch self {
    case .revenueCat, .firestore, .revenueCatExport, .notification: false
    case .sales, .subscriber, .subscriptionEvent, .subscription: true
    }
  }

  /// Higher for a source that wins when several have one event.
  package var rank: Int { self <= .firestore ? Self.allCases.count : Self.allCases.count - place }

  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension PurchaseSource: Comparable {
  package static func < (left: PurchaseSource, right: PurchaseSource) -> Bool {
    left.place < right.place
  }
}
