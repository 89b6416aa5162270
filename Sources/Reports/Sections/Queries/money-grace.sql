/*---
page: money
place: grace 1
everybody: true
id: grace
title: New people by their free period
columns:
  period: {title: Free period, unit: text}
  people: {title: New people, unit: count}
  week: {title: In 7 days, unit: rate}
  month: {title: In days 8 to 28, unit: rate}
  subscribed: {title: Subscribed, unit: rate}
  difference: {title: Difference, unit: points}
  still_open: {title: Too early to tell, unit: count}
definitions:
  Free period: The value of newUserFreePeriodSeconds (freeTrialEndsAtSeconds) that lies after the
    person's last event as a new user, and not after the first as a free user. The values of
    conditions are possible, and the value without a condition that was in force when the account
    was made.
  Several fit: People whose events fit several values, for example because they left before the
    shortest free period was over. While a condition has a value, these people have a row of their
    own, so that no row has more people who left early. Without conditions they count for the value
    in force.
  None fits: People whose events contradict every possible value.
  New people: People whose first event is in the newest 102 days. Their first day is the day on
    which the account was made, if sync-auth has read it, otherwise the day of the first event.
  In 7 days, in days 8 to 28: With an event in these days, counted from the day after the account
    was made.
  Subscribed: Within 28 days.
  Too early to tell: People whose days are not over, or not all known. The shares leave them out.
  Difference: The share that subscribed, compared with the first row, with Newcombe's interval.
    Blank when conditions have values and more than two values are met, because people of a middle
    value must be seen more often to be recognised. People of different weeks differ by more than
    the free period. People of a condition are of the same weeks.
empty: No value of the free period is known, or nobody is new.
---*/
WITH setting AS (
    SELECT CAST(value AS INTEGER) AS seconds, condition, since, is_now FROM setting_value
    WHERE wire_name IN ('newUserFreePeriodSeconds', 'freeTrialEndsAtSeconds')
), value AS (
    SELECT seconds, max(condition IS NOT NULL) AS is_conditional FROM setting
    WHERE seconds > 0 GROUP BY seconds
), change AS (
    SELECT row_number() OVER (ORDER BY since) AS number, since, seconds FROM setting
    WHERE since IS NOT NULL
), newcomer AS (
    SELECT person, ifnull(made_at, first_at) AS made, new_until, free_from, subscribed_at,
        CASE WHEN made_at IS NULL THEN 600 ELSE 0 END AS slack
    FROM person LEFT JOIN account USING (user_id)
    WHERE first_day IS NOT NULL AND newest_segment IS NOT NULL
        AND ifnull(made_at, first_at) >= (
            SELECT day.start FROM day JOIN period ON day = first_day)
        AND (made_at IS NOT NULL OR new_until IS NOT NULL)
), lived AS MATERIALIZED (
    -- With the value in force when the account was made; the first known one before any change.
    SELECT newcomer.*, ifnull((
            SELECT seconds FROM change
            WHERE number = (SELECT ifnull(max(number), 1) FROM change WHERE since <= made)
        ), (SELECT seconds FROM setting WHERE is_now AND condition IS NULL)) AS in_force,
        (SELECT day FROM day WHERE start <= made ORDER BY start DESC LIMIT 1) AS day
    FROM newcomer
), cohort AS (
    SELECT lived.*, (SELECT max(is_conditional) FROM value) AS has_conditions,
        count(seconds) AS fits, max(seconds) AS longest,
        max(seconds) FILTER (WHERE seconds IS in_force) AS longest_in_force
    FROM lived LEFT JOIN value
        ON made + (seconds + slack) * 1000000 > ifnull(new_until, made)
        AND made + seconds * 1000000 <= ifnull(free_from, made + seconds * 1000000)
            + slack * 1000000
        AND (is_conditional OR seconds IS in_force OR NOT (SELECT max(is_conditional) FROM value))
    GROUP BY person
), line AS (
    SELECT seconds, max(has_several) AS has_several, count(*) AS people, sum(week_over) AS week_whole,
        sum(week_over AND in_week) AS week_part, sum(month_over) AS month_whole,
        sum(month_over AND in_month) AS month_part,
        sum(month_over AND has_subscribed) AS subscribed_part
    FROM (
        SELECT CASE WHEN fits < 2 THEN longest WHEN NOT has_conditions THEN longest_in_force
            END AS seconds, fits > 1 AS has_several,
            ifnull(week.whole_from <= cohort.day + 1, 0) AS week_over,
            ifnull(month.whole_from <= cohort.day + 1, 0) AS month_over,
            CASE WHEN week.whole_from <= cohort.day + 1 THEN EXISTS (
                SELECT 1 FROM person_day WHERE person_day.person = cohort.person
                    AND person_day.day BETWEEN cohort.day + 1 AND cohort.day + 7
            ) END AS in_week,
            CASE WHEN month.whole_from <= cohort.day + 1 THEN EXISTS (
                SELECT 1 FROM person_day WHERE person_day.person = cohort.person
                    AND person_day.day BETWEEN cohort.day + 8 AND cohort.day + 28
            ) END AS in_month,
            ifnull(subscribed_at < month."end", 0) AS has_subscribed
        FROM cohort LEFT JOIN day AS week ON week.day = cohort.day + 7
            LEFT JOIN day AS month ON month.day = cohort.day + 28
        WHERE fits < 2 OR has_conditions OR longest_in_force IS NOT NULL
    ) GROUP BY seconds, CASE WHEN seconds IS NULL THEN has_several END
), told AS (
    SELECT *, first_value(month_whole) OVER wide AS first_whole,
        first_value(subscribed_part) OVER wide AS first_part,
        row_number() OVER wide > 1 AND (count(*) OVER () < 3
            OR NOT (SELECT max(is_conditional) FROM value)) AS is_compared
    FROM line WHERE seconds IS NOT NULL WINDOW wide AS (ORDER BY seconds)
)
SELECT CASE WHEN seconds % 86400 = 0 THEN format('%d d', seconds / 86400)
        WHEN seconds % 3600 = 0 THEN format('%d h', seconds / 3600)
        ELSE format('%,d s', seconds) END AS period,
    people, week_part, week_whole, month_part, month_whole,
    subscribed_part, month_whole AS subscribed_whole,
    CASE WHEN is_compared THEN first_part END AS difference_from_part,
    first_whole AS difference_from_whole,
    subscribed_part AS difference_to_part, month_whole AS difference_to_whole,
    people - month_whole AS still_open, (
        SELECT 'One free period is known, so there is nothing to compare it with: give some people '
            || 'another one, by a condition in Remote Config.'
        FROM (
            SELECT count(seconds) AS known, max(seconds IS NULL AND has_several) AS has_more
            FROM line
        ) WHERE known = 1 AND NOT has_more
    ) AS says, seconds AS place
FROM told
UNION ALL
SELECT CASE WHEN has_several THEN 'several fit' ELSE 'none fits' END, people, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1e18 - has_several
FROM line WHERE seconds IS NULL
ORDER BY place
