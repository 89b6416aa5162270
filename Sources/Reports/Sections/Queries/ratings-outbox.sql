/*---
page: ratings
place: outbox 1
id: outbox
title: Items by state
columns:
  state: {title: State, unit: level}
  count: {title: Items, unit: count}
  meaning: {title: Meaning, unit: text}
empty: The outbox has no items.
counts: records
folded: true
---*/
WITH state(place, name, meaning) AS (
    VALUES (1, 'queued', 'Waits for the next upload.'),
        (2, 'sending', 'Is on its way, or was when the program stopped.'),
        (3, 'delivered', 'Arrived; the server has it.'),
        (4, 'parked', 'Waits for another day or an upgrade.'),
        (5, 'rejected', 'Refused for good; `outbox list` gives the reason.')
)
SELECT iif(name = 'rejected' AND count(id) > 0, 'error', 'pass') AS state, name AS state_words,
    count(id) AS count, meaning
FROM state LEFT JOIN v_outbox ON state = name
WHERE EXISTS (SELECT 1 FROM v_outbox)
GROUP BY place ORDER BY place
