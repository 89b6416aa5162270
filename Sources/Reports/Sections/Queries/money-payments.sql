/*---
page: money
place: payments 1
section: Payments
everybody: true
optional: true
counts: records
id: payments
title: Recurring revenue by month
columns:
  month: {title: Month, unit: text}
  recurring: {title: Recurring per month, unit: money}
  active: {title: Paid at the end, unit: count}
  new: {title: New, unit: count}
  back: {title: Came back, unit: count}
  churned: {title: Churned, unit: rate}
  renewals: {title: Renewals, unit: count}
  refunds: {title: Refunds, unit: count}
definitions:
  Recurring per month: The price of each subscription that is paid at the end of the month, divided
    by the months of its term. It is MRR by RevenueCat's definition, but a week counts as 7 of 30.4375
    days. Taxes and the store's share are in it.
  Paid at the end: Paid for, not refunded and not over. Trials, grace periods, gifts and purchases
    without a term are not in it.
  New: Paid at the end of the month, and never paid before it.
  Came back: Paid at the end of the month, not at its start, and paid some time before.
  Churned: Not paid at the end, of those that were paid at the start.
  Renewals: Payments of the month in subscriptions that had paid before.
  Months: Of UTC. The last month goes up to now. Currencies are never added up.
empty: No payment is known.
---*/
WITH paid AS MATERIALIZED (
    SELECT subscription, store, at, until, ifnull(currency, '¤') AS currency, unit, monthly,
        paid_before, kind, refunded_at,
        min(at) OVER (PARTITION BY store, subscription) AS first_at
    FROM payment WHERE price > 0
), held AS (
    SELECT month, currency, store, subscription, first_at, payment_month.start,
        max(paid.at < payment_month.start AND until >= payment_month.start) AS at_start,
        max(paid.at < payment_month."end" AND until >= payment_month."end") AS at_end,
        sum(iif(paid.at < payment_month."end" AND until >= payment_month."end",
            1.0 * monthly / unit, 0)) AS recurring
    FROM payment_month JOIN paid ON monthly IS NOT NULL
        AND paid.at < payment_month."end" AND until >= payment_month.start
    GROUP BY payment_month.start, currency, store, subscription
), movement AS (
    SELECT month, currency, sum(recurring) AS recurring, sum(at_end) AS active,
        sum(at_end AND first_at >= start) AS new,
        sum(at_end AND NOT at_start AND first_at < start) AS back,
        sum(at_start AND NOT at_end) AS gone, sum(at_start) AS present
    FROM held GROUP BY month, currency
), done AS (
    SELECT month, currency,
        sum(is_renewal) AS renewals, sum(is_refund) AS refunds
    FROM (
        SELECT at, currency, monthly IS NOT NULL AND paid_before > 0 AS is_renewal, 0 AS is_refund
        FROM paid
        UNION ALL
        SELECT refunded_at, currency, 0, 1 FROM paid WHERE refunded_at IS NOT NULL
    ) AS moved JOIN payment_month ON moved.at >= start AND moved.at < "end"
    GROUP BY month, currency
)
SELECT month, round(ifnull(recurring, 0), 2) AS recurring, currency AS recurring_currency,
    ifnull(active, 0) AS active, ifnull(new, 0) AS new, ifnull(back, 0) AS back,
    ifnull(gone, 0) AS churned_part, ifnull(present, 0) AS churned_whole,
    ifnull(renewals, 0) AS renewals, ifnull(refunds, 0) AS refunds
FROM (SELECT month, currency FROM movement UNION SELECT month, currency FROM done)
    LEFT JOIN movement USING (month, currency) LEFT JOIN done USING (month, currency)
ORDER BY month DESC, active DESC, currency
