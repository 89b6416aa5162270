/*---
page: users
place: demand 1
everybody: true
id: filter-combinations
title: Criteria used together
columns:
  criteria: {title: Filtered by, unit: text}
  taps: {title: "Taps, of all", unit: ratio}
  people: {title: "People, of all", unit: ratio}
  empty: {title: "Found nobody, of known results", unit: rate}
definitions:
  Found nobody, of known results: Of the filters that ran and have the number of users found.
empty: Nobody tapped the filter in this period.
shown: 12
---*/
SELECT CASE criteria WHEN '' THEN 'no criterion' ELSE replace(criteria, ' ', ' + ') END AS criteria,
    sum(is_tap) AS taps_part, sum(sum(is_tap)) OVER () AS taps_whole,
    count(DISTINCT CASE WHEN is_tap THEN person END) AS people_part,
    (SELECT count(DISTINCT person) FROM filter_use WHERE is_tap) AS people_whole,
    sum(results = 0) AS empty_part, nullif(count(results), 0) AS empty_whole,
    (
        SELECT format('The most frequent filter is %s: %,d of %,d taps.',
                iif(criteria = '', 'one without a criterion', replace(criteria, ' ', ' + ')), taps,
                whole)
            || iif(known = 0, '', format(' %,d of %,d filters found nobody.', empty, known))
        FROM (
            SELECT criteria, sum(is_tap) AS taps, sum(sum(is_tap)) OVER () AS whole,
                sum(sum(results = 0)) OVER () AS empty, sum(count(results)) OVER () AS known
            FROM filter_use GROUP BY criteria ORDER BY taps DESC, criteria LIMIT 1
        )
    ) AS says
FROM filter_use
WHERE (is_tap OR results IS NOT NULL) AND EXISTS (SELECT 1 FROM filter_use WHERE is_tap)
GROUP BY filter_use.criteria
ORDER BY taps_part DESC, filter_use.criteria
