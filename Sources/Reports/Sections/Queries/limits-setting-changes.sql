/*---
page: limits
place: history 1
id: setting-changes
title: Changed values
columns:
  changed_at: {title: When, unit: instant}
  field: {title: Field, unit: code}
  old: {title: From, unit: code, leading: false}
  new: {title: To, unit: code, leading: false}
  source: {title: Source, unit: text}
empty: No setting has changed since the first one was read.
counts: records
shown: 30
folded: true
---*/
SELECT changed_at, wire_name AS field, old_value AS old, new_value AS new, source
FROM setting_change
-- What a source had when it was first read is no change.
WHERE old_value IS NOT NULL OR changed_at > (
    SELECT min(changed_at) FROM setting_change AS first WHERE first.source = setting_change.source)
ORDER BY changed_at DESC, source, wire_name, id LIMIT 1000
