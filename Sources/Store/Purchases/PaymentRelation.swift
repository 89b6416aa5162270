import Model

/// The SQL that fills the relation `payment`: docs/relations.md#payment.
enum PaymentRelation {
  private static func list(_ words: some Sequence<String>) -> String {
    words.map { "'\($0)'" }.joined(separator: ", ")
  }

  /// Smallest units in one of a currency.
  private static let unit =
    "CASE"
    + CurrencyAmount.unusualDigits.sorted { $0.key < $1.key }.map { digits, currencies in
      let unit = (0..<digits).reduce(1) { product, _ in product * 10 }
      return " WHEN currency IN (\(list(currencies.sorted()))) THEN \(unit)"
    }.joined() + " ELSE 100 END"

  private static let reports = list(PurchaseSource.allCases.filter(\.isReport).map(\.rawValue))

  static let payments = list(PurchaseKind.payments.map(\.rawValue))

  /// A mean month in microseconds.
  private static let month = "30.4375 * 86400e6"

  static let filling = """
    INSERT INTO temp.payment
    WITH RECURSIVE told AS MATERIALIZED (
        SELECT purchases.* FROM main.purchases, temp.period
        WHERE environment = 'production' AND source NOT IN (\(reports)) AND at <= now
    ), owner AS (
        SELECT store, subscription, person, max(at) AS at FROM told
        WHERE person <> '' AND subscription <> '' GROUP BY store, subscription
    ), moved AS MATERIALIZED (
        SELECT previous_person, person, at, lag(at) OVER (
                PARTITION BY previous_person ORDER BY at, id) AS earlier_at
        FROM told WHERE kind = 'transfer' AND previous_person IS NOT NULL
    ), held AS (
        -- From the person that an event named last along the transfers, in the order of time.
        SELECT store, subscription, person, at, 0 AS hops FROM owner
        UNION ALL
        SELECT store, subscription, moved.person, moved.at, hops + 1
        FROM held JOIN moved ON moved.previous_person = held.person
            AND moved.at >= held.at + (hops > 0)
            AND ifnull(earlier_at < held.at + (hops > 0), TRUE)
    ), payer AS (
        -- The person of the row with the most.
        SELECT store, subscription, person, max(hops) FROM held GROUP BY store, subscription
    ), longer AS (
        SELECT store, transaction_id, max(paid_until) AS paid_until FROM told
        WHERE kind = 'extended' GROUP BY store, transaction_id
    ), ended AS (
        SELECT store, transaction_id, min(at) AS at FROM told
        WHERE kind = 'expiry' GROUP BY store, transaction_id
    ), refund AS (
        SELECT store, transaction_id, at, -price AS price FROM told AS refund
        WHERE kind IN ('refund', 'partial_refund') AND NOT EXISTS (
            SELECT 1 FROM told AS later WHERE later.kind = 'refund_reversed'
                AND later.subscription = refund.subscription
                AND later.transaction_id = refund.transaction_id AND later.at >= refund.at)
    ), paid AS (
        SELECT told.id, ifnull(payer.person, told.subscription) AS user_id, told.subscription,
            told.kind, product, told.store, country, told.at,
            max(told.paid_until, ifnull(longer.paid_until, told.paid_until)) AS paid_until,
            told.paid_until AS first_until, currency, \(unit) AS unit,
            ifnull(told.price, 0) AS price, proceeds,
            -- A refund without a price is that of all.
            iif(refund.at IS NULL, 0, max(0, coalesce(refund.price, told.price, 0))) AS refunded,
            refund.at AS refunded_at, refund.at IS NOT NULL
                AND ifnull(refund.price >= told.price, TRUE) AS is_taken_back,
            ended.at AS ended_at,
            lead(told.at) OVER chain AS next_at,
            ifnull(sum(ifnull(told.price, 0) > 0) OVER (
                PARTITION BY told.store, told.subscription ORDER BY told.at, told.id
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS paid_before
        FROM told LEFT JOIN payer USING (store, subscription)
            LEFT JOIN longer USING (store, transaction_id)
            LEFT JOIN ended USING (store, transaction_id)
            LEFT JOIN refund USING (store, transaction_id)
        WHERE told.kind IN (\(payments))
        WINDOW chain AS (PARTITION BY told.store, told.subscription ORDER BY told.at, told.id)
    )
    SELECT id, user_id, subscription, kind, product, store, country, at,
        min(paid_until, ifnull(next_at, paid_until),
            iif(is_taken_back, max(at, refunded_at), paid_until),
            max(at, ifnull(ended_at, paid_until))),
        paid_until, next_at, paid_before, currency, unit, price, proceeds, refunded, refunded_at,
        CASE WHEN price > 0 AND kind <> 'one_time' AND first_until > at THEN price / CASE
            WHEN first_until - at >= 27 * 86400e6 THEN round((first_until - at) / (\(month)))
            ELSE (first_until - at) / (\(month)) END END
    FROM paid ORDER BY at, id;

    """
}
