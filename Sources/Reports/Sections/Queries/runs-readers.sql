/*---
page: runs
place: readers 1
after: ledger
id: readers
section: Who reads
lead: What the imported audit log says of this period. Documents are those that were returned, which is less than Google bills.
optional: true
title: By collection, method, caller and tags
columns:
  collection: {title: Collection, unit: text}
  method: {title: Method, unit: code}
  caller: {title: Caller, unit: text, wraps: true}
  tags: {title: Tags, unit: text, optional: true, wraps: true}
  requests: {title: Requests, unit: count}
  documents: {title: Documents, unit: count, bars: true}
  share: {title: Share of documents, unit: ratio}
definitions:
  Caller: A service account, or what kind of caller it was. People's ids and addresses are not kept.
empty: No audit log of this period was imported.
counts: records
shown: 25
---*/
SELECT ifnull(nullif(collection, ''), 'not told') AS collection, method, caller,
    nullif(tags, '') AS tags, count(*) AS requests, sum(documents) AS documents,
    ifnull(sum(documents), 0) AS share_part, ifnull(sum(sum(documents)) OVER (), 0) AS share_whole,
    count(*) OVER () AS total_count
FROM v_audit_reads, period
WHERE at >= start AND at < "end"
GROUP BY collection, method, caller, tags
ORDER BY ifnull(sum(documents), 0) DESC, count(*) DESC, collection, method, caller, tags LIMIT 1000
