/*---
page: runs
place: days
id: newest-reads
title: Billed reads of the newest days
columns:
  day: {title: Day, unit: day}
  reads: {title: Billed reads, unit: count}
empty: None of these days is known.
counts: records
folded: true
---*/
SELECT date AS day, reads FROM newest_day JOIN day USING (day) ORDER BY day.day DESC