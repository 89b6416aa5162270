/*---
page: limits
place: settings 2
id: fetched-settings
title: As the sources sent them
columns:
  field: {title: Field, unit: code}
  value: {title: Value, unit: code}
  source: {title: Source, unit: text}
  read_at: {title: Read, unit: instant}
empty: No source has sent settings yet.
counts: records
shown: 60
folded: true
---*/
SELECT wire_name AS field, raw_value AS value, source, fetched_at AS read_at
FROM v_settings ORDER BY source, wire_name
