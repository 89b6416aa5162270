/*---
page: money
place: payments 3
everybody: true
optional: true
counts: records
id: trials
title: Trials by the month in which they began
columns:
  month: {title: Month, unit: text}
  trials: {title: Trials, unit: count}
  running: {title: Running, unit: count}
  converted: {title: "Paid, of those over", unit: rate}
definitions:
  Paid: A payment in the same subscription after the trial began. A trial that has not ended yet is
    not counted until it has, or until somebody paid.
empty: No trial is known.
folded: true
---*/
WITH trial AS (
    SELECT strftime('%Y-%m', at / 1000000, 'unixepoch') AS month, EXISTS (
            SELECT 1 FROM payment AS paid WHERE paid.subscription = trial.subscription
                AND paid.store = trial.store AND paid.at > trial.at AND paid.price > 0
        ) AS is_paid,
        ifnull(paid_until, at) <= (SELECT now FROM period) AS is_over
    FROM payment AS trial WHERE kind = 'trial_start'
)
SELECT month, count(*) AS trials, sum(NOT is_over AND NOT is_paid) AS running,
    sum(is_paid) AS converted_part, sum(is_over OR is_paid) AS converted_whole
FROM trial GROUP BY month ORDER BY month DESC LIMIT 24
