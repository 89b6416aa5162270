/*---
page: money
place: payments 12
everybody: true
optional: true
counts: records
id: purchase-sources
title: What the payments were read from
columns:
  source: {title: Source, unit: code}
  environment: {title: Environment, unit: text}
  rows: {title: Events, unit: count}
  units: {title: Units, unit: count}
  proceeds: {title: Proceeds, unit: money}
  first: {title: First, unit: instant}
  newest: {title: Newest, unit: instant}
definitions:
  Source: Of an event that several sources tell, the one that says most. Reports of the App Store
    count units of a day and name nobody. Their money is on no other table of this page, because it
    is the same money as that of the other sources.
  Sandbox: Purchases of tests, which nothing else counts.
  Units: Of payments in reports, less refunds.
  Proceeds: Of reports, by the currency that Apple pays in.
empty: No payment is known.
folded: true
---*/
SELECT source, environment, count(*) AS rows,
    CASE WHEN is_report THEN sum(iif(kind IN ('active', 'cancellation', 'billing_issue'), 0, units))
        END AS units,
    CASE WHEN is_report THEN 1.0 * sum(iif(kind = 'active', 0, proceeds)) / unit END AS proceeds,
    ifnull(proceeds_currency, '¤') AS proceeds_currency, min(at) AS first, max(at) AS newest
FROM (
    SELECT *, source LIKE 'app-store-s%' AS is_report,
        iif(source LIKE 'app-store-s%', proceeds_currency, NULL) AS told,
        CASE WHEN proceeds_currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW',
            'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 1
            WHEN proceeds_currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 1000
            WHEN proceeds_currency IN ('CLF', 'UYW') THEN 10000 ELSE 100 END AS unit
    FROM v_purchases, period WHERE at <= now
)
GROUP BY source, environment, told ORDER BY environment, source, proceeds_currency
