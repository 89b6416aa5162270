/*---
page: runs
place: staleness 1
section: Is the copy of the users fresh enough?
after: days
lead: What started the loads of users, and what another age would have cost.
id: load-triggers
counts: records
title: Runs by what started them
columns:
  job: {title: Job, unit: code}
  trigger: {title: Started by, unit: text}
  runs: {title: Runs, unit: count, bars: true}
  fetched: {title: Documents, unit: count}
  reads: {title: Billed reads, unit: count}
definitions:
  Started by: "Fresh: nothing was due, and nothing was asked. Stale: the copy was older than
    onlineUsersStaleSeconds. First load: there was no copy, or the filter was cleared. Forced,
    Filter and Manual: a person asked. Scheduled: the run did not begin, because a job that it needs
    had failed, or its file was wrong."
empty: No job loaded users in this period.
---*/
SELECT run.job, CASE run."trigger" WHEN 'first-load' THEN 'First load'
        ELSE upper(substr(run."trigger", 1, 1)) || substr(run."trigger", 2) END AS "trigger",
    count(*) AS runs, sum(run.fetched) AS fetched, sum(run.reads) AS reads
FROM run CROSS JOIN v_runs ON v_runs.id = run.id
WHERE v_runs.kind = 'sync-users' AND run.outcome <> 'locked'
GROUP BY run.job, run."trigger" ORDER BY run.job, runs DESC, run."trigger"
